// The parts that encoders and decoders are built of: which parameters each has, and its forward.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/cache.h"
#include "model/config.h"
#include "ops/lsh.h"
#include "ops/ops.h"

namespace glass {

// Asks for the parameter of that name and shape while a model is built: "blocks.0.attn.q.weight", [D, D].
using AskParameter = std::function<const Parameter&(const std::string& name, Shape shape)>;

struct Linear {
  const Parameter* weight = nullptr;  // [out, in]
  const Parameter* bias = nullptr;    // [out], may be absent
  Linear() = default;
  Linear(const AskParameter& ask, const std::string& name, int64_t out, int64_t in, bool with_bias = true)
      : weight(&ask(name + ".weight", {out, in})), bias(with_bias ? &ask(name + ".bias", {out}) : nullptr) {}
  Tensor operator()(const Context& cx, const Tensor& x) const { return linear(cx, *weight, bias, x); }
  explicit operator bool() const { return weight != nullptr; }
};

struct Norm {
  bool present = false;
  bool rms = false;                   // root-mean-square norm instead of layer norm
  const Parameter* weight = nullptr;  // [D], may be absent
  const Parameter* bias = nullptr;    // [D], may be absent
  float eps = 0.f;
  Tensor operator()(const Context& cx, Tensor x) const {
    return rms ? rms_norm(cx, weight, eps, std::move(x)) : layer_norm(cx, weight, bias, eps, std::move(x));
  }
  explicit operator bool() const { return present; }
};

// Multi-head attention, Vaswani et al. 2017, section 3.2.2.
struct Attention {
  Linear q, k, v;            // one projection each …
  Linear joined;             // … or one for all three,
  bool interleaved = false;  // which come head by head, not queries first
  Linear out;
  int64_t n_heads = 1, n_key_heads = 1;
  float scale = 1.f;  // of the scores, 1/√K as a rule
  float dropout_rate = 0.f;
  std::vector<float> rotary;  // frequencies, see rotate(); empty: positions are elsewhere

  AttentionKind kind = AttentionKind::full;  // the others are in variants.h
  LshOptions lsh;                            // lsh: `q` projects to queries and keys alike, there is no `k`
  std::vector<float> rotations;
  const Parameter* mix_keys = nullptr;    // linformer: [k, positions]
  const Parameter* mix_values = nullptr;  // may be the same
};

// Position-wise feed-forward, Vaswani et al. 2017, section 3.3, or gated: activation(gate(x)) · in(x), Shazeer 2020.
struct FeedForward {
  Linear in, gate, out;
  Activation activation = Activation::relu;
  float dropout_rate = 0.f;
};
// x: [B, T, D] → [B, T, D]
Tensor feed_forward(const Context& cx, const FeedForward& w, const Tensor& x);

// What the tokens of a layer look at, besides the layer's input.
struct Surroundings {
  AttentionMask mask;              // of the self-attention
  std::vector<int32_t> positions;  // [B·T], for rotary attention
  Tensor memory;                   // [B or 1, S, D], the encoder's output, for cross-attention
  AttentionMask memory_mask;
  DecoderState* state = nullptr;  // keys and values of past tokens; null: there are none
};

// query: [B, T, D], key and value: [B, S, D], all the same tensor for self-attention → [B, T, D]. With `past` the new keys
// and values are put behind those already there, and all of them are attended to.
Tensor attention(const Context& cx, const Attention& w, const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionMask& mask, std::span<const int32_t> positions = {}, LayerCache* past = nullptr);

// Attention to the encoder's output, whose keys and values a state computes once and keeps. `l` is the layer's place.
Tensor cross_attention(const Context& cx, const Attention& w, size_t l, const Tensor& x, const Surroundings& around);

struct Layer {
  Attention attn;
  Norm norm1;  // with the attention's residual: after it, or before the attention where norm_first
  Attention cross;
  Norm norm_cross;  // the same for the cross-attention, which only decoders beside an encoder have
  FeedForward mlp;
  Norm norm2;  // the same for the feed-forward
  bool has_cross = false;
  bool norm_first = false;
  bool parallel = false;    // attention and feed-forward both read the layer's input (Wang & Komatsuzaki 2021)
  bool reversible = false;  // see reversible_layers in variants.h
  float dropout_rate = 0.f;
};
// Post-norm as in Vaswani et al. 2017, section 3.1, or pre-norm as in Xiong et al. 2020, figure 1. `l` is the layer's place in
// its stack. x: [B, T, D] → [B, T, D]
Tensor transformer_layer(const Context& cx, const Layer& w, size_t l, Tensor x, const Surroundings& around);

}  // namespace glass
