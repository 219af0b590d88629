// Reference: layer norm and RMS norm, forward and backward. Sums are in double.
#include <cmath>

#include "kernels/implementations.h"

namespace glass::scalar_impl {

void layer_norm(const float* x, const float* weight, const float* bias, float eps, float* y, float* mean, float* rstd,
                size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, x += n, y += n) {
    double total = 0, squares = 0;
    for (size_t j = 0; j < n; ++j) total += x[j];
    const double mu = total / static_cast<double>(n);
    for (size_t j = 0; j < n; ++j) squares += (x[j] - mu) * (x[j] - mu);
    const double r = 1 / std::sqrt(squares / static_cast<double>(n) + eps);
    for (size_t j = 0; j < n; ++j) {
      const float normalized = static_cast<float>((x[j] - mu) * r);
      y[j] = normalized * (weight ? weight[j] : 1.0f) + (bias ? bias[j] : 0.0f);
    }
    if (mean) mean[i] = static_cast<float>(mu);
    if (rstd) rstd[i] = static_cast<float>(r);
  }
}

// With x̂ = (x − mean) · rstd and g = dy ∘ weight:
// dx += rstd · (g − mean(g) − x̂ · mean(g ∘ x̂)), dweight += dy ∘ x̂, dbias += dy.
void layer_norm_backward(const float* x, const float* weight, const float* mean, const float* rstd, const float* dy, float* dx,
                         float* dweight, float* dbias, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, x += n, dy += n) {
    double sum_g = 0, sum_gx = 0;
    for (size_t j = 0; j < n; ++j) {
      const double g = dy[j] * (weight ? weight[j] : 1.0f);
      sum_g += g;
      sum_gx += g * ((x[j] - mean[i]) * rstd[i]);
    }
    const float mean_g = static_cast<float>(sum_g / static_cast<double>(n));
    const float mean_gx = static_cast<float>(sum_gx / static_cast<double>(n));
    for (size_t j = 0; j < n; ++j) {
      const float normalized = (x[j] - mean[i]) * rstd[i];
      const float g = dy[j] * (weight ? weight[j] : 1.0f);
      if (dx) dx[i * n + j] += rstd[i] * (g - mean_g - normalized * mean_gx);
      if (dweight) dweight[j] += dy[j] * normalized;
      if (dbias) dbias[j] += dy[j];
    }
  }
}

void rms_norm(const float* x, const float* weight, float eps, float* y, float* rrms, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, x += n, y += n) {
    double squares = 0;
    for (size_t j = 0; j < n; ++j) squares += static_cast<double>(x[j]) * x[j];
    const float r = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(n) + eps));
    for (size_t j = 0; j < n; ++j) y[j] = x[j] * r * (weight ? weight[j] : 1.0f);
    if (rrms) rrms[i] = r;
  }
}

// With x̂ = x · rrms and g = dy ∘ weight: dx += rrms · (g − x̂ · mean(g ∘ x̂)), dweight += dy ∘ x̂.
void rms_norm_backward(const float* x, const float* weight, const float* rrms, const float* dy, float* dx, float* dweight,
                       size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, x += n, dy += n) {
    double sum_gx = 0;
    for (size_t j = 0; j < n; ++j) sum_gx += static_cast<double>(dy[j] * (weight ? weight[j] : 1.0f)) * (x[j] * rrms[i]);
    const float mean_gx = static_cast<float>(sum_gx / static_cast<double>(n));
    for (size_t j = 0; j < n; ++j) {
      const float normalized = x[j] * rrms[i];
      const float g = dy[j] * (weight ? weight[j] : 1.0f);
      if (dx) dx[i * n + j] += rrms[i] * (g - normalized * mean_gx);
      if (dweight) dweight[j] += dy[j] * normalized;
    }
  }
}

}  // namespace glass::scalar_impl
