#include "model/batch.h"

#include <string>

#include "tensor/error.h"

namespace glass {
namespace {

void check_range(const char* name, const std::vector<int32_t>& values, int64_t length, int64_t end) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= end)
      throw Error(ErrorCode::bad_input, std::string(name) + ": expected values from 0 to " + std::to_string(end - 1) +
                                            ", got " + std::to_string(values[i]) + " in sequence " +
                                            std::to_string(static_cast<int64_t>(i) / length) + " at position " +
                                            std::to_string(static_cast<int64_t>(i) % length));
}

void check_count(const char* name, const std::vector<int32_t>& values, int64_t count, bool optional) {
  if (static_cast<int64_t>(values.size()) == count || (optional && values.empty())) return;
  throw Error(ErrorCode::bad_input, std::string(name) + ": expected " + std::to_string(count) +
                                        " values (sequences × length), got " + std::to_string(values.size()));
}

}  // namespace

void check(const Batch& batch, const Config& config) {
  if (batch.size < 1 || batch.length < 1)
    throw Error(ErrorCode::bad_input, "ids: expected at least one sequence of at least one token, got " +
                                          std::to_string(batch.size) + " of " + std::to_string(batch.length));
  if (config.positions == Positions::learned && batch.length > config.max_positions)
    throw Error(ErrorCode::bad_input, "ids: expected at most " + std::to_string(config.max_positions) +
                                          " tokens, the positions that this model has, got " + std::to_string(batch.length));
  const int64_t count = batch.size * batch.length;
  check_count("ids", batch.ids, count, false);
  check_count("mask", batch.mask, count, true);
  check_count("typeIds", batch.types, count, true);
  check_range("ids", batch.ids, batch.length, config.vocab_size);
  check_range("mask", batch.mask, batch.length, 2);
  check_range("typeIds", batch.types, batch.length, std::max<int64_t>(config.n_types, 1));
  check_range("rows", batch.rows, batch.length, count);
}

}  // namespace glass
