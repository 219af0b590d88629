#include "model/stack.h"

#include <cmath>
#include <limits>

#include "model/positions.h"
#include "model/variants.h"
#include "ops/recompute.h"

namespace glass {
namespace {

constexpr const char* kTokens = "batch pos dim";

Norm make_norm(const Config& c, const AskParameter& ask, const std::string& name, int64_t width) {
  Norm norm;
  norm.present = true;
  norm.rms = c.norm == NormKind::rms;
  norm.eps = c.norm_eps;
  if (c.norm_affine) norm.weight = &ask(name + ".weight", {width});
  if (c.norm_affine && !norm.rms) norm.bias = &ask(name + ".bias", {width});
  return norm;
}

Attention make_attention(const Config& c, const StackShape& shape, const AskParameter& ask, const std::string& name, size_t l,
                         bool cross, const Parameter* mix = nullptr) {
  if (c.attention != AttentionKind::full && !cross) return make_variant(c, shape, ask, name, l, mix);
  const int64_t D = c.hidden_size, Q = shape.n_heads * shape.head_size, KV = shape.n_key_heads * shape.head_size;
  Attention a;
  if (c.projections == Config::Projections::apart || cross) {
    a.q = Linear(ask, name + "q", Q, D, c.attention_bias);
    a.k = Linear(ask, name + "k", KV, D, c.attention_bias);
    a.v = Linear(ask, name + "v", KV, D, c.attention_bias);
  } else {
    a.joined = Linear(ask, name + "qkv", 3 * Q, D, c.attention_bias);
    a.interleaved = c.projections == Config::Projections::interleaved;
  }
  a.out = Linear(ask, name + "out", D, Q, c.attention_out_bias);
  a.n_heads = shape.n_heads;
  a.n_key_heads = shape.n_key_heads;
  if (c.scale_attention) a.scale = 1.f / std::sqrt(static_cast<float>(shape.head_size));
  if (c.scale_by_layer) a.scale /= static_cast<float>(l + 1);
  a.dropout_rate = c.attention_dropout;
  if (!cross) a.rotary = c.rotary_frequencies;
  return a;
}

Layer make_layer(const Config& c, const StackShape& shape, const AskParameter& ask, const std::string& block, size_t l,
                 bool has_cross, const Parameter* mix) {
  const int64_t D = c.hidden_size, F = shape.feed_forward_size;
  Layer layer;
  layer.attn = make_attention(c, shape, ask, block + "attn.", l, false, mix);
  layer.norm1 = make_norm(c, ask, block + "norm1", D);
  if (has_cross) {
    layer.cross = make_attention(c, shape, ask, block + "cross_attn.", l, true);
    layer.norm_cross = make_norm(c, ask, block + "norm_cross", D);
  }
  layer.has_cross = has_cross;
  layer.mlp.in = Linear(ask, block + (c.gated ? "mlp.up" : "mlp.in"), F, D, c.feed_forward_bias);
  if (c.gated) layer.mlp.gate = Linear(ask, block + "mlp.gate", F, D, c.feed_forward_bias);
  layer.mlp.out = Linear(ask, block + "mlp.out", D, F, c.feed_forward_bias);
  layer.mlp.activation = c.activation;
  layer.mlp.dropout_rate = c.activation_dropout;
  layer.norm2 = make_norm(c, ask, block + "norm2", D);
  layer.norm_first = c.norm_first;
  layer.parallel = c.parallel_residual;
  layer.reversible = c.reversible;
  layer.dropout_rate = c.hidden_dropout;
  return layer;
}

// Padding is hidden from every query: [B, S], −inf where nothing real stands. Empty where nothing is padded.
AttentionMask padding_mask(const Context& cx, const std::vector<int32_t>& real, int64_t sequences) {
  bool padded = false;
  for (const int32_t is_real : real) padded = padded || is_real == 0;
  if (!padded) return {};
  const int64_t length = static_cast<int64_t>(real.size()) / sequences;
  Tensor values = cx.make({sequences, length});
  for (size_t i = 0; i < values.size(); ++i) values.data()[i] = real[i] ? 0.f : -std::numeric_limits<float>::infinity();
  AttentionMask mask;
  mask.values = values;
  mask.batch = sequences == 1 ? 0 : static_cast<ptrdiff_t>(length);
  return mask;
}

}  // namespace

Stack::Stack(const Config& c, const StackShape& shape, bool is_decoder, const Parameter& word, const AskParameter& ask,
             const std::string& prefix)
    : is_decoder_(is_decoder), word_(&word) {
  const int64_t D = c.hidden_size, E = c.embedding_size;
  if (c.positions == Positions::learned)
    position_ = &ask(prefix + "embed.position.weight", {c.max_positions + c.position_offset, c.late_positions ? D : E});
  if (c.n_types > 0) type_ = &ask(prefix + "embed.type.weight", {c.n_types, E});
  if (c.embedding_norm) embedding_norm_ = make_norm(c, ask, prefix + "embed.norm", E);
  if (E != D || c.projected) project_in_ = Linear(ask, prefix + "embed.project", D, E, c.projection_bias);
  if (E != D && c.project_out) project_out_ = Linear(ask, prefix + "project_out", E, D, c.projection_bias);
  if (c.positions == Positions::relative) relative_ = &ask(prefix + "relative_bias.weight", {c.n_buckets, shape.n_heads});

  const int64_t distinct = c.n_layer_groups > 0 ? c.n_layer_groups : shape.n_layers;
  const bool has_cross = is_decoder && c.kind == Kind::encoder_decoder;
  const Parameter* mix = shared_mix(c, ask, prefix);
  for (int64_t g = 0; g < distinct; ++g)
    layers_.push_back(
        make_layer(c, shape, ask, prefix + "blocks." + std::to_string(g) + ".", static_cast<size_t>(g), has_cross, mix));
  for (int64_t l = 0; l < shape.n_layers; ++l) order_.push_back(static_cast<size_t>(l * distinct / shape.n_layers));
  if (c.final_norm) final_norm_ = make_norm(c, ask, prefix + "final_norm", D);
}

Tensor Stack::forward(const Context& cx, const Config& c, const Tokens& tokens, const Tensor& memory,
                      const std::vector<int32_t>& memory_real, DecoderState* state, int recompute_every) const {
  const int64_t past = state ? state->length() : 0;
  Surroundings around;
  around.mask = padding_mask(cx, tokens.mask, tokens.size);
  around.mask.causal = is_decoder_;
  around.positions = position_ids(tokens, c, past);
  around.state = state;
  if (memory) {
    around.memory = memory;
    around.memory_mask = padding_mask(cx, memory_real, memory.dim(0));
  }
  if (relative_)
    around.mask.bias = relative_bias(cx, *relative_, tokens.length, past + tokens.length, !is_decoder_, c.max_distance);

  Tensor x = embed(cx, c, tokens, around.positions);          // [B, T, D]
  x = run_layers(cx, std::move(x), around, recompute_every);  // [B, T, D]
  if (final_norm_) {
    x = cx.hook("ln_final.hook_normalized", kTokens, final_norm_(cx, std::move(x)));
    if (c.positions == Positions::relative) x = dropout(cx, c.hidden_dropout, std::move(x));  // T5's last one
  }
  return project_out_ ? project_out_(cx, x) : x;
}

// word + position + segment, normed, projected to the model's width.
Tensor Stack::embed(const Context& cx, const Config& c, const Tokens& tokens, const std::vector<int32_t>& positions) const {
  const int64_t B = tokens.size, T = tokens.length, E = c.embedding_size;
  Tensor x = embedding(cx, *word_, tokens.ids).reshaped({B, T, E});
  if (c.embedding_scale) x = scale(cx, std::sqrt(static_cast<float>(c.hidden_size)), std::move(x));
  x = cx.hook("hook_embed", kTokens, std::move(x));
  if (!c.late_positions) x = add_positions(cx, c, std::move(x), positions);
  if (type_) {
    const std::vector<int32_t> types = tokens.types.empty() ? std::vector<int32_t>(tokens.ids.size(), 0) : tokens.types;
    x = add(cx, std::move(x), cx.hook("hook_type_embed", kTokens, embedding(cx, *type_, types).reshaped({B, T, E})));
  }
  if (embedding_norm_) x = embedding_norm_(cx, std::move(x));
  if (!c.late_positions) x = dropout(cx, c.hidden_dropout, std::move(x));
  if (project_in_) x = project_in_(cx, x);
  return c.late_positions ? dropout(cx, c.hidden_dropout, add_positions(cx, c, std::move(x), positions)) : x;
}

// What the table or the waves give for each position; x itself where positions are not in the embeddings.
Tensor Stack::add_positions(const Context& cx, const Config& c, Tensor x, const std::vector<int32_t>& positions) const {
  Tensor rows;
  if (position_) {
    std::vector<int32_t> numbers = positions;
    for (int32_t& number : numbers) number += static_cast<int32_t>(c.position_offset);
    rows = embedding(cx, *position_, numbers);
  } else if (c.positions == Positions::sinusoidal || c.positions == Positions::sinusoidal_halves) {
    rows = sinusoidal_rows(cx.arena, positions, x.dim(-1), c.positions == Positions::sinusoidal_halves);
  } else {
    return x;
  }
  return add(cx, std::move(x), cx.hook("hook_pos_embed", kTokens, rows.reshaped(x.shape())));
}

Tensor Stack::run_layers(const Context& cx, Tensor x, const Surroundings& around, int recompute_every) const {
  if (layers_.front().reversible) return reversible_layers(cx, layers_, order_, x, around);
  const auto run = [this, around](const Context& inner, Tensor y, size_t first, size_t end) {
    for (size_t l = first; l < end; ++l)
      y = transformer_layer(inner.in("blocks", static_cast<int>(l)), layers_[order_[l]], l, std::move(y), around);
    return y;
  };
  const size_t n = order_.size();
  if (recompute_every <= 0) return run(cx, std::move(x), 0, n);
  const size_t step = static_cast<size_t>(recompute_every);
  for (size_t first = 0; first < n; first += step)
    x = recompute(cx, x, [run, first, end = std::min(n, first + step)](const Context& inner, Tensor y) {
      return run(inner, std::move(y), first, end);
    });
  return x;
}

}  // namespace glass
