// ELECTRA, Clark et al. 2020: BERT's body with embeddings of a width of their own, and no pooler.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"ElectraModel", Task::none},
    {"ElectraForPreTraining", Task::none},  // its replaced-token head is left out
    {"ElectraForMaskedLM", Task::masked_lm},
    {"ElectraForSequenceClassification", Task::sequence_classification},
    {"ElectraForTokenClassification", Task::token_classification},
};

Config parse(const JsonObject& json) {
  refuse_relative_positions(json);
  Config c = read_encoder(json, "electra", {30522, 256, 12, 4, 1024, 512, 2});
  c.embedding_size = json.integer("embedding_size", {1, 1 << 20}, 128);
  c.task = read_task(json, kArchitectures);
  c.pooling = Pooling::first_dense;
  c.pooling_activation = Activation::gelu;  // whatever hidden_act says
  c.head_activation = Activation::gelu;
  return c;
}

constexpr NameRule kMaskedLmRules[] = {
    {"head.dense", "generator_predictions.dense"},
    {"head.norm", "generator_predictions.LayerNorm"},
    {"head.bias", "generator_lm_head.bias"},
};

std::span<const NameRule> head(Task task) {
  if (task == Task::masked_lm) return kMaskedLmRules;
  return roberta_classifier(task);
}

constexpr std::string_view kIgnored[] = {
    "embeddings.position_ids", "generator_lm_head.*", "generator_predictions.*", "discriminator_predictions.*", "classifier.*",
};

constexpr Tie kTies[] = {{"generator_lm_head.weight", "embeddings.word_embeddings.weight"}};

}  // namespace

const Family kElectra{"electra", "electra.", parse, kBertBody, head, kIgnored, kTies};

}  // namespace glass
