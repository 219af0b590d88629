// ALBERT, Lan et al. 2020: layers that share their weights, and embeddings of a width of their own.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"AlbertModel", Task::none},
    {"AlbertForPreTraining", Task::masked_lm},  // its sentence-order head is left out
    {"AlbertForMaskedLM", Task::masked_lm},
    {"AlbertForSequenceClassification", Task::sequence_classification},
    {"AlbertForTokenClassification", Task::token_classification},
};

Config parse(const JsonObject& json) {
  refuse_relative_positions(json);
  Config c = read_encoder(json, "albert", {30000, 4096, 12, 64, 16384, 512, 2});
  c.embedding_size = read_width(json, "embedding_size", 128);
  c.projected = true;
  c.task = read_task(json, kArchitectures);
  c.n_layer_groups = read_layers(json, "num_hidden_groups", 1);
  if (c.n_layer_groups > c.encoder.n_layers) refuse(json, "num_hidden_groups", "at most num_hidden_layers");
  if (json.integer("inner_group_num", {1, 1024}, 1) != 1) refuse(json, "inner_group_num", "1");
  c.activation = c.head_activation = read_activation(json, "hidden_act", "gelu_new");
  c.hidden_dropout = read_rate(json, "hidden_dropout_prob", 0);
  c.attention_dropout = read_rate(json, "attention_probs_dropout_prob", 0);
  c.classifier_dropout = read_rate(json, "classifier_dropout_prob", 0.1);
  c.pooler = c.task == Task::none || c.task == Task::sequence_classification;
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "embeddings.word_embeddings"},
    {"embed.position", "embeddings.position_embeddings"},
    {"embed.type", "embeddings.token_type_embeddings"},
    {"embed.norm", "embeddings.LayerNorm"},
    {"embed.project", "encoder.embedding_hidden_mapping_in"},
    {"blocks.{l}.attn.q", "encoder.albert_layer_groups.{l}.albert_layers.0.attention.query"},
    {"blocks.{l}.attn.k", "encoder.albert_layer_groups.{l}.albert_layers.0.attention.key"},
    {"blocks.{l}.attn.v", "encoder.albert_layer_groups.{l}.albert_layers.0.attention.value"},
    {"blocks.{l}.attn.out", "encoder.albert_layer_groups.{l}.albert_layers.0.attention.dense"},
    {"blocks.{l}.norm1", "encoder.albert_layer_groups.{l}.albert_layers.0.attention.LayerNorm"},
    {"blocks.{l}.mlp.in", "encoder.albert_layer_groups.{l}.albert_layers.0.ffn"},
    {"blocks.{l}.mlp.out", "encoder.albert_layer_groups.{l}.albert_layers.0.ffn_output"},
    {"blocks.{l}.norm2", "encoder.albert_layer_groups.{l}.albert_layers.0.full_layer_layer_norm"},
    {"pooler", "pooler"},
};

std::span<const NameRule> head(Task) {
  static constexpr NameRule kRules[] = {
      {"head.dense", "predictions.dense"},
      {"head.norm", "predictions.LayerNorm"},
      {"head.bias", "predictions.bias"},
      {"head.logits", "classifier"},
  };
  return kRules;
}

constexpr std::string_view kIgnored[] = {"embeddings.position_ids", "predictions.*", "sop_classifier.*", "pooler.*",
                                         "classifier.*"};
constexpr Tie kTies[] = {{"predictions.decoder.weight", "embeddings.word_embeddings.weight"},
                         {"predictions.decoder.bias", "predictions.bias"}};

}  // namespace

const Family kAlbert{"albert", "albert.", parse, kBody, head, kIgnored, kTies};

}  // namespace glass
