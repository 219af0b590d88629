#include "model/layers.h"

#include "model/heads.h"
#include "model/variants.h"

namespace glass {
namespace {

struct Projected {
  Tensor q, k, v;  // [B, T, H, K], [B, S, Hkv, K] twice
};

// Queries, keys and values of the same tokens from one product.
Projected project_joined(const Context& cx, const Attention& w, const Tensor& x) {
  const Tensor all = w.joined(cx, x);  // [B, T, 3·H·K]
  const int64_t groups = w.interleaved ? w.n_heads : 1;
  const auto part = [&](int64_t i) { return split_heads(take_part(cx, all, groups, i, 3), w.n_heads); };
  return {part(0), part(1), part(2)};
}

Tensor project(const Context& cx, const Linear& w, const Tensor& x, int64_t heads) { return split_heads(w(cx, x), heads); }

// The part of attention that comes after the projections. q: [B, T, H, K], k and v: [B, S, Hkv, K] → [B, T, D]
Tensor attend(const Context& cx, const Attention& w, const Tensor& q, const Tensor& k, const Tensor& v,
              const AttentionMask& mask) {
  Tensor pattern =
      softmax(cx, cx.hook("hook_attn_scores", kPattern, attention_scores(cx, q, k, w.scale, mask)));  // [B, H, T, S]
  pattern = dropout(cx, w.dropout_rate, cx.hook("hook_pattern", kPattern, std::move(pattern)));
  const Tensor z = cx.hook("hook_z", kHeads, weighted_values(cx, pattern, v));  // [B, T, H, K]
  return w.out(cx, join_heads(z));                                              // [B, T, D]
}

}  // namespace

Tensor attention(const Context& cx, const Attention& w, const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionMask& mask, std::span<const int32_t> positions, LayerCache* past) {
  if (w.kind == AttentionKind::lsh) return lsh_self_attention(cx, w, query, mask, past);
  if (w.kind == AttentionKind::linformer) return linformer_self_attention(cx, w, query, mask);
  Projected p = w.joined ? project_joined(cx, w, query)
                         : Projected{project(cx, w.q, query, w.n_heads), project(cx, w.k, key, w.n_key_heads),
                                     project(cx, w.v, value, w.n_key_heads)};
  Tensor q = cx.hook("hook_q", kHeads, std::move(p.q)), k = cx.hook("hook_k", kHeads, std::move(p.k)),
         v = cx.hook("hook_v", kHeads, std::move(p.v));
  if (!w.rotary.empty()) {
    q = cx.hook("hook_rot_q", kHeads, rotate(cx, q, w.rotary, positions));
    k = cx.hook("hook_rot_k", kHeads, rotate(cx, k, w.rotary, positions));
  }
  if (!past) return attend(cx, w, q, k, v, mask);
  past->append(k, v);
  AttentionMask longer = mask;
  longer.keys = past->length;
  return attend(cx, w, q, past->keys, past->values, longer);
}

Tensor cross_attention(const Context& cx, const Attention& w, size_t l, const Tensor& x, const Surroundings& around) {
  const Tensor q = cx.hook("hook_q", kHeads, project(cx, w.q, x, w.n_heads));  // [B, T, H, K]
  LayerCache once;
  LayerCache& kept = around.state ? around.state->cross(l) : once;
  if (!kept.keys) {
    kept.keys = project(cx, w.k, around.memory, w.n_key_heads);    // [B or 1, S, H, K]
    kept.values = project(cx, w.v, around.memory, w.n_key_heads);  // the same
  }
  const Tensor k = cx.hook("hook_k", kHeads, kept.keys), v = cx.hook("hook_v", kHeads, kept.values);
  return attend(cx, w, q, k, v, around.memory_mask);
}

Tensor feed_forward(const Context& cx, const FeedForward& w, const Tensor& x) {
  Tensor hidden;  // [B, T, F]
  if (w.gate) {
    hidden = cx.hook("hook_pre", kTokens, w.gate(cx, x));
    const Tensor linear_part = cx.hook("hook_pre_linear", kTokens, w.in(cx, x));
    hidden = multiply(cx, activate(cx, w.activation, std::move(hidden)), linear_part);
  } else {
    hidden = activate(cx, w.activation, cx.hook("hook_pre", kTokens, w.in(cx, x)));
  }
  hidden = cx.hook("hook_post", kTokens, std::move(hidden));
  return w.out(cx, dropout(cx, w.dropout_rate, std::move(hidden)));  // [B, T, D]
}

Tensor transformer_layer(const Context& cx, const Layer& w, size_t l, Tensor x, const Surroundings& around) {
  x = cx.hook("hook_resid_pre", kTokens, std::move(x));
  const Tensor input = w.parallel ? x : Tensor();
  const Tensor asked = w.norm_first ? w.norm1(cx, x) : x;
  Tensor attended = attention(cx.in("attn"), w.attn, asked, asked, asked, around.mask, around.positions,
                              around.state ? &around.state->self(l) : nullptr);
  attended = cx.hook("hook_attn_out", kTokens, std::move(attended));
  x = add(cx, std::move(x), dropout(cx, w.dropout_rate, std::move(attended)));
  x = cx.hook("hook_resid_mid", kTokens, std::move(x));  // the sum, before a post-norm
  if (!w.norm_first) x = w.norm1(cx, std::move(x));

  if (w.has_cross) {
    const Tensor asking = w.norm_first ? w.norm_cross(cx, x) : x;
    Tensor read = cross_attention(cx.in("cross_attn"), w.cross, l, asking, around);
    read = cx.hook("hook_cross_attn_out", kTokens, std::move(read));
    x = add(cx, std::move(x), dropout(cx, w.dropout_rate, std::move(read)));
    x = cx.hook("hook_resid_mid_cross", kTokens, std::move(x));
    if (!w.norm_first) x = w.norm_cross(cx, std::move(x));
  }

  Tensor fed = feed_forward(cx.in("mlp"), w.mlp, w.norm_first ? w.norm2(cx, w.parallel ? input : x) : x);
  fed = cx.hook("hook_mlp_out", kTokens, std::move(fed));
  x = add(cx, std::move(x), dropout(cx, w.dropout_rate, std::move(fed)));
  return cx.hook("hook_resid_post", kTokens, w.norm_first ? std::move(x) : w.norm2(cx, std::move(x)));
}

}  // namespace glass
