// Scaled dot-product attention, Vaswani et al. 2017, section 3.2.1, in the three steps that one can look between:
// scores, their softmax, and the values weighted by it.
#include <algorithm>
#include <limits>

#include "kernels/gemm.h"
#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {
namespace {

// So few queries, as in a step with a cache, do not pay for packing keys and values: they read them where they lie.
constexpr size_t kFewQueries = 2;

// One head of one sequence inside [B, N, H, K]: a matrix of N rows, of which the first `rows` count.
struct HeadView {
  size_t rows, width;
  ptrdiff_t stride;     // between rows
  size_t batch_stride;  // 0 where one sequence serves all

  explicit HeadView(const Tensor& x, int64_t first = -1)
      : rows(static_cast<size_t>(first < 0 ? x.dim(1) : first)),
        width(static_cast<size_t>(x.dim(3))),
        stride(x.dim(2) * x.dim(3)),
        batch_stride(x.dim(0) == 1 ? 0 : static_cast<size_t>(x.dim(1) * stride)) {}
  size_t offset(int64_t batch, int64_t head) const {
    return static_cast<size_t>(batch) * batch_stride + static_cast<size_t>(head) * width;
  }
};

// The patterns are [B, H, T, S]; calls `visit` with each (batch, head) and where its T × S matrix begins.
template <class Visit>
void each_head(const Shape& pattern, Visit&& visit) {
  const size_t step = static_cast<size_t>(pattern[2] * pattern[3]);
  size_t at = 0;
  for (int64_t b = 0; b < pattern[0]; ++b)
    for (int64_t h = 0; h < pattern[1]; ++h, at += step) visit(b, h, at);
}

void check_ranks(const Tensor& a, const Tensor& b, const char* op) {
  if (a.shape().rank() == 4 && b.shape().rank() == 4 && (a.dim(0) == b.dim(0) || b.dim(0) == 1)) return;
  throw_error(ErrorCode::bad_input, {op, ": shapes ", a.shape(), " and ", b.shape(),
                                     " do not fit: expected four axes and one batch size, or one sequence of keys"});
}

void check_groups(int64_t heads, int64_t key_heads, const char* op) {
  if (key_heads > 0 && heads % key_heads == 0) return;
  throw_error(ErrorCode::bad_input, {op, ": ", heads, " heads cannot share ", key_heads, " key heads evenly"});
}

void check_scores(const Tensor& q, const Tensor& k, const AttentionMask& mask) {
  check_ranks(q, k, "attention_scores");
  check_groups(q.dim(2), k.dim(2), "attention_scores");
  if (q.dim(3) != k.dim(3))
    throw_error(ErrorCode::bad_input, {"attention_scores: queries have width ", q.dim(3), ", keys ", k.dim(3)});
  if (mask.keys > k.dim(1) || (mask.bias && (mask.bias.shape().rank() != 3 || mask.bias.dim(0) != q.dim(2))))
    throw_error(ErrorCode::bad_input, {"attention_scores: the mask does not fit queries ", q.shape(), " and keys ", k.shape()});
}

// dQ += dscores · scale · K, dK += (dscores · scale)ᵀ · Q, dbias += dscores; `present` of the keys exist.
void add_score_gradients(const Context& cx, const Tensor& q, const Tensor& k, int64_t present, float scale, const Tensor& bias,
                         const Tensor& scores) {
  const HeadView queries(q), keys(k, present);
  const size_t T = queries.rows, S = keys.rows, K = queries.width;
  const int64_t group = q.dim(2) / k.dim(2);
  cx.count(T, S, K, static_cast<size_t>(q.dim(0) * q.dim(2)) * (size_t{q.tracked()} + size_t{k.tracked()}));
  Tensor scaled = cx.make({q.dim(1), static_cast<int64_t>(S)});  // dscores · scale, one head
  Tensor panels = cx.make({static_cast<int64_t>(std::max(packed_size(S, K), packed_size(T, K)))});
  each_head(scores.shape(), [&](int64_t b, int64_t h, size_t at) {
    if (bias.tracked()) simd.axpy(1.f, scores.gradient() + at, bias.gradient() + static_cast<size_t>(h) * T * S, T * S);
    simd.scale(scale, scores.gradient() + at, scaled.data(), T * S);
    const size_t q_at = queries.offset(b, h), k_at = keys.offset(b, h / group);
    if (q.tracked()) {
      pack({k.data() + k_at, keys.stride, 1}, S, K, panels.data());
      gemm(T, K, S, {scaled.data(), static_cast<ptrdiff_t>(S), 1}, panels.data(), nullptr, q.gradient() + q_at,
           static_cast<size_t>(queries.stride), true);
    }
    if (k.tracked()) {
      pack({q.data() + q_at, queries.stride, 1}, T, K, panels.data());
      gemm(S, K, T, {scaled.data(), 1, static_cast<ptrdiff_t>(S)}, panels.data(), nullptr, k.gradient() + k_at,
           static_cast<size_t>(keys.stride), true);
    }
  });
}

// dpattern += dz · Vᵀ, dV += patternᵀ · dz
void add_weighing_gradients(const Context& cx, const Tensor& pattern, const Tensor& v, const Tensor& z) {
  const HeadView values(v, pattern.dim(3)), out(z);
  const size_t T = out.rows, S = values.rows, K = values.width;
  const int64_t group = pattern.dim(1) / v.dim(2);
  cx.count(T, K, S, static_cast<size_t>(pattern.dim(0) * pattern.dim(1)) * (size_t{pattern.tracked()} + size_t{v.tracked()}));
  Tensor panels = cx.make({static_cast<int64_t>(std::max(packed_size(K, S), packed_size(T, K)))});
  each_head(pattern.shape(), [&](int64_t b, int64_t h, size_t at) {
    const float* dz = z.gradient() + out.offset(b, h);
    const size_t v_at = values.offset(b, h / group);
    if (pattern.tracked()) {
      pack({v.data() + v_at, 1, values.stride}, K, S, panels.data());
      gemm(T, S, K, {dz, out.stride, 1}, panels.data(), nullptr, pattern.gradient() + at, S, true);
    }
    if (v.tracked()) {
      pack({dz, out.stride, 1}, T, K, panels.data());
      gemm(S, K, T, {pattern.data() + at, 1, static_cast<ptrdiff_t>(S)}, panels.data(), nullptr, v.gradient() + v_at,
           static_cast<size_t>(values.stride), true);
    }
  });
}

// What a backward step computes with: memory, and where multiply-adds are counted. The context of the forward is gone by then.
Context for_backward(Arena* arena, uint64_t* macs) {
  Context cx{*arena};
  cx.macs = macs;
  return cx;
}

}  // namespace

Tensor attention_scores(const Context& cx, const Tensor& q, const Tensor& k, float scale, const AttentionMask& mask) {
  check_scores(q, k, mask);
  const HeadView queries(q), keys(k, mask.keys);
  const size_t T = queries.rows, S = keys.rows, K = queries.width;
  const int64_t group = q.dim(2) / k.dim(2);
  if (mask.bias) check_shape("attention_scores, bias", {q.dim(2), q.dim(1), static_cast<int64_t>(S)}, mask.bias.shape());
  Tensor scores = cx.make({q.dim(0), q.dim(2), q.dim(1), static_cast<int64_t>(S)});  // [B, H, T, S]
  const bool few = T <= kFewQueries;
  const size_t matrices = static_cast<size_t>(q.dim(0) * q.dim(2));
  cx.count(T, K, S, matrices);
  Tensor panels = few ? Tensor() : cx.make({static_cast<int64_t>(packed_size(K, S))});
  each_head(scores.shape(), [&](int64_t b, int64_t h, size_t at) {
    float* out = scores.data() + at;
    const float *q_h = q.data() + queries.offset(b, h), *k_h = k.data() + keys.offset(b, h / group);
    if (few) {
      for (size_t t = 0; t < T; ++t)
        simd.dot_rows(q_h + t * static_cast<size_t>(queries.stride), k_h, static_cast<size_t>(keys.stride), out + t * S, S, K);
    } else {
      if (h % group == 0) pack({k_h, 1, keys.stride}, K, S, panels.data());
      gemm(T, S, K, {q_h, queries.stride, 1}, panels.data(), nullptr, out, S);
    }
    if (scale != 1.f) simd.scale(scale, out, out, T * S);
    if (mask.bias) simd.add(out, mask.bias.data() + static_cast<size_t>(h) * T * S, out, T * S);
    for (size_t t = 0; t < T; ++t) {
      float* row = out + t * S;
      if (mask.values)
        simd.add(row, mask.values.data() + b * mask.batch + h * mask.head + static_cast<ptrdiff_t>(t) * mask.query, row, S);
      const size_t seen = t + S + 1 > T ? t + S + 1 - T : 0;
      if (mask.causal && seen < S) std::fill(row + seen, row + S, -std::numeric_limits<float>::infinity());
    }
  });

  if (cx.tracks(q) || cx.tracks(k) || cx.tracks(mask.bias))
    cx.tape->record(
        scores, [q, k, scale, bias = mask.bias, present = mask.keys, arena = &cx.arena, macs = cx.macs](const Tensor& scores) {
          add_score_gradients(for_backward(arena, macs), q, k, present, scale, bias, scores);
        });
  return scores;
}

Tensor softmax(const Context& cx, Tensor x) {
  const bool recorded = cx.tracks(x);
  Tensor input = recorded ? x : Tensor();
  const float* values = x.data();
  Tensor y = cx.reuse(x);
  simd.softmax_rows(values, nullptr, 0, y.data(), y.rows(), y.width());
  if (recorded)
    cx.tape->record(y, [x = input](const Tensor& y) {
      simd.softmax_rows_backward(y.data(), y.gradient(), x.gradient(), y.rows(), y.width());
    });
  return y;
}

Tensor weighted_values(const Context& cx, const Tensor& pattern, const Tensor& v) {
  check_ranks(pattern, v, "weighted_values");
  check_groups(pattern.dim(1), v.dim(2), "weighted_values");
  if (pattern.dim(3) > v.dim(1))
    throw_error(ErrorCode::bad_input,
                {"weighted_values: the pattern has ", pattern.dim(3), " keys, there are ", v.dim(1), " values"});
  Tensor z = cx.make({pattern.dim(0), pattern.dim(2), pattern.dim(1), v.dim(3)});  // [B, T, H, K]
  const HeadView values(v, pattern.dim(3)), out(z);
  const size_t T = out.rows, S = values.rows, K = values.width;
  const int64_t group = pattern.dim(1) / v.dim(2);
  const bool few = T <= kFewQueries;
  const size_t matrices = static_cast<size_t>(pattern.dim(0) * pattern.dim(1));
  cx.count(T, S, K, matrices);
  Tensor panels = few ? Tensor() : cx.make({static_cast<int64_t>(packed_size(S, K))});
  each_head(pattern.shape(), [&](int64_t b, int64_t h, size_t at) {
    const float *weights = pattern.data() + at, *v_h = v.data() + values.offset(b, h / group);
    float* z_h = z.data() + out.offset(b, h);
    const size_t z_stride = static_cast<size_t>(out.stride);
    if (few) {
      for (size_t t = 0; t < T; ++t)
        simd.weigh_rows(weights + t * S, v_h, static_cast<size_t>(values.stride), z_h + t * z_stride, S, K);
    } else {
      if (h % group == 0) pack({v_h, values.stride, 1}, S, K, panels.data());
      gemm(T, K, S, {weights, static_cast<ptrdiff_t>(S), 1}, panels.data(), nullptr, z_h, z_stride);
    }
  });

  if (cx.tracks(pattern) || cx.tracks(v))
    cx.tape->record(z, [pattern, v, arena = &cx.arena, macs = cx.macs](const Tensor& z) {
      add_weighing_gradients(for_backward(arena, macs), pattern, v, z);
    });
  return z;
}

}  // namespace glass
