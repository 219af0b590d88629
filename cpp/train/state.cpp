// Saving and restoring a trainer: blocks of values at the parameters' offsets, as one safetensors file.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "io/safetensors.h"
#include "tensor/error.h"
#include "train/trainer.h"

namespace glass {
namespace {

std::vector<float> all_weights(const Model& model) {
  std::vector<float> values(model.weights().size());
  for (const Parameter& p : model.weights().parameters()) copy_out(p, values.data() + p.offset);
  return values;
}

}  // namespace

std::vector<uint8_t> Trainer::state() const {
  const std::vector<float> counters = {static_cast<float>(step_), static_cast<float>(averaged_steps_)};
  const std::vector<float> weights = all_weights(model_);
  std::map<std::string, const std::vector<float>*> blocks = {{"counters", &counters},
                                                             {"weights", &weights},
                                                             {"first_moments", &optimizer_.first_moments()},
                                                             {"second_moments", &optimizer_.second_moments()}};
  if (!average_.empty()) blocks["average"] = &average_;
  std::vector<TensorEntry> entries;
  for (const auto& [name, values] : blocks) entries.push_back({name, DType::f32, {static_cast<int64_t>(values->size())}, 0, 0});
  std::vector<uint8_t> file = write_header(entries);
  for (const TensorEntry& entry : entries) {
    file.resize(entry.end);
    from_float(DType::f32, *blocks.at(entry.name), std::span(file).subspan(entry.begin, entry.end - entry.begin), entry.name);
  }
  return file;
}

void Trainer::restore(std::span<const uint8_t> state) {
  std::map<std::string, std::vector<float>> blocks;
  for (const TensorEntry& entry : read_header(state, state.size(), "training state")) {
    std::vector<float>& values = blocks[entry.name];
    values.resize(entry.count());
    to_float(entry.dtype, state.subspan(entry.begin, entry.end - entry.begin), values, entry.name);
  }
  const size_t size = model_.weights().size();
  const auto take = [&](const char* name, size_t expected) -> std::vector<float>& {
    std::vector<float>& values = blocks[name];
    if (values.size() != expected)
      throw_error(ErrorCode::bad_weights,
                  {"training state: expected ", expected, " values of \"", name, "\", got ", values.size()});
    return values;
  };
  const std::vector<float>& counters = take("counters", 2);
  for (const float counter : counters)
    if (!(counter >= 0 && counter < 1 << 24 && counter == std::floor(counter)))
      throw_error(ErrorCode::bad_weights, {"training state: expected whole counters, got ", static_cast<double>(counter)});
  const std::vector<float>& weights = take("weights", size);
  std::vector<float>&m = take("first_moments", size), &v = take("second_moments", size);
  average_ = blocks.count("average") ? take("average", size) : std::vector<float>();
  for (Parameter& p : model_.weights().parameters()) copy_in(p, weights.data() + p.offset);
  optimizer_.first_moments() = std::move(m);
  optimizer_.second_moments() = std::move(v);
  step_ = static_cast<int64_t>(counters[0]);
  averaged_steps_ = static_cast<int64_t>(counters[1]);
}

}  // namespace glass
