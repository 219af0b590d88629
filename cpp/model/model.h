// Model: a config, its weights, and the forward that reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/transformer.h"
#include "model/weights.h"

namespace glass {

struct Family;

// When a model's weights get their memory.
enum class Allocation {
  now,
  later,  // by weights().allocate(): of a checkpoint, once its files are known to fit
};

class Model {
 public:
  // All weights zero. Throws what parse_config throws, and Error(out_of_memory) with an estimate where the weights would not
  // fit, before anything is allocated.
  explicit Model(std::string config_json, Layout layout = Layout::panels, Allocation allocation = Allocation::now);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Config& config() const { return config_; }
  const std::string& config_json() const { return config_json_; }
  const Family& family() const { return family_; }
  Weights& weights() { return weights_; }
  const Weights& weights() const { return weights_; }

  // As transformers initialises these families: matrices and tables normal with the config's initializer_range or the family's
  // own spread, the padding token's row zero where the family has it so, biases zero, norms one.
  void initialize(uint64_t seed);

  // See Transformer::forward.
  Output forward(const Context& cx, const Batch& batch, int recompute_every = 0, DecoderState* state = nullptr) const {
    return transformer_.forward(cx, config_, batch, recompute_every, state);
  }
  // An empty state for generating up to `capacity` tokens, the prompt's among them. Throws Error(bad_input) for a model
  // without a decoder.
  DecoderState make_state(Arena& arena, int64_t capacity) const;

 private:
  const Parameter& ask(const std::string& name, Shape shape);

  std::string config_json_;
  Config config_;
  const Family& family_;
  Weights weights_;
  std::vector<std::string> own_names_;  // of the parameters, as the layers ask for them
  Transformer transformer_;             // views into weights_
};

}  // namespace glass
