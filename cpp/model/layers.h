// The parts that encoders and decoders are built of: which parameters each has, and its forward.
#pragma once

#include <functional>
#include <string>

#include "ops/ops.h"

namespace glass {

// Asks for the parameter of that name and shape while a model is built: "blocks.0.attn.q.weight", [D, D].
using AskParameter = std::function<const Parameter&(const std::string& name, Shape shape)>;

struct Linear {
  const Parameter* weight = nullptr;  // [out, in]
  const Parameter* bias = nullptr;    // [out], may be absent
  Linear() = default;
  Linear(const AskParameter& ask, const std::string& name, int64_t out, int64_t in)
      : weight(&ask(name + ".weight", {out, in})), bias(&ask(name + ".bias", {out})) {}
  Tensor operator()(const Context& cx, const Tensor& x) const { return linear(cx, *weight, bias, x); }
  explicit operator bool() const { return weight != nullptr; }
};

struct Norm {
  const Parameter* weight = nullptr;  // [D]
  const Parameter* bias = nullptr;    // [D]
  float eps = 0.f;
  Norm() = default;
  Norm(const AskParameter& ask, const std::string& name, int64_t width, float eps)
      : weight(&ask(name + ".weight", {width})), bias(&ask(name + ".bias", {width})), eps(eps) {}
  Tensor operator()(const Context& cx, Tensor x) const { return layer_norm(cx, weight, bias, eps, std::move(x)); }
  explicit operator bool() const { return weight != nullptr; }
};

// Multi-head attention, Vaswani et al. 2017, section 3.2.2.
struct Attention {
  Linear q, k, v, out;
  int64_t n_heads = 1;
  float dropout_rate = 0.f;
};
// query: [B, T, D], key and value: [B, S, D], all the same tensor for self-attention → [B, T, D]
Tensor attention(const Context& cx, const Attention& w, const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionMask& mask);

// Position-wise feed-forward, Vaswani et al. 2017, section 3.3.
struct FeedForward {
  Linear in, out;
  Activation activation = Activation::relu;
};
// x: [B, T, D] → [B, T, D]
Tensor feed_forward(const Context& cx, const FeedForward& w, const Tensor& x);

struct EncoderLayer {
  Attention attn;
  Norm norm1;  // with the attention's residual: after it, or before the attention where norm_first
  FeedForward mlp;
  Norm norm2;  // the same for the feed-forward
  bool norm_first = false;
  float dropout_rate = 0.f;
};
// Post-norm as in Vaswani et al. 2017, section 3.1, or pre-norm as in Xiong et al. 2020, figure 1. x: [B, T, D] → [B, T, D]
Tensor encoder_layer(const Context& cx, const EncoderLayer& w, Tensor x, const AttentionMask& mask);

}  // namespace glass
