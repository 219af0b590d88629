// Our own family: the encoder of Vaswani et al. 2017 with its choices as config keys. BERT's keys and tensor names, and
// norm_first, final_norm, embedding_norm, embedding_scale, position_embedding_type ("sinusoidal", "learned"), pooling
// ("mean", "first") and embedding_size.
#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"GlassformerModel", Task::none},
    {"GlassformerForMaskedLM", Task::masked_lm},
    {"GlassformerForSequenceClassification", Task::sequence_classification},
    {"GlassformerForTokenClassification", Task::token_classification},
};

// Whether `key` has the first of two spellings; anything else than these is refused.
bool choose(const JsonObject& json, std::string_view key, std::string_view first, std::string_view second) {
  const std::string value = json.string(key, first);
  if (value == first || value == second) return value == first;
  throw Error(ErrorCode::unsupported, json.where() + ": " + std::string(key) + " " + json.shown(key) +
                                          " is not supported, expected \"" + std::string(first) + "\" or \"" +
                                          std::string(second) + "\"");
}

Config parse(const JsonObject& json) {
  Config c = read_encoder(json, "glassformer", {8000, 128, 2, 4, 512, 512, 0});
  c.embedding_size = json.integer("embedding_size", {1, 1 << 20}, c.hidden_size);
  c.task = read_task(json, kArchitectures);
  c.norm_first = json.boolean("norm_first", false);
  c.final_norm = json.boolean("final_norm", c.norm_first);
  c.embedding_norm = json.boolean("embedding_norm", false);
  c.embedding_scale = json.boolean("embedding_scale", true);
  c.positions = choose(json, "position_embedding_type", "sinusoidal", "learned") ? Positions::sinusoidal : Positions::learned;
  c.pooling = choose(json, "pooling", "mean", "first") ? Pooling::mean : Pooling::first;
  c.head_activation = c.activation;
  return c;
}

}  // namespace

const Family kGlassformer{"glassformer", "", parse, kBertBody, bert_head, {}, {}};

}  // namespace glass
