// Panels: how B is laid out for the tiles, and the way back.
//
// A panel holds the tile's `cols` columns of B, row after row: the micro-kernel reads it from start to end. Panels follow
// one another; the last is filled up with zeros.
#include <algorithm>
#include <cstring>

#include "kernels/gemm.h"
#include "kernels/simd.h"

namespace glass {
namespace {

const float* at(Strided s, size_t i, size_t j) {
  return s.data + static_cast<ptrdiff_t>(i) * s.row + static_cast<ptrdiff_t>(j) * s.col;
}

// Rows of B are contiguous: copies.
void pack_rows(Strided b, size_t k, size_t width, size_t cols, float* panel) {
  for (size_t i = 0; i < k; ++i) {
    const float* from = at(b, i, 0);
    float* to = panel + i * cols;
    if (width == cols) {
      for (size_t j = 0; j < cols; j += vec::kLanes) vec::store(to + j, vec::load(from + j));
    } else {
      std::memcpy(to, from, width * sizeof(float));
    }
  }
}

// Anything else, one by one.
void pack_any(Strided b, size_t rows, size_t width, size_t cols, float* panel) {
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < width; ++j) panel[i * cols + j] = *at(b, i, j);
  }
}

// Columns of B are contiguous: 4 × 4 transposes. Sixteen rows at a time, so that each cache line is used up before the next
// column asks for its place in the cache.
void pack_columns(Strided b, size_t k, size_t width, size_t cols, float* panel) {
  constexpr size_t kLine = 16;
  const size_t whole_cols = width - width % 4, whole_rows = k - k % 4;
  for (size_t i0 = 0; i0 < whole_rows; i0 += kLine) {
    const size_t i1 = std::min(i0 + kLine, whole_rows);
    for (size_t j = 0; j < whole_cols; j += 4) {
      for (size_t i = i0; i < i1; i += 4) {
        const float* from = at(b, i, j);
        vec::Four r0 = vec::load_four(from), r1 = vec::load_four(from + b.col), r2 = vec::load_four(from + 2 * b.col),
                  r3 = vec::load_four(from + 3 * b.col);
        vec::transpose(r0, r1, r2, r3);
        float* to = panel + i * cols + j;
        vec::store_four(to, r0);
        vec::store_four(to + cols, r1);
        vec::store_four(to + 2 * cols, r2);
        vec::store_four(to + 3 * cols, r3);
      }
    }
  }
  pack_any({at(b, 0, whole_cols), b.row, b.col}, whole_rows, width - whole_cols, cols, panel + whole_cols);
  pack_any({at(b, whole_rows, 0), b.row, b.col}, k - whole_rows, width, cols, panel + whole_rows * cols);
}

}  // namespace

size_t packed_size(size_t k, size_t n) {
  const size_t cols = current_tile().cols;
  return (n + cols - 1) / cols * cols * k;
}

size_t packed_index(size_t k, size_t i, size_t j) {
  const size_t cols = current_tile().cols;
  return j / cols * cols * k + i * cols + j % cols;
}

void pack(Strided b, size_t k, size_t n, float* packed) {
  const size_t cols = current_tile().cols;
  for (size_t j = 0; j < n; j += cols, packed += k * cols) {
    const size_t width = std::min(cols, n - j);
    if (width < cols) std::fill(packed, packed + k * cols, 0.0f);
    const Strided part{at(b, 0, j), b.row, b.col};
    if (b.col == 1) {
      pack_rows(part, k, width, cols, packed);
    } else if (b.row == 1) {
      pack_columns(part, k, width, cols, packed);
    } else {
      pack_any(part, k, width, cols, packed);
    }
  }
}

void unpack(const float* packed, size_t k, size_t n, float* out, ptrdiff_t row, ptrdiff_t col) {
  const size_t cols = current_tile().cols;
  for (size_t j = 0; j < n; j += cols, packed += k * cols) {
    const size_t width = std::min(cols, n - j);
    for (size_t i = 0; i < k; ++i) {
      float* to = out + static_cast<ptrdiff_t>(i) * row + static_cast<ptrdiff_t>(j) * col;
      for (size_t c = 0; c < width; ++c) to[static_cast<ptrdiff_t>(c) * col] = packed[i * cols + c];
    }
  }
}

}  // namespace glass
