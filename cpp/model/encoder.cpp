#include "model/encoder.h"

#include <cmath>
#include <limits>
#include <string>

#include "model/positions.h"
#include "ops/recompute.h"

namespace glass {
namespace {

constexpr const char* kTokens = "batch pos dim";

// Padding is hidden from every query: [B, S], −inf where the mask is 0. Empty where nothing is padded.
AttentionMask padding_mask(const Context& cx, const Batch& batch) {
  bool padded = false;
  for (const int32_t real : batch.mask) padded = padded || real == 0;
  if (!padded) return {};
  Tensor values = cx.make({batch.size, batch.length});
  for (size_t i = 0; i < values.size(); ++i) values.data()[i] = batch.mask[i] ? 0.f : -std::numeric_limits<float>::infinity();
  return {values, static_cast<ptrdiff_t>(batch.length), 0, 0};
}

// 0 … T−1 for each of the sequences.
std::vector<int32_t> position_ids(const Batch& batch) {
  std::vector<int32_t> ids;
  for (int64_t b = 0; b < batch.size; ++b)
    for (int64_t t = 0; t < batch.length; ++t) ids.push_back(static_cast<int32_t>(t));
  return ids;
}

// The row of each sequence's first token.
std::vector<int32_t> first_rows(const Batch& batch) {
  std::vector<int32_t> rows;
  for (int64_t b = 0; b < batch.size; ++b) rows.push_back(static_cast<int32_t>(b * batch.length));
  return rows;
}

}  // namespace

Encoder::Encoder(const Config& c, const AskParameter& ask) {
  const int64_t D = c.hidden_size, E = c.embedding_size, F = c.feed_forward_size;
  embeddings_.word = &ask("embed.word.weight", {c.vocab_size, E});
  if (c.positions == Positions::learned) embeddings_.position = &ask("embed.position.weight", {c.max_positions, E});
  if (c.n_types > 0) embeddings_.type = &ask("embed.type.weight", {c.n_types, E});
  if (c.embedding_norm) embeddings_.norm = Norm(ask, "embed.norm", E, c.norm_eps);
  if (E != D) embeddings_.project = Linear(ask, "embed.project", D, E);

  for (int64_t l = 0; l < c.n_layers; ++l) {
    const std::string block = "blocks." + std::to_string(l) + ".";
    layers_.push_back({
        .attn = {Linear(ask, block + "attn.q", D, D), Linear(ask, block + "attn.k", D, D), Linear(ask, block + "attn.v", D, D),
                 Linear(ask, block + "attn.out", D, D), c.n_heads, c.attention_dropout},
        .norm1 = Norm(ask, block + "norm1", D, c.norm_eps),
        .mlp = {Linear(ask, block + "mlp.in", F, D), Linear(ask, block + "mlp.out", D, F), c.activation},
        .norm2 = Norm(ask, block + "norm2", D, c.norm_eps),
        .norm_first = c.norm_first,
        .dropout_rate = c.hidden_dropout,
    });
  }
  if (c.final_norm) final_norm_ = Norm(ask, "final_norm", D, c.norm_eps);
  if (c.pooler) pooler_ = Linear(ask, "pooler", D, D);

  if (c.task == Task::masked_lm) {
    masked_lm_.dense = Linear(ask, "head.dense", E, D);
    masked_lm_.norm = Norm(ask, "head.norm", E, c.norm_eps);
    masked_lm_.bias = &ask("head.bias", {c.vocab_size});
  }
  if (c.task == Task::sequence_classification && c.pooling == Pooling::first_dense)
    classifier_.dense = Linear(ask, "head.dense", D, D);
  if (c.task == Task::sequence_classification || c.task == Task::token_classification)
    classifier_.logits = Linear(ask, "head.logits", c.n_labels(), D);
}

Output Encoder::forward(const Context& cx, const Config& c, const Batch& batch, int recompute_every) const {
  check(batch, c);
  Tensor x = embed(cx, c, batch);                                              // [B, T, D]
  x = run_layers(cx, std::move(x), padding_mask(cx, batch), recompute_every);  // [B, T, D]
  if (final_norm_) x = cx.hook("ln_final.hook_normalized", kTokens, final_norm_(cx, std::move(x)));

  Output output;
  output.last_hidden = x;
  if (pooler_) output.pooled = activate(cx, Activation::tanh, pooler_(cx, take_rows(cx, x, first_rows(batch))));  // [B, D]
  if (c.task == Task::sequence_classification) {
    output.logits = classify(cx, c, batch, x, output);  // [B, labels]
  } else if (c.task != Task::none) {
    const Tensor wanted = batch.rows.empty() ? x : take_rows(cx, x, batch.rows);  // [B, T, D] or [N, D]
    output.logits = c.task == Task::masked_lm ? masked_lm_logits(cx, c, wanted)
                                              : classifier_.logits(cx, dropout(cx, c.classifier_dropout, wanted));
  }
  return output;
}

// word + position + segment, normed, projected to the model's width.
Tensor Encoder::embed(const Context& cx, const Config& c, const Batch& batch) const {
  const int64_t B = batch.size, T = batch.length, E = c.embedding_size;
  Tensor x = embedding(cx, *embeddings_.word, batch.ids).reshaped({B, T, E});
  if (c.embedding_scale) x = scale(cx, std::sqrt(static_cast<float>(c.hidden_size)), std::move(x));
  x = cx.hook("hook_embed", kTokens, std::move(x));

  Tensor position = embeddings_.position ? embedding(cx, *embeddings_.position, position_ids(batch)).reshaped({B, T, E})
                                         : add(cx, cx.zeros({B, T, E}), sinusoidal_positions(cx.arena, T, E));
  x = add(cx, std::move(x), cx.hook("hook_pos_embed", kTokens, std::move(position)));
  if (embeddings_.type) {
    const std::vector<int32_t> types = batch.types.empty() ? std::vector<int32_t>(batch.ids.size(), 0) : batch.types;
    x = add(cx, std::move(x), cx.hook("hook_type_embed", kTokens, embedding(cx, *embeddings_.type, types).reshaped({B, T, E})));
  }
  if (embeddings_.norm) x = embeddings_.norm(cx, std::move(x));
  x = dropout(cx, c.hidden_dropout, std::move(x));
  return embeddings_.project ? embeddings_.project(cx, x) : x;
}

Tensor Encoder::run_layers(const Context& cx, Tensor x, const AttentionMask& mask, int recompute_every) const {
  const size_t n = layers_.size();
  if (recompute_every <= 0) {
    for (size_t l = 0; l < n; ++l) x = encoder_layer(cx.in("blocks", static_cast<int>(l)), layers_[l], std::move(x), mask);
    return x;
  }
  const size_t step = static_cast<size_t>(recompute_every);
  for (size_t first = 0; first < n; first += step) {
    const size_t end = std::min(n, first + step);
    x = recompute(cx, x, [this, mask, first, end](const Context& inner, Tensor y) {
      for (size_t l = first; l < end; ++l)
        y = encoder_layer(inner.in("blocks", static_cast<int>(l)), layers_[l], std::move(y), mask);
      return y;
    });
  }
  return x;
}

// x: [..., D] → [..., V]
Tensor Encoder::masked_lm_logits(const Context& cx, const Config& c, const Tensor& x) const {
  Tensor hidden = activate(cx, c.head_activation, masked_lm_.dense(cx, x));  // [..., E]
  hidden = masked_lm_.norm(cx, std::move(hidden));
  return linear(cx, *embeddings_.word, masked_lm_.bias, hidden);
}

Tensor Encoder::classify(const Context& cx, const Config& c, const Batch& batch, const Tensor& x, Output& output) const {
  Tensor pooled;  // [B, D]
  if (output.pooled) {
    pooled = output.pooled;
  } else if (c.pooling == Pooling::mean) {
    pooled = mean_pool(cx, x, batch.mask.empty() ? std::vector<int32_t>(batch.ids.size(), 1) : batch.mask);
  } else {
    pooled = take_rows(cx, x, first_rows(batch));
    if (classifier_.dense)
      pooled = activate(cx, c.pooling_activation, classifier_.dense(cx, dropout(cx, c.classifier_dropout, std::move(pooled))));
  }
  return classifier_.logits(cx, dropout(cx, c.classifier_dropout, std::move(pooled)));
}

}  // namespace glass
