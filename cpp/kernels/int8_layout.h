// How weights of eight bits lie in memory, for the files of int8.h.
//
// Four rows are a group. Of each block of columns a group has four scales (floats), then for every eight columns eight bytes of
// each row in turn. Columns are filled up to a multiple of eight with zeros, rows to a multiple of four. The product reads a
// group from start to end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/int8.h"

namespace glass::int8_layout {

inline constexpr size_t kStep = 8;  // columns that lie together
static_assert(kInt8Block % kStep == 0 && kInt8Block <= 512, "sums of a block have to fit 32 bits");

inline size_t padded(size_t k) { return (k + kStep - 1) / kStep * kStep; }
inline size_t group_bytes(size_t k) {
  return (k + kInt8Block - 1) / kInt8Block * kInt8Rows * sizeof(float) + kInt8Rows * padded(k);
}

// Calls visit(first column, columns, scale's place, first byte of the row) for each block of row i. The row's number j of that
// block is at byte[j / kStep · kInt8Rows · kStep + j % kStep].
template <class Byte, class Visit>
void each_block(Byte* packed, size_t k, size_t i, Visit&& visit) {
  Byte* at = packed + i / kInt8Rows * group_bytes(k);
  const size_t lane = i % kInt8Rows;
  for (size_t first = 0; first < k; first += kInt8Block) {
    const size_t columns = std::min(kInt8Block, k - first);
    Byte* const scales = at;
    at += kInt8Rows * sizeof(float);
    visit(first, columns, scales + lane * sizeof(float), at + lane * kStep);
    at += kInt8Rows * padded(columns);
  }
}
inline size_t place(size_t j) { return j / kStep * kInt8Rows * kStep + j % kStep; }

inline float scale_at(const int8_t* place) {
  float scale;
  std::memcpy(&scale, place, sizeof scale);
  return scale;
}

}  // namespace glass::int8_layout
