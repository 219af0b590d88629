// Model: a config, its weights, and the forward that reads them.
#pragma once

#include <string>
#include <string_view>

#include "model/encoder.h"
#include "model/weights.h"

namespace glass {

struct Family;

class Model {
 public:
  // All weights zero. Throws what parse_config throws, and Error(out_of_memory) with an estimate where the weights would not
  // fit, before anything is allocated.
  explicit Model(std::string config_json, Layout layout = Layout::panels);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Config& config() const { return config_; }
  const std::string& config_json() const { return config_json_; }
  const Family& family() const { return family_; }
  Weights& weights() { return weights_; }
  const Weights& weights() const { return weights_; }

  // As transformers initialises these families: matrices and tables normal with the config's initializer_range, the padding
  // token's row zero, biases zero, norms one.
  void initialize(uint64_t seed);

  Output forward(const Context& cx, const Batch& batch, int recompute_every = 0) const {
    return encoder_.forward(cx, config_, batch, recompute_every);
  }

 private:
  const Parameter& ask(const std::string& name, Shape shape);

  std::string config_json_;
  Config config_;
  const Family& family_;
  Weights weights_;
  Encoder encoder_;  // views into weights_
};

}  // namespace glass
