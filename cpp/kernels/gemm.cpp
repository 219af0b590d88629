// The loops around the micro-kernel.
//
// For each block of k, for each group of panels that the second cache can hold, for each tile of rows: all panels of the
// group. The tile's rows of A then stay in the first cache while B streams past. Goto & van de Geijn 2008, with the parts of
// A and B exchanged because B is the one that is packed.
#include "kernels/gemm.h"

#include <algorithm>
#include <cstring>

#include "kernels/simd.h"

namespace glass {
namespace {

constexpr size_t kBlockK = 512;             // so that a tile's rows of A take at most 32 KB
constexpr size_t kGroupFloats = 64 * 1024;  // 256 KB of B

// Calls the micro-kernel so that no optimizer sees which one it is. A tile must stay a function of its own: wasm engines
// compile function by function, and one large function with the loops in it would run its whole first call unoptimized.
void run(MicroKernel kernel, size_t k, Strided a, const float* panel, const float* bias, bool first, float* c, size_t ldc) {
  asm volatile("" : "+r"(kernel));
  kernel(k, a, panel, bias, first, c, ldc);
}

// The last panel is wider than what is left of C: works on a copy with the panel's full width.
void run_narrow(const Tile& tile, size_t rows, size_t width, size_t k, Strided a, const float* panel, const float* bias,
                bool first, float* c, size_t ldc) {
  float copy[kMaxTileRows * kMaxTileCols];
  float wide_bias[kMaxTileCols] = {};
  if (bias) std::memcpy(wide_bias, bias, width * sizeof(float));
  if (!first) {
    for (size_t i = 0; i < rows; ++i) {
      std::memcpy(copy + i * tile.cols, c + i * ldc, width * sizeof(float));
      std::fill(copy + i * tile.cols + width, copy + (i + 1) * tile.cols, 0.0f);
    }
  }
  run(tile.micro[rows - 1], k, a, panel, wide_bias, first, copy, tile.cols);
  for (size_t i = 0; i < rows; ++i) std::memcpy(c + i * ldc, copy + i * tile.cols, width * sizeof(float));
}

// Rows of A, [rows, k], laid out [k, rows]: what a tile reads in one step lies together.
void pack_rows_of_a(Strided a, size_t rows, size_t k, float* packed) {
  for (size_t p = 0; p < k; ++p) {
    const float* from = a.data + static_cast<ptrdiff_t>(p) * a.col;
    for (size_t r = 0; r < rows; ++r) packed[p * rows + r] = from[static_cast<ptrdiff_t>(r) * a.row];
  }
}

}  // namespace

void gemm(size_t m, size_t n, size_t k, Strided a, const float* packed_b, const float* bias, float* c, size_t ldc,
          bool accumulate) {
  if (m == 0 || n == 0) return;
  if (m == 1 && a.col == 1 && !accumulate) return gemv(n, k, a.data, packed_b, bias, c);
  const Tile& tile = current_tile();
  // Rows are dealt out evenly, since a tile with few of them waits for its own additions.
  const size_t row_tiles = (m + tile.rows - 1) / tile.rows;
  const size_t blocks = std::max<size_t>(1, (k + kBlockK - 1) / kBlockK);
  const size_t block = (k + blocks - 1) / blocks;
  const size_t group = std::max<size_t>(1, kGroupFloats / std::max<size_t>(1, block * tile.cols)) * tile.cols;
  // Columns of A far apart would take a cache line, or a page, for each step of k: such rows are brought together first,
  // if there is more than one panel to use them for.
  const bool copy_rows = a.col != 1 && n > tile.cols;
  float rows_of_a[kMaxTileRows * kBlockK];

  for (size_t p = 0, depth; p == 0 || p < k; p += depth) {
    depth = std::min(block, k - p);
    const bool first = p == 0 && !accumulate;
    for (size_t j0 = 0; j0 < n; j0 += group) {
      const size_t j1 = std::min(n, j0 + group);
      for (size_t t = 0, i = 0, rows; t < row_tiles; ++t, i += rows) {
        rows = m / row_tiles + (t < m % row_tiles);
        Strided part{a.data + static_cast<ptrdiff_t>(i) * a.row + static_cast<ptrdiff_t>(p) * a.col, a.row, a.col};
        if (copy_rows) {
          pack_rows_of_a(part, rows, depth, rows_of_a);
          part = {rows_of_a, 1, static_cast<ptrdiff_t>(rows)};
        }
        for (size_t j = j0; j < j1; j += tile.cols) {
          const float* panel = packed_b + j * k + p * tile.cols;
          const float* b = bias ? bias + j : nullptr;
          if (j + tile.cols <= n) {
            run(tile.micro[rows - 1], depth, part, panel, b, first, c + i * ldc + j, ldc);
          } else {
            run_narrow(tile, rows, n - j, depth, part, panel, b, first, c + i * ldc + j, ldc);
          }
        }
      }
    }
    if (k == 0) break;
  }
}

}  // namespace glass
