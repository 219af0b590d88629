// What a model was run on when the values of a checkpoint folder's expected.safetensors were made.
#pragma once

#include <string>

#include "cpp/support/golden.h"
#include "model/batch.h"

namespace glass::testing {

// The inputs of one run; `run` is "run0.". A target is there where the file has decoder_input_ids.
inline Batch batch_of(const Golden& file, const std::string& run) {
  const auto read = [&](const std::string& side, Tokens& tokens) {
    if (!file.has(run + side + "input_ids")) return;
    const GoldenTensor& ids = file.at(run + side + "input_ids");
    tokens.size = ids.shape[0];
    tokens.length = ids.shape[1];
    tokens.ids = ids.ints();
    if (file.has(run + side + "attention_mask")) tokens.mask = file.at(run + side + "attention_mask").ints();
  };
  Batch batch;
  read("", batch);
  read("decoder_", batch.target);
  if (file.has(run + "token_type_ids")) batch.types = file.at(run + "token_type_ids").ints();
  return batch;
}

// One sequence of right-padded tokens without its padding.
inline Tokens alone(const Tokens& tokens, int64_t b) {
  const auto row = [&](const std::vector<int32_t>& values) {
    const auto begin = values.begin() + b * tokens.length;
    return values.empty() ? values : std::vector<int32_t>(begin, begin + tokens.length);
  };
  Tokens one{1, 0, row(tokens.ids), {}, row(tokens.types)};
  for (const int32_t real : row(tokens.mask)) one.length += real;
  if (tokens.mask.empty()) one.length = tokens.length;
  one.ids.resize(static_cast<size_t>(one.length));
  if (!one.types.empty()) one.types.resize(static_cast<size_t>(one.length));
  return one;
}

}  // namespace glass::testing
