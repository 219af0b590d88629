// Reference: sums in double, so that the reference itself loses nothing.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/implementations.h"

namespace glass::scalar_impl {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float sum(const float* x, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += x[i];
  return static_cast<float>(total);
}
float dot(const float* a, const float* b, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += static_cast<double>(a[i]) * b[i];
  return static_cast<float>(total);
}
float max(const float* x, size_t n) {
  float largest = -kInfinity;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, x[i]);
  return largest;
}
float log_sum_exp(const float* x, size_t n) {
  const float largest = max(x, n);
  if (largest == kInfinity || n == 0) return largest;
  if (largest == -kInfinity) return sum(x, n);  // every value is −inf, or NaN, which must not be hidden
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += std::exp(static_cast<double>(x[i]) - largest);
  return static_cast<float>(largest + std::log(total));
}
double sum_of_squares(const float* x, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += static_cast<double>(x[i]) * x[i];
  return total;
}

void add_row(const float* x, const float* bias, float* y, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < n; ++j) y[i * n + j] = x[i * n + j] + bias[j];
  }
}
void sum_rows(const float* x, float* y, size_t rows, size_t n) {
  for (size_t j = 0; j < n; ++j) {
    double total = 0;
    for (size_t i = 0; i < rows; ++i) total += x[i * n + j];
    y[j] += static_cast<float>(total);
  }
}

void dot_rows(const float* x, const float* a, size_t stride, float* y, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i) y[i] = dot(x, a + i * stride, n);
}
void weigh_rows(const float* weights, const float* a, size_t stride, float* y, size_t rows, size_t n) {
  for (size_t j = 0; j < n; ++j) {
    double total = 0;
    for (size_t i = 0; i < rows; ++i) total += static_cast<double>(weights[i]) * a[i * stride + j];
    y[j] = static_cast<float>(total);
  }
}

}  // namespace glass::scalar_impl
