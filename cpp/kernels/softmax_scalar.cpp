// Reference: softmax by rows and its backward.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/implementations.h"

namespace glass::scalar_impl {

void softmax_rows(const float* x, const float* mask, size_t mask_stride, float* y, size_t rows, size_t n) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i < rows; ++i, x += n, y += n) {
    const float* m = mask ? mask + i * mask_stride : nullptr;
    float largest = -kInfinity;
    for (size_t j = 0; j < n; ++j) {
      y[j] = m ? x[j] + m[j] : x[j];
      largest = std::max(largest, y[j]);
    }
    if (largest == -kInfinity) {  // nothing visible, or NaN, which must not be hidden
      for (size_t j = 0; j < n; ++j) y[j] = y[j] == -kInfinity ? 0.0f : y[j];
      continue;
    }
    double total = 0;
    for (size_t j = 0; j < n; ++j) total += y[j] = std::exp(y[j] - largest);
    for (size_t j = 0; j < n; ++j) y[j] = static_cast<float>(y[j] / total);
  }
}

void softmax_rows_backward(const float* y, const float* dy, float* dx, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, y += n, dy += n, dx += n) {
    const float inner = dot(dy, y, n);
    for (size_t j = 0; j < n; ++j) dx[j] += y[j] * (dy[j] - inner);
  }
}

}  // namespace glass::scalar_impl
