// Tiny models for tests that need no reference values.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/model.h"

namespace glass::testing {

// A config of our own family, for token classification with four classes; `changes` replaces and adds keys, null removes one.
inline std::string tiny_config(const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json config = {{"model_type", "glassformer"},
                           {"architectures", {"GlassformerForTokenClassification"}},
                           {"vocab_size", 13},
                           {"hidden_size", 12},
                           {"num_hidden_layers", 2},
                           {"num_attention_heads", 3},
                           {"intermediate_size", 20},
                           {"num_labels", 4},
                           {"norm_first", true},
                           {"hidden_dropout_prob", 0.0},
                           {"attention_probs_dropout_prob", 0.0},
                           {"classifier_dropout", 0.0},
                           {"initializer_range", 0.3}};
  for (const auto& [key, value] : changes.items()) {
    config.erase(key);
    if (!value.is_null()) config[key] = value;
  }
  return config.dump();
}

// The same with BERT's embeddings and a masked-LM head.
inline std::string tiny_bert(const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json all = {{"model_type", "bert"},  {"architectures", {"BertForMaskedLM"}}, {"norm_first", nullptr},
                        {"num_labels", nullptr}, {"max_position_embeddings", 16},        {"type_vocab_size", 2}};
  for (const auto& [key, value] : changes.items()) all[key] = value;
  return tiny_config(all);
}

inline std::unique_ptr<Model> tiny_model(const std::string& config, uint64_t seed = 1, Layout layout = Layout::panels) {
  auto model = std::make_unique<Model>(config, layout);
  model->initialize(seed);
  return model;
}

inline std::vector<float> values_of(const Parameter& p) {
  std::vector<float> values(p.size());
  copy_out(p, values.data());
  return values;
}

inline std::vector<float> values_of(const Tensor& x) { return {x.data(), x.data() + x.size()}; }

// Every parameter's values one after the other, at their offsets.
inline std::vector<float> weights_of(const Model& model) {
  std::vector<float> values(model.weights().size());
  for (const Parameter& p : model.weights().parameters()) copy_out(p, values.data() + p.offset);
  return values;
}

}  // namespace glass::testing
