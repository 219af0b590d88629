// What a model is run on, and what comes out.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/config.h"
#include "tensor/tensor.h"

namespace glass {

// Texts of one padded length. All [B, T], row by row.
struct Tokens {
  int64_t size = 0, length = 0;  // B, T
  std::vector<int32_t> ids = {};
  std::vector<int32_t> mask = {};   // 1 = real, 0 = padding; empty: all real
  std::vector<int32_t> types = {};  // segment of each token; empty: all 0
};

// What a model reads: its tokens, or the source's for an encoder–decoder.
struct Batch : Tokens {
  Batch() = default;
  Batch(int64_t size, int64_t length, std::vector<int32_t> ids, std::vector<int32_t> mask = {}, std::vector<int32_t> types = {},
        std::vector<int32_t> rows = {})
      : Tokens{size, length, std::move(ids), std::move(mask), std::move(types)}, rows(std::move(rows)) {}

  std::vector<int32_t> rows = {};  // positions (b·T + t) of the output at which a token-wise head is wanted; empty: everywhere
  Tokens target = {};              // what an encoder–decoder's decoder reads; of as many sequences
};

// Whether there is a last position: learned tables, and Marian's and Linformer's, have as many rows as max_positions.
bool positions_end(const Config& config);

// Throws Error(bad_input) naming the argument where something does not fit the model: an empty batch, array sizes that are
// not B·T, ids or types out of range, mask values other than 0 and 1, more tokens than there are positions after `past`
// earlier ones, a target where the model has none or the reverse; Error(unsupported) for more tokens than a sliding window.
void check(const Batch& batch, const Config& config, int64_t past = 0);

struct Output {
  Tensor logits;       // [B, T, V] or [B, T, labels]; [N, …] where rows were asked for; [B, labels] for a text's class
  Tensor last_hidden;  // [B, T, D], of the decoder where there is one
  Tensor encoder_last_hidden;  // [B, S, D] of an encoder–decoder
  Tensor pooled;               // [B, D] where the family has it
};

}  // namespace glass
