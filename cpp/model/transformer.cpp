#include "model/transformer.h"

#include <string>
#include <vector>

namespace glass {
namespace {

// The row of each sequence's first token.
std::vector<int32_t> first_rows(const Batch& batch) {
  std::vector<int32_t> rows;
  for (int64_t b = 0; b < batch.size; ++b) rows.push_back(static_cast<int32_t>(b * batch.length));
  return rows;
}

Norm head_norm(const Config& c, const AskParameter& ask) {
  Norm norm;
  norm.present = true;
  norm.weight = &ask("head.norm.weight", {c.embedding_size});
  norm.bias = &ask("head.norm.bias", {c.embedding_size});
  norm.eps = c.norm_eps;
  return norm;
}

}  // namespace

Transformer::Transformer(const Config& c, const AskParameter& ask)
    : word_(&ask("embed.word.weight", {c.vocab_size, c.embedding_size})) {
  const int64_t D = c.hidden_size, E = c.embedding_size;
  const bool both = c.kind == Kind::encoder_decoder;
  if (c.kind != Kind::decoder) encoder_.emplace(c, c.encoder, false, *word_, ask, both ? "encoder." : "");
  if (c.kind != Kind::encoder) decoder_.emplace(c, c.decoder, true, *word_, ask, both ? "decoder." : "");
  if (c.pooler) pooler_ = Linear(ask, "pooler", D, D);

  if (c.task == Task::masked_lm) {
    masked_lm_.dense = Linear(ask, "head.dense", E, D);
    masked_lm_.norm = head_norm(c, ask);
    masked_lm_.bias = &ask("head.bias", {c.vocab_size});
  }
  if (c.task == Task::language_model) {
    language_.table =
        c.tied ? word_ : &ask("head.logits.weight", {c.vocab_size, c.kind == Kind::encoder || !c.project_out ? D : E});
    if (c.logits_bias) language_.bias = &ask("head.bias", {c.vocab_size});
  }
  if (c.task == Task::sequence_classification && c.pooling == Pooling::first_dense)
    classifier_.dense = Linear(ask, "head.dense", D, D);
  if (c.task == Task::sequence_classification || c.task == Task::token_classification)
    classifier_.logits = Linear(ask, "head.logits", c.n_labels(), D);
}

Output Transformer::forward(const Context& cx, const Config& c, const Batch& batch, int recompute_every,
                            DecoderState* state) const {
  check(batch, c, state ? state->length() : 0);
  Output output;
  if (c.kind == Kind::encoder_decoder) {
    Tensor memory = state ? state->memory : Tensor();
    if (!memory) memory = encoder_->forward(cx.in("encoder"), c, batch, {}, {}, nullptr, recompute_every);  // [B, S, D]
    if (state && !state->memory) {
      state->memory = memory;
      state->memory_real = batch.mask;
    }
    output.encoder_last_hidden = memory;
    output.last_hidden = decoder_->forward(cx.in("decoder"), c, batch.target, memory, state ? state->memory_real : batch.mask,
                                           state, recompute_every);
  } else {
    const Stack& stack = encoder_ ? *encoder_ : *decoder_;
    output.last_hidden = stack.forward(cx, c, batch, {}, {}, state, recompute_every);
  }

  const Tensor& x = output.last_hidden;                                                                           // [B, T, D]
  if (pooler_) output.pooled = activate(cx, Activation::tanh, pooler_(cx, take_rows(cx, x, first_rows(batch))));  // [B, D]
  if (c.task == Task::sequence_classification) {
    output.logits = classify(cx, c, batch, x, output);  // [B, labels]
  } else if (c.task != Task::none) {
    const Tensor wanted = batch.rows.empty() ? x : take_rows(cx, x, batch.rows);  // [B, T, D] or [N, D]
    output.logits = c.task == Task::masked_lm        ? masked_lm_logits(cx, c, wanted)
                    : c.task == Task::language_model ? language_logits(cx, c, wanted)
                                                     : classifier_.logits(cx, dropout(cx, c.classifier_dropout, wanted));
  }
  return output;
}

// x: [..., D] → [..., V]
Tensor Transformer::masked_lm_logits(const Context& cx, const Config& c, const Tensor& x) const {
  Tensor hidden = activate(cx, c.head_activation, masked_lm_.dense(cx, x));  // [..., E]
  hidden = masked_lm_.norm(cx, std::move(hidden));
  return linear(cx, *word_, masked_lm_.bias, hidden);
}

// x: [..., E] → [..., V]
Tensor Transformer::language_logits(const Context& cx, const Config& c, Tensor x) const {
  if (c.logits_scale != 1.f) x = scale(cx, c.logits_scale, std::move(x));
  return linear(cx, *language_.table, language_.bias, x);
}

Tensor Transformer::classify(const Context& cx, const Config& c, const Batch& batch, const Tensor& x, Output& output) const {
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
