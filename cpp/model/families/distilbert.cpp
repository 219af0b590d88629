// DistilBERT, Sanh et al. 2019: BERT's layers, half as many, without segments and pooler, under names of its own.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"DistilBertModel", Task::none},
    {"DistilBertForMaskedLM", Task::masked_lm},
    {"DistilBertForSequenceClassification", Task::sequence_classification},
    {"DistilBertForTokenClassification", Task::token_classification},
};

Config parse(const JsonObject& json) {
  refuse_true(json, {"is_decoder", "add_cross_attention", "is_encoder_decoder"});
  if (!json.boolean("tie_word_embeddings", true)) refuse(json, "tie_word_embeddings", "true");
  refuse_changed_weights(json);
  Config c;
  c.family = "distilbert";
  c.task = read_task(json, kArchitectures);
  c.vocab_size = read_entries(json, "vocab_size", 30522);
  c.hidden_size = c.embedding_size = read_width(json, "dim", 768);
  c.encoder.n_layers = read_layers(json, "n_layers", 6);
  c.encoder.n_heads = c.encoder.n_key_heads = read_width(json, "n_heads", 12);
  c.encoder.head_size = divided(json, "dim", c.hidden_size, "n_heads", c.encoder.n_heads);
  c.encoder.feed_forward_size = read_width(json, "hidden_dim", 3072);
  c.max_positions = read_entries(json, "max_position_embeddings", 512);
  c.activation = c.head_activation = read_activation(json, "activation", "gelu");
  c.norm_eps = 1e-12f;
  c.pooling = Pooling::first_dense;
  c.pooling_activation = Activation::relu;
  c.hidden_dropout = c.activation_dropout = read_rate(json, "dropout", 0.1);
  c.attention_dropout = read_rate(json, "attention_dropout", 0.1);
  c.classifier_dropout = read_rate(json, "seq_classif_dropout", 0.2);
  c.initializer_range = read_spread(json, "initializer_range", 0.02);
  c.pad_id = read_pad_token(json, c.vocab_size, 0);
  c.labels = read_labels(json);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "embeddings.word_embeddings"},
    {"embed.position", "embeddings.position_embeddings"},
    {"embed.norm", "embeddings.LayerNorm"},
    {"blocks.{l}.attn.q", "transformer.layer.{l}.attention.q_lin"},
    {"blocks.{l}.attn.k", "transformer.layer.{l}.attention.k_lin"},
    {"blocks.{l}.attn.v", "transformer.layer.{l}.attention.v_lin"},
    {"blocks.{l}.attn.out", "transformer.layer.{l}.attention.out_lin"},
    {"blocks.{l}.norm1", "transformer.layer.{l}.sa_layer_norm"},
    {"blocks.{l}.mlp.in", "transformer.layer.{l}.ffn.lin1"},
    {"blocks.{l}.mlp.out", "transformer.layer.{l}.ffn.lin2"},
    {"blocks.{l}.norm2", "transformer.layer.{l}.output_layer_norm"},
};

constexpr NameRule kMaskedLmRules[] = {
    {"head.dense", "vocab_transform"},
    {"head.norm", "vocab_layer_norm"},
    {"head.bias", "vocab_projector.bias"},
};
constexpr NameRule kClassifierRules[] = {{"head.dense", "pre_classifier"}, {"head.logits", "classifier"}};

std::span<const NameRule> head(Task task) {
  if (task == Task::masked_lm) return kMaskedLmRules;
  return kClassifierRules;
}

constexpr std::string_view kIgnored[] = {"embeddings.position_ids", "vocab_transform.*", "vocab_layer_norm.*",
                                         "vocab_projector.*",       "pre_classifier.*",  "classifier.*"};
constexpr Tie kTies[] = {{"vocab_projector.weight", "embeddings.word_embeddings.weight"}};

}  // namespace

const Family kDistilBert{"distilbert", "distilbert.", parse, kBody, head, kIgnored, kTies};

}  // namespace glass
