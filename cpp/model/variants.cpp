#include "model/variants.h"

#include <cmath>
#include <utility>

#include "model/heads.h"
#include "ops/linformer.h"
#include "ops/reversible.h"

namespace glass {
namespace {

// Added to the mean of squares before keys are scaled to unit length, so that a query of zeros has a key of zeros.
constexpr float kUnitEps = 1e-6f;

// [B, N]: 1 where the mask hides a key from every query. Empty where nothing is hidden.
std::vector<uint8_t> hidden_keys(const AttentionMask& mask, int64_t B, int64_t N) {
  std::vector<uint8_t> hidden;
  if (!mask.values) return hidden;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t s = 0; s < N; ++s) hidden.push_back(mask.values.data()[b * mask.batch + s] < 0.f);
  return hidden;
}

// scores → pattern → values, each announced. [B, T, H, K]
Tensor attend_densely(const Context& cx, const Attention& w, const Tensor& q, const Tensor& k, const Tensor& v,
                      const AttentionMask& mask) {
  Tensor pattern = softmax(cx, cx.hook("hook_attn_scores", kPattern, attention_scores(cx, q, k, 1.f, mask)));  // [B, H, T, S]
  pattern = dropout(cx, w.dropout_rate, cx.hook("hook_pattern", kPattern, std::move(pattern)));
  return weighted_values(cx, pattern, v);
}

// What attention adds to the stream that it does not read.
Tensor attended(const Context& cx, const Layer& w, size_t l, const Tensor& x, const Surroundings& around) {
  const Tensor asked = w.norm1(cx, x);
  Tensor y = attention(cx.in("attn"), w.attn, asked, asked, asked, around.mask, around.positions,
                       around.state ? &around.state->self(l) : nullptr);
  return dropout(cx, w.dropout_rate, cx.hook("hook_attn_out", kTokens, std::move(y)));
}

Tensor read_from_memory(const Context& cx, const Layer& w, size_t l, const Tensor& x, const Surroundings& around) {
  Tensor y = cross_attention(cx.in("cross_attn"), w.cross, l, w.norm_cross(cx, x), around);
  return dropout(cx, w.dropout_rate, cx.hook("hook_cross_attn_out", kTokens, std::move(y)));
}

Tensor fed(const Context& cx, const Layer& w, const Tensor& x) {
  Tensor y = feed_forward(cx.in("mlp"), w.mlp, w.norm2(cx, x));
  return dropout(cx, w.dropout_rate, cx.hook("hook_mlp_out", kTokens, std::move(y)));
}

}  // namespace

const Parameter* shared_mix(const Config& c, const AskParameter& ask, const std::string& prefix) {
  if (c.attention != AttentionKind::linformer || c.linformer_share != LinformerShare::layerwise) return nullptr;
  return &ask(prefix + "mix.weight", {c.linformer_k, c.max_positions});
}

Attention make_variant(const Config& c, const StackShape& shape, const AskParameter& ask, const std::string& name, size_t l,
                       const Parameter* mix) {
  const int64_t D = c.hidden_size, Q = shape.n_heads * shape.head_size;
  Attention a;
  a.kind = c.attention;
  a.n_heads = a.n_key_heads = shape.n_heads;
  a.dropout_rate = c.attention_dropout;
  if (c.attention == AttentionKind::lsh) {
    a.q = Linear(ask, name + "qk", Q, D, c.attention_bias);
    a.lsh = {c.lsh_rounds, c.lsh_buckets, c.lsh_chunk_length};
    a.rotations = lsh_rotations(c.attention_seed + l, a.lsh, shape.n_heads, shape.head_size);
  } else {
    a.q = Linear(ask, name + "q", Q, D, c.attention_bias);
    a.k = Linear(ask, name + "k", Q, D, c.attention_bias);
    a.scale = 1.f / std::sqrt(static_cast<float>(shape.head_size));
    const Shape mixing{c.linformer_k, c.max_positions};
    const bool one = c.linformer_share == LinformerShare::key_value;
    a.mix_keys = mix ? mix : &ask(name + (one ? "mix.weight" : "mix_k.weight"), mixing);
    a.mix_values = mix || one ? a.mix_keys : &ask(name + "mix_v.weight", mixing);
  }
  a.v = Linear(ask, name + "v", Q, D, c.attention_bias);
  a.out = Linear(ask, name + "out", D, Q, c.attention_out_bias);
  return a;
}

Tensor lsh_keys(const Context& cx, const Tensor& q) {
  return scale(cx, 1.f / std::sqrt(static_cast<float>(q.dim(3))), rms_norm(cx, nullptr, kUnitEps, q));
}

Tensor lsh_self_attention(const Context& cx, const Attention& w, const Tensor& x, const AttentionMask& mask, LayerCache* past) {
  const int64_t B = x.dim(0), T = x.dim(1), H = w.n_heads;
  const Tensor q = cx.hook("hook_q", kHeads, split_heads(w.q(cx, x), H));  // [B, T, H, K]
  Tensor k = cx.hook("hook_k", kHeads, lsh_keys(cx, q));
  Tensor v = cx.hook("hook_v", kHeads, split_heads(w.v(cx, x), H));

  int64_t S = T;
  if (past) {
    past->append(k, v);
    S = past->length;
    if (S > T) k = past->keys, v = past->values;  // [B, S or more, H, K]
  }
  std::vector<uint8_t> hidden = S == T ? hidden_keys(mask, B, T) : std::vector<uint8_t>();
  const Tensor buckets = cx.hook("hook_buckets", "batch head hash pos", lsh_buckets(cx, k, S, w.rotations, w.lsh, hidden));
  LshPlan plan(buckets, w.lsh, std::move(hidden), mask.causal);

  Tensor z;  // [B, T, H, K]
  if (!cx.hooks && S == T) {
    z = lsh_attention(cx, q, k, v, std::move(plan), w.dropout_rate);
  } else {
    AttentionMask found;
    found.values = lsh_mask(cx, plan, T);  // [B, H, T, S]
    found.query = S;
    found.head = T * S;
    found.batch = H * T * S;
    found.keys = S;
    z = attend_densely(cx, w, q, k, v, found);
  }
  return w.out(cx, join_heads(cx.hook("hook_z", kHeads, std::move(z))));
}

Tensor linformer_self_attention(const Context& cx, const Attention& w, const Tensor& x, const AttentionMask& mask) {
  const int64_t H = w.n_heads;
  const auto project = [&](const char* name, const Linear& to) { return cx.hook(name, kHeads, split_heads(to(cx, x), H)); };
  const Tensor q = project("hook_q", w.q), k = project("hook_k", w.k), v = project("hook_v", w.v);  // [B, T, H, K]
  const std::vector<uint8_t> hidden = hidden_keys(mask, x.dim(0), x.dim(1));

  const Tensor mixed = cx.hook("hook_k_projected", kHeads, mix_positions(cx, *w.mix_keys, k, hidden));  // [B, k, H, K]
  Tensor pattern = cx.hook("hook_attn_scores_projected", kPattern, attention_scores(cx, q, mixed, w.scale, {}));
  pattern = cx.hook("hook_pattern_projected", kPattern, softmax(cx, std::move(pattern)));  // [B, H, T, k]
  pattern = dropout(cx, w.dropout_rate, std::move(pattern));
  Tensor z;  // [B, T, H, K]
  if (cx.hooks) {
    pattern = spread_pattern(cx, *w.mix_values, pattern, x.dim(1), hidden);  // [B, H, T, S]
    z = weighted_values(cx, cx.hook("hook_pattern", kPattern, std::move(pattern)), v);
  } else {
    z = weighted_values(cx, pattern, mix_positions(cx, *w.mix_values, v, hidden));
  }
  return w.out(cx, join_heads(cx.hook("hook_z", kHeads, std::move(z))));
}

Tensor reversible_layers(const Context& cx, const std::vector<Layer>& layers, std::span<const size_t> order, const Tensor& x,
                         const Surroundings& around) {
  if (cx.tape && !cx.hooks) {
    std::vector<ReversibleStep> steps;
    for (size_t l = 0; l < order.size(); ++l) {
      const Layer& w = layers[order[l]];
      steps.push_back([&w, l, around](const Context& in, const Tensor& y) { return attended(in, w, l, y, around); });
      if (w.has_cross)
        steps.push_back([&w, l, around](const Context& in, const Tensor& y) { return read_from_memory(in, w, l, y, around); });
      steps.push_back([&w](const Context& in, const Tensor& y) { return fed(in, w, y); });
    }
    return reversible(cx, x, std::move(steps));
  }

  Tensor first = x, second = x;
  const auto step = [&](const Context& in, const char* name, const Tensor& change) {
    first = in.hook(name, kTokens, add(in, std::move(first), change));
    std::swap(first, second);
  };
  for (size_t l = 0; l < order.size(); ++l) {
    const Layer& w = layers[order[l]];
    const Context in = cx.in("blocks", static_cast<int>(l));
    first = in.hook("hook_resid_pre", kTokens, std::move(first));
    second = in.hook("hook_resid_pre_second", kTokens, std::move(second));
    step(in, "hook_resid_mid", attended(in, w, l, second, around));
    if (w.has_cross) step(in, "hook_resid_mid_cross", read_from_memory(in, w, l, second, around));
    step(in, "hook_resid_post", fed(in, w, second));
  }
  return scale(cx, 0.5f, add(cx, std::move(first), second));
}

}  // namespace glass
