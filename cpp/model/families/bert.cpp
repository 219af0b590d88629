// BERT, Devlin et al. 2019: post-norm, learned positions, segments, a pooler over [CLS].
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"BertModel", Task::none},
    {"BertForMaskedLM", Task::masked_lm},
    {"BertForPreTraining", Task::masked_lm},  // its next-sentence head is left out
    {"BertForSequenceClassification", Task::sequence_classification},
    {"BertForTokenClassification", Task::token_classification},
};

Config parse(const JsonObject& json) {
  refuse_relative_positions(json);
  Config c = read_encoder(json, "bert", {30522, 768, 12, 12, 3072, 512, 2});
  c.task = read_task(json, kArchitectures);
  c.pooler = c.task == Task::none || c.task == Task::sequence_classification;
  c.head_activation = c.activation;
  return c;
}

constexpr std::string_view kIgnored[] = {
    "embeddings.position_ids",
    "cls.predictions.decoder.weight",
    "cls.predictions.decoder.bias",
    "cls.seq_relationship.*",
    "cls.predictions.*",
    "pooler.dense.*",
    "classifier.*",
};

constexpr Tie kTies[] = {
    {"cls.predictions.decoder.weight", "embeddings.word_embeddings.weight"},
    {"cls.predictions.decoder.bias", "cls.predictions.bias"},
};

}  // namespace

const Family kBert{"bert", "bert.", parse, kBertBody, bert_head, kIgnored, kTies};

}  // namespace glass
