// The loops around the micro-kernel.
//
// For each block of k, for each group of panels that the second cache can hold, for each tile of rows: all panels of the
// group. The tile's rows of A then stay in the first cache while B streams past. Goto & van de Geijn 2008, with the parts of
// A and B exchanged because B is the one that is packed. A is read where it lies: copying a tile's rows together first cost
// more than it saved for every shape measured but strides of 8 KB, transposed A included.
#include "kernels/gemm.h"

#include <algorithm>
#include <cstring>

#include "kernels/simd.h"

namespace glass {
namespace {

constexpr size_t kBlockK = 512;             // a tile's rows of A then fit the first cache
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

struct Product {
  size_t m, n;
  const float* bias;
  float* c;
  size_t ldc;
};

// One block of k times one group of panels, columns [j0, j1) of C. `a` is the block's part of A; `panels` starts at the block's
// first row in panel 0, and panels are `panel_stride` apart.
void multiply_block(const Tile& tile, const Product& product, size_t j0, size_t j1, size_t depth, Strided a,
                    const float* panels, size_t panel_stride, bool first) {
  // Rows are dealt out evenly, since a tile with few of them waits for its own additions.
  const size_t row_tiles = (product.m + tile.rows - 1) / tile.rows;
  for (size_t t = 0, i = 0; t < row_tiles; ++t) {
    const size_t rows = product.m / row_tiles + (t < product.m % row_tiles);
    for (size_t j = j0; j < j1; j += tile.cols) {
      const float* panel = panels + j / tile.cols * panel_stride;
      const float* bias = product.bias ? product.bias + j : nullptr;
      float* c = product.c + i * product.ldc + j;
      if (j + tile.cols <= product.n) {
        run(tile.micro[rows - 1], depth, a, panel, bias, first, c, product.ldc);
      } else {
        run_narrow(tile, rows, product.n - j, depth, a, panel, bias, first, c, product.ldc);
      }
    }
    i += rows;
    a.data += static_cast<ptrdiff_t>(rows) * a.row;
  }
}

}  // namespace

void gemm(size_t m, size_t n, size_t k, Strided a, const float* packed_b, const float* bias, float* c, size_t ldc,
          bool accumulate) {
  if (m == 1 && a.col == 1 && !accumulate) return gemv(n, k, a.data, packed_b, bias, c);
  const Tile& tile = current_tile();
  const Product product{m, n, bias, c, ldc};
  const size_t blocks = std::max<size_t>(1, (k + kBlockK - 1) / kBlockK);
  const size_t block = (k + blocks - 1) / blocks;
  const size_t group = std::max<size_t>(1, kGroupFloats / std::max<size_t>(1, block * tile.cols)) * tile.cols;
  size_t p = 0;
  do {  // once even for k = 0, which leaves the bias
    const size_t depth = std::min(block, k - p);
    const Strided part{a.data + static_cast<ptrdiff_t>(p) * a.col, a.row, a.col};
    for (size_t j = 0; j < n; j += group) {
      multiply_block(tile, product, j, std::min(n, j + group), depth, part, packed_b + p * tile.cols, k * tile.cols,
                     p == 0 && !accumulate);
    }
    p += depth;
  } while (p < k);
}

}  // namespace glass
