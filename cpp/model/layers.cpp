#include "model/layers.h"

#include <cmath>

namespace glass {
namespace {

constexpr const char* kTokens = "batch pos dim";
constexpr const char* kHeads = "batch pos head dim";
constexpr const char* kPattern = "batch head query key";

// [B, N, H·K] → [B, N, H, K]
Tensor split_heads(const Tensor& x, int64_t heads) { return x.reshaped({x.dim(0), x.dim(1), heads, x.dim(2) / heads}); }
// [B, N, H, K] → [B, N, H·K]
Tensor join_heads(const Tensor& x) { return x.reshaped({x.dim(0), x.dim(1), x.dim(2) * x.dim(3)}); }

}  // namespace

Tensor attention(const Context& cx, const Attention& w, const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionMask& mask) {
  const Tensor q = cx.hook("hook_q", kHeads, split_heads(w.q(cx, query), w.n_heads));  // [B, T, H, K]
  const Tensor k = cx.hook("hook_k", kHeads, split_heads(w.k(cx, key), w.n_heads));    // [B, S, H, K]
  const Tensor v = cx.hook("hook_v", kHeads, split_heads(w.v(cx, value), w.n_heads));  // [B, S, H, K]
  const float scale = 1.f / std::sqrt(static_cast<float>(k.dim(-1)));
  Tensor pattern = softmax(cx, cx.hook("hook_attn_scores", kPattern, attention_scores(cx, q, k, scale, mask)));  // [B, H, T, S]
  pattern = dropout(cx, w.dropout_rate, cx.hook("hook_pattern", kPattern, std::move(pattern)));
  const Tensor z = cx.hook("hook_z", kHeads, weighted_values(cx, pattern, v));  // [B, T, H, K]
  return w.out(cx, join_heads(z));                                              // [B, T, D]
}

Tensor feed_forward(const Context& cx, const FeedForward& w, const Tensor& x) {
  Tensor hidden = cx.hook("hook_pre", kTokens, w.in(cx, x));                              // [B, T, F]
  hidden = cx.hook("hook_post", kTokens, activate(cx, w.activation, std::move(hidden)));  // [B, T, F]
  return w.out(cx, hidden);                                                               // [B, T, D]
}

Tensor encoder_layer(const Context& cx, const EncoderLayer& w, Tensor x, const AttentionMask& mask) {
  x = cx.hook("hook_resid_pre", kTokens, std::move(x));
  const Tensor asked = w.norm_first ? w.norm1(cx, x) : x;
  Tensor attended = cx.hook("hook_attn_out", kTokens, attention(cx.in("attn"), w.attn, asked, asked, asked, mask));
  x = add(cx, std::move(x), dropout(cx, w.dropout_rate, std::move(attended)));
  x = cx.hook("hook_resid_mid", kTokens, std::move(x));  // the sum, before a post-norm
  if (!w.norm_first) x = w.norm1(cx, std::move(x));

  Tensor fed = feed_forward(cx.in("mlp"), w.mlp, w.norm_first ? w.norm2(cx, x) : x);
  fed = cx.hook("hook_mlp_out", kTokens, std::move(fed));
  x = add(cx, std::move(x), dropout(cx, w.dropout_rate, std::move(fed)));
  return cx.hook("hook_resid_post", kTokens, w.norm_first ? std::move(x) : w.norm2(cx, std::move(x)));
}

}  // namespace glass
