#include "model/batch.h"

#include <algorithm>
#include <string>

#include "tensor/error.h"

namespace glass {
namespace {

void check_range(const char* name, const std::vector<int32_t>& values, int64_t length, int64_t end) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= end)
      throw_error(ErrorCode::bad_input, {name, ": expected values from 0 to ", end - 1, ", got ", values[i], " in sequence ",
                                         static_cast<int64_t>(i) / length, " at position ", static_cast<int64_t>(i) % length});
}

void check_count(const char* name, const std::vector<int32_t>& values, int64_t count, bool optional) {
  if (static_cast<int64_t>(values.size()) == count || (optional && values.empty())) return;
  throw_error(ErrorCode::bad_input, {name, ": expected ", count, " values (sequences × length), got ", values.size()});
}

// One side of a batch. `ids` and `mask` are its arguments' names.
void check_tokens(const Tokens& tokens, const Config& config, const char* ids, const char* mask, int64_t past) {
  const std::string name(ids);
  if (tokens.size < 1 || tokens.length < 1)
    throw_error(ErrorCode::bad_input,
                {name, ": expected at least one sequence of at least one token, got ", tokens.size, " of ", tokens.length});
  const int64_t length = past + tokens.length;
  if (positions_end(config) && length > config.max_positions)
    throw_error(ErrorCode::bad_input, {name, ": expected at most ", config.max_positions,
                                       " tokens, the positions that this model has, got ", length});
  if (config.sliding_window > 0 && length > config.sliding_window)
    throw_error(ErrorCode::unsupported, {name, ": sliding_window ", config.sliding_window,
                                         " is shorter than the text; expected at most as many tokens, got ", length});
  const int64_t count = tokens.size * tokens.length;
  check_count(ids, tokens.ids, count, false);
  check_count(mask, tokens.mask, count, true);
  check_range(ids, tokens.ids, tokens.length, config.vocab_size);
  check_range(mask, tokens.mask, tokens.length, 2);
}

}  // namespace

bool positions_end(const Config& config) {
  return config.positions == Positions::learned || config.positions == Positions::sinusoidal_halves ||
         config.attention == AttentionKind::linformer;
}

void check(const Batch& batch, const Config& config, int64_t past) {
  const bool two_sides = config.kind == Kind::encoder_decoder;
  check_tokens(batch, config, "ids", "mask", two_sides ? 0 : past);
  const int64_t count = batch.size * batch.length;
  check_count("typeIds", batch.types, count, true);
  check_range("typeIds", batch.types, batch.length, std::max<int64_t>(config.n_types, 1));
  if (two_sides) {
    if (batch.target.size == 0)
      throw_error(ErrorCode::bad_input, {"decoderIds: expected what the decoder of this encoder–decoder reads, got nothing"});
    check_tokens(batch.target, config, "decoderIds", "decoderMask", past);
    if (past == 0 && batch.target.size != batch.size)
      throw_error(ErrorCode::bad_input,
                  {"decoderIds: expected as many sequences as ids, ", batch.size, ", got ", batch.target.size});
  } else if (batch.target.size != 0) {
    throw_error(ErrorCode::bad_input, {"decoderIds: expected none, as this model has one side only"});
  }
  const Tokens& output = two_sides ? batch.target : batch;
  check_range("rows", batch.rows, output.length, output.size * output.length);
}

}  // namespace glass
