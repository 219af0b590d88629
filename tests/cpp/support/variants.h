// What the tests of our own family's variants share: configs of its decoders, texts, recorded values.
#pragma once

#include <stdexcept>
#include <string>

#include "cpp/support/tiny.h"
#include "trace/trace.h"

namespace glass::testing {

inline std::string causal_config(nlohmann::json changes = {}) {
  changes["architectures"] = {"GlassformerForCausalLM"};
  changes["num_labels"] = nullptr;
  return tiny_config(changes);
}

inline std::string both_config(nlohmann::json changes = {}) {
  changes["architectures"] = {"GlassformerForConditionalGeneration"};
  changes["num_labels"] = nullptr;
  return tiny_config(changes);
}

inline Batch text(int64_t length, uint64_t seed = 3) {
  Batch batch;
  batch.size = 1;
  batch.length = length;
  Random random(seed);
  for (int64_t t = 0; t < length; ++t) batch.ids.push_back(1 + static_cast<int32_t>(random.bits() % 12));
  return batch;
}

inline Tensor recorded(Trace& trace, const std::string& name) {
  for (const Recorded& r : trace.recorded())
    if (r.name == name) return r.value;
  throw std::runtime_error("nothing recorded as " + name);
}

}  // namespace glass::testing
