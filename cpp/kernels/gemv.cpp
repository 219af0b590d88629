// One row of A: every element of B is used once, so all that counts is to keep the reads coming.
//
// A panel alone has too few sums for the additions to overlap, so several go side by side, each read from start to end: six to
// eight sums, since V8 spills nine.
#include <algorithm>
#include <cstring>

#include "kernels/gemm.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using vec::Floats;
using vec::kLanes;

// y[P panels] = bias + x · those panels. Each column has one sum, taken in the order of k: the same bits as a tile's.
template <size_t V, size_t P>
void panels(size_t k, const float* x, const float* b, const float* bias, float* y) {
  constexpr size_t kCols = V * kLanes;
  Floats sums[P][V];
  for (size_t p = 0; p < P; ++p) {
    for (size_t v = 0; v < V; ++v) sums[p][v] = vec::load(bias + p * kCols + v * kLanes);
  }
  for (size_t i = 0; i < k; ++i, b += kCols) {
    const Floats x_i = vec::splat(x[i]);
    for (size_t p = 0; p < P; ++p) {
      for (size_t v = 0; v < V; ++v) {
        sums[p][v] = vec::multiply_add(x_i, vec::load(b + p * k * kCols + v * kLanes), sums[p][v]);
      }
    }
  }
  for (size_t p = 0; p < P; ++p) {
    for (size_t v = 0; v < V; ++v) vec::store(y + p * kCols + v * kLanes, sums[p][v]);
  }
}

template <size_t V>
void gemv_with(size_t n, size_t k, const float* x, const float* b, const float* bias, float* y) {
  constexpr size_t kCols = V * kLanes, kTogether = V == 2 ? 4 : 2;
  static constexpr float kZeros[kTogether * kCols] = {};
  size_t j = 0;
  for (; j + kTogether * kCols <= n; j += kTogether * kCols) {
    panels<V, kTogether>(k, x, b + j * k, bias ? bias + j : kZeros, y + j);
  }
  for (; j + kCols <= n; j += kCols) panels<V, 1>(k, x, b + j * k, bias ? bias + j : kZeros, y + j);
  if (j < n) {
    float wide_bias[kCols] = {}, wide_y[kCols];
    if (bias) std::memcpy(wide_bias, bias + j, (n - j) * sizeof(float));
    panels<V, 1>(k, x, b + j * k, wide_bias, wide_y);
    std::memcpy(y + j, wide_y, (n - j) * sizeof(float));
  }
}

}  // namespace

void gemv(size_t n, size_t k, const float* x, const float* packed_b, const float* bias, float* y) {
  switch (current_tile().cols / kLanes) {
    case 2:
      return gemv_with<2>(n, k, x, packed_b, bias, y);
    case 3:
      return gemv_with<3>(n, k, x, packed_b, bias, y);
    default:
      return gemv_with<4>(n, k, x, packed_b, bias, y);
  }
}

}  // namespace glass
