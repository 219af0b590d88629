// RoBERTa, Liu et al. 2019: BERT with positions counted from the ids that are not padding.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"RobertaModel", Task::none},
    {"RobertaForMaskedLM", Task::masked_lm},
    {"RobertaForSequenceClassification", Task::sequence_classification},
    {"RobertaForTokenClassification", Task::token_classification},
};

Config parse(const JsonObject& json) {
  refuse_relative_positions(json);
  Config c = read_encoder(json, "roberta", {50265, 768, 12, 12, 3072, 512, 2});
  c.task = read_task(json, kArchitectures);
  c.pad_id = read_token(json, "pad_token_id", c.vocab_size, 1);
  c.position_ids = PositionIds::ids;
  c.position_offset = c.pad_id + 1;
  c.max_positions -= c.position_offset;
  if (c.max_positions < 1)
    refuse(json, "max_position_embeddings", "more than " + std::to_string(c.position_offset) + ", pad_token_id + 1");
  c.pooler = c.task == Task::none;
  c.pooling = Pooling::first_dense;
  c.head_activation = Activation::gelu;  // whatever hidden_act says
  return c;
}

constexpr NameRule kMaskedLmRules[] = {
    {"head.dense", "lm_head.dense"},
    {"head.norm", "lm_head.layer_norm"},
    {"head.bias", "lm_head.bias"},
};

std::span<const NameRule> head(Task task) {
  if (task == Task::masked_lm) return kMaskedLmRules;
  return roberta_classifier(task);
}

constexpr std::string_view kIgnored[] = {"embeddings.position_ids", "embeddings.token_type_ids", "lm_head.*", "pooler.dense.*",
                                         "classifier.*"};
constexpr Tie kTies[] = {{"lm_head.decoder.weight", "embeddings.word_embeddings.weight"},
                         {"lm_head.decoder.bias", "lm_head.bias"}};

}  // namespace

std::span<const NameRule> roberta_classifier(Task task) {
  static constexpr NameRule kTextRules[] = {{"head.dense", "classifier.dense"}, {"head.logits", "classifier.out_proj"}};
  static constexpr NameRule kTokenRules[] = {{"head.logits", "classifier"}};
  if (task == Task::sequence_classification) return kTextRules;
  return kTokenRules;
}

const Family kRoberta{"roberta", "roberta.", parse, kBertBody, head, kIgnored, kTies};

}  // namespace glass
