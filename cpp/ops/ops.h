// The ops: what a transformer is made of. Each computes its result and, where a tape wants it, records its backward step;
// one file an op, both directions together. Letters: B batch, T query tokens, S key tokens, D model width, H heads,
// K head width, F feed-forward width, V vocabulary, N rows. All throw Error(bad_input) on shapes that do not fit.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/kernels.h"
#include "ops/context.h"
#include "tensor/parameter.h"
#include "tensor/tensor.h"

namespace glass {

// Rows of a table. ids: [N] → [N, width]. Throws Error(bad_input) for an id outside the table.
Tensor embedding(const Context& cx, const Parameter& table, std::span<const int32_t> ids);

// x · Wᵀ + b, W as PyTorch keeps it. x: [..., in], weight: [out, in], bias: [out] or null → [..., out]
Tensor linear(const Context& cx, const Parameter& weight, const Parameter* bias, const Tensor& x);

// a + b, elementwise, b of a's shape or a suffix of it (repeated over the leading axes).
Tensor add(const Context& cx, Tensor a, const Tensor& b);
// s · x
Tensor scale(const Context& cx, float s, Tensor x);
// Where keep[i] = 0 the value is replaced by values[i], and no gradient flows; elsewhere it is x · keep[i] + values[i].
Tensor blend(const Context& cx, Tensor x, std::span<const float> keep, std::span<const float> values);

// Layer norm over the last axis (Ba et al. 2016). weight and bias may be null.
Tensor layer_norm(const Context& cx, const Parameter* weight, const Parameter* bias, float eps, Tensor x);
// Root-mean-square norm over the last axis (Zhang & Sennrich 2019). weight may be null.
Tensor rms_norm(const Context& cx, const Parameter* weight, float eps, Tensor x);

Tensor activate(const Context& cx, Activation f, Tensor x);

// Inverted dropout (Srivastava et al. 2014): zero with probability `rate`, else x / (1 − rate). Off without cx.random.
Tensor dropout(const Context& cx, float rate, Tensor x);

// What is added to attention scores before the softmax: 0 or −inf, or any bias. Element (b, h, t, s) is at
// values[b·batch + h·head + t·query + s]; a stride of 0 repeats.
struct AttentionMask {
  Tensor values = {};  // empty: everything may be seen
  ptrdiff_t batch = 0, head = 0, query = 0;
  bool causal = false;  // what comes later is hidden; the last query stands at the last key
  Tensor bias = {};     // [H, T, S], added for every sequence, may be trained; may be empty
  int64_t keys = -1;    // only so many of the keys exist (a cache has room for more); −1: all
};

// q · kᵀ · scale + mask (Vaswani et al. 2017, equation 1). q: [B, T, H, K], k: [B or 1, S, Hkv, K], H a multiple of Hkv
// (grouped heads share keys); one sequence of keys serves every sequence of queries → [B, H, T, S]
Tensor attention_scores(const Context& cx, const Tensor& q, const Tensor& k, float scale, const AttentionMask& mask);
// Softmax over the last axis; a row of −inf gives zeros.
Tensor softmax(const Context& cx, Tensor x);
// Σ_s pattern[b, h, t, s] · v[b, s, h, :]. pattern: [B, H, T, S], v: [B or 1, S or more, Hkv, K] → [B, T, H, K]
Tensor weighted_values(const Context& cx, const Tensor& pattern, const Tensor& v);

// Turns pairs of dimensions (i, i + n) of each head, i < n = frequencies, by position · frequency i (Su et al. 2021, equation
// 34); dimensions from 2n on stay. x: [B, N, H, K], positions: [N] or [B·N]
Tensor rotate(const Context& cx, const Tensor& x, std::span<const float> frequencies, std::span<const int32_t> positions);

// The bias of scores by relative position (Raffel et al. 2020, section 2.1): distances share buckets that grow with them. The
// queries are the last T of S positions. table: [buckets, H] → [H, T, S]
Tensor relative_bias(const Context& cx, const Parameter& table, int64_t queries, int64_t keys, bool both_directions,
                     int64_t max_distance);

// Part i of n of each of `groups` runs of columns: x [..., groups · n · width] → [..., groups · width]
Tensor take_part(const Context& cx, const Tensor& x, int64_t groups, int64_t i, int64_t n);
// [A, B, C, D] → [A, C, B, D]: heads before tokens, or tokens before heads.
Tensor swap_middle(const Context& cx, const Tensor& x);
// a · b, elementwise, of one shape.
Tensor multiply(const Context& cx, const Tensor& a, const Tensor& b);
// x + b over the last axis, b a trained vector: [..., n], [n]
Tensor add_vector(const Context& cx, const Parameter& b, Tensor x);

// Rows of x: [..., width] by number → [N, width]
Tensor take_rows(const Context& cx, const Tensor& x, std::span<const int32_t> rows);
// Mean over the tokens whose mask is 1, zeros where there is none. x: [B, T, D], mask: [B, T] → [B, D]
Tensor mean_pool(const Context& cx, const Tensor& x, std::span<const int32_t> mask);

// Cross-entropy of softmax(logits) with labels smoothed over all classes (Szegedy et al. 2016, section 7).
struct Loss {
  Tensor sum;           // [1], Σ over counted rows; divide for the mean
  Tensor per_row;       // [N], 0 in rows not counted
  int64_t counted = 0;  // rows whose label is not ignore_index
};
// logits: [N, V], labels: [N] in [0, V) or ignore_index.
Loss cross_entropy(const Context& cx, const Tensor& logits, std::span<const int32_t> labels, float smoothing = 0.f,
                   int32_t ignore_index = -100);

// The targets of that: (1 − smoothing) on the label and smoothing / classes on every class, which adds up to 1. labels: [N] in
// [0, classes) → [N, classes]
Tensor smoothed_labels(const Context& cx, std::span<const int32_t> labels, int64_t classes, float smoothing);

// Σ −log pattern[b, head, t, links[b·T + t]] over the linked queries; −1: none. Teaches a head where to look (guided alignment,
// Chen et al. 2016). pattern: [B, H, T, S] → [1]
Tensor attention_guidance(const Context& cx, const Tensor& pattern, int64_t head, std::span<const int32_t> links);

}  // namespace glass
