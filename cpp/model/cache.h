// What a decoder keeps between the steps of a generation, so that a step computes its own tokens only: keys and values of
// past tokens, and for encoder–decoders the encoder's output with its keys and values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor/tensor.h"

namespace glass {

// Keys and values of one layer. [B, capacity, Hkv, K] each, of which the first `length` positions are filled.
struct LayerCache {
  Tensor keys, values;
  int64_t length = 0;

  // Puts [B, N, Hkv, K] behind what is there. Throws Error(bad_input) where there is no room.
  void append(const Tensor& new_keys, const Tensor& new_values);
};

class DecoderState {
 public:
  // Room for `capacity` tokens of one sequence in each of `layers` layers. Throws Error(out_of_memory) where it cannot be had.
  DecoderState(Arena& arena, int64_t layers, int64_t key_heads, int64_t head_size, int64_t capacity);

  int64_t length() const { return self_.empty() ? 0 : self_.front().length; }  // past tokens
  int64_t sequences() const { return self_.empty() ? 1 : self_.front().keys.dim(0); }
  int64_t capacity() const { return capacity_; }
  size_t bytes() const;  // of all that is kept

  LayerCache& self(size_t layer) { return self_[layer]; }
  LayerCache& cross(size_t layer) { return cross_[layer]; }

  // The sequences go on from those numbered `parents`, as many as there are: {0, 0, 0} makes three of one, {2, 0, 0} goes on
  // with the third and twice with the first. What comes from the encoder is shared by all and stays.
  void select(std::span<const int32_t> parents);

  // The encoder's output and what of it is padding; empty before the first step.
  Tensor memory;  // [1, S, D]
  std::vector<int32_t> memory_real;

 private:
  Arena& arena_;
  int64_t capacity_;
  std::vector<LayerCache> self_, cross_;
};

// What the state of `sequences` sequences takes, in bytes, for checks before anything is allocated.
size_t decoder_state_bytes(int64_t layers, int64_t key_heads, int64_t head_size, int64_t capacity, int64_t sequences);

}  // namespace glass
