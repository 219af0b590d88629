// Matrix multiplication: C = A · B (+ bias), with B packed into column panels once and A read where it lies.
//
// Both operands are given with a stride for rows and one for columns, so the transposed products that a backward pass needs
// (dX = dY · W and dW = dYᵀ · X) are the same call. Every tile sums over k in the same order, so a result does not depend on
// which tile runs, on how many rows are asked for at once, or on which panel a column is in.
#pragma once

#include <cstddef>
#include <span>

namespace glass {

// Element (i, j) of a matrix lies at data[i · row + j · col].
struct Strided {
  const float* data;
  ptrdiff_t row, col;
};

// Computes `rows` × (the tile's columns) of C over k steps. `first` starts from `bias` (null: zeros), otherwise from C.
using MicroKernel = void (*)(size_t k, Strided a, const float* panel, const float* bias, bool first, float* c, size_t ldc);

// A register tile. micro[r − 1] computes r rows; panels are `cols` wide.
struct Tile {
  const char* name;  // such as "4x8"
  size_t rows, cols;
  const MicroKernel* micro;
};

// No tile of any binary is larger: sizes of buffers on the stack.
inline constexpr size_t kMaxTileRows = 16, kMaxTileCols = 64;

std::span<const Tile> tiles();  // those this binary has
const Tile& current_tile();     // the one in use: the first until chosen otherwise
// Times the tiles on a small product and keeps the fastest (some milliseconds, also warms the engine up). Call before
// anything is packed: panels packed for one tile cannot be read by another.
void choose_tile();
void set_tile(size_t index);  // for tests and benchmarks

// Floats that packing a [k, n] matrix takes: n rounded up to whole panels, times k.
size_t packed_size(size_t k, size_t n);
// Packs B [k, n] for the current tile; columns past n are zeros.
void pack(Strided b, size_t k, size_t n, float* packed);
// The element (i, j) of packed B [k, n] is at packed[packed_index(k, i, j)].
size_t packed_index(size_t k, size_t i, size_t j);
// Copies packed B [k, n] out to element (i, j) at out[i · row + j · col].
void unpack(const float* packed, size_t k, size_t n, float* out, ptrdiff_t row, ptrdiff_t col);

// C[m, n] = A[m, k] · B[k, n] + bias, B packed; with `accumulate` it adds to C and bias must be null. C has row stride ldc
// and must not overlap A or B. bias is [n] or null. k = 0 gives the bias (or leaves C as it is).
void gemm(size_t m, size_t n, size_t k, Strided a, const float* packed_b, const float* bias, float* c, size_t ldc,
          bool accumulate = false);
// The same for one row of A, reading B once, as fast as memory allows.
void gemv(size_t n, size_t k, const float* x, const float* packed_b, const float* bias, float* y);

// The reference: three loops, nothing packed.
void gemm_reference(size_t m, size_t n, size_t k, Strided a, Strided b, const float* bias, float* c, size_t ldc,
                    bool accumulate = false);

}  // namespace glass
