// What the encoder families derived from BERT have in common.
#include "io/text.h"
#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {

Config read_encoder(const JsonObject& json, std::string_view family, const Defaults& d) {
  if (!d.any_kind) refuse_true(json, {"is_decoder", "is_encoder_decoder"});
  refuse_true(json, {"add_cross_attention"});
  if (!json.boolean("tie_word_embeddings", true)) refuse(json, "tie_word_embeddings", "true");
  refuse_changed_weights(json);

  Config c;
  c.family = family;
  c.vocab_size = read_entries(json, "vocab_size", d.vocab_size);
  c.hidden_size = c.embedding_size = read_width(json, "hidden_size", d.hidden_size);
  c.encoder.n_layers = read_layers(json, "num_hidden_layers", d.n_layers);
  c.encoder.n_heads = c.encoder.n_key_heads = read_width(json, "num_attention_heads", d.n_heads);
  c.encoder.feed_forward_size = read_width(json, "intermediate_size", d.feed_forward_size);
  c.encoder.head_size = divided(json, "hidden_size", c.hidden_size, "num_attention_heads", c.encoder.n_heads);
  c.max_positions = read_entries(json, "max_position_embeddings", d.max_positions);
  c.n_types = read_entries(json, "type_vocab_size", d.n_types, 0);
  c.activation = read_activation(json, "hidden_act", "gelu");
  c.norm_eps = read_eps(json, "layer_norm_eps", 1e-12);
  c.hidden_dropout = read_rate(json, "hidden_dropout_prob", 0.1);
  c.attention_dropout = read_rate(json, "attention_probs_dropout_prob", 0.1);
  c.classifier_dropout = read_rate(json, "classifier_dropout", static_cast<double>(c.hidden_dropout));
  c.initializer_range = read_spread(json, "initializer_range", 0.02);
  c.pad_id = read_pad_token(json, c.vocab_size, 0);
  c.labels = read_labels(json);
  return c;
}

namespace {
constexpr NameRule kBertRules[] = {
    {"embed.word", "embeddings.word_embeddings"},
    {"embed.position", "embeddings.position_embeddings"},
    {"embed.type", "embeddings.token_type_embeddings"},
    {"embed.norm", "embeddings.LayerNorm"},
    {"embed.project", "embeddings_project"},
    {"blocks.{l}.attn.q", "encoder.layer.{l}.attention.self.query"},
    {"blocks.{l}.attn.k", "encoder.layer.{l}.attention.self.key"},
    {"blocks.{l}.attn.v", "encoder.layer.{l}.attention.self.value"},
    {"blocks.{l}.attn.out", "encoder.layer.{l}.attention.output.dense"},
    {"blocks.{l}.norm1", "encoder.layer.{l}.attention.output.LayerNorm"},
    {"blocks.{l}.mlp.in", "encoder.layer.{l}.intermediate.dense"},
    {"blocks.{l}.mlp.out", "encoder.layer.{l}.output.dense"},
    {"blocks.{l}.norm2", "encoder.layer.{l}.output.LayerNorm"},
    {"final_norm", "encoder.norm"},
    {"pooler", "pooler.dense"},
};
}  // namespace

const std::span<const NameRule> kBertBody = kBertRules;

std::span<const NameRule> bert_head(Task) {
  static constexpr NameRule kRules[] = {
      {"head.dense", "cls.predictions.transform.dense"},
      {"head.norm", "cls.predictions.transform.LayerNorm"},
      {"head.bias", "cls.predictions.bias"},
      {"head.logits", "classifier"},
  };
  return kRules;
}

}  // namespace glass
