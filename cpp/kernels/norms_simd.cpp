// Fast layer norm and RMS norm. A row is read two or three times; it stays in the first cache.
#include <cmath>

#include "kernels/implementations.h"
#include "kernels/simd.h"

namespace glass::simd_impl {

using vec::Floats;

namespace {

Floats plus(Floats a, Floats b) { return a + b; }

// Reads w[i], or 1 (0 for a bias) where there is no w.
struct OrConstant {
  const float* w;
  float otherwise;
  Floats whole(size_t i) const { return w ? vec::load(w + i) : vec::splat(otherwise); }
  Floats part(size_t i, size_t left) const { return w ? vec::load_part(w + i, left) : vec::splat(otherwise); }
};

// Σ (x − center)²
float sum_of_squared_distances(const float* x, float center, size_t n) {
  return vec::horizontal_sum(vec::reduce(
      n, Floats{},
      [=](Floats p, size_t i) {
        const Floats d = vec::load(x + i) - center;
        return vec::multiply_add(d, d, p);
      },
      [=](Floats p, size_t i, size_t left) {
        const Floats d = vec::load_part(x + i, left, center) - center;
        return vec::multiply_add(d, d, p);
      },
      plus));
}

// Σ dy ∘ weight
float sum_weighted(const float* dy, const float* weight, size_t n) { return weight ? dot(dy, weight, n) : sum(dy, n); }

// Σ dy ∘ weight ∘ (x − mean)
float sum_weighted_distances(const float* dy, OrConstant weight, const float* x, float mean, size_t n) {
  return vec::horizontal_sum(vec::reduce(
      n, Floats{},
      [=](Floats p, size_t i) { return vec::multiply_add(vec::load(dy + i) * weight.whole(i), vec::load(x + i) - mean, p); },
      [=](Floats p, size_t i, size_t left) {
        return vec::multiply_add(vec::load_part(dy + i, left) * weight.part(i, left), vec::load_part(x + i, left, mean) - mean,
                                 p);
      },
      plus));
}

// dx += rstd · (dy ∘ weight − mean_g − x̂ · mean_gx) with x̂ = (x − mean) · rstd
void add_input_gradient(const float* x, OrConstant weight, float mean, float rstd, const float* dy, float mean_g, float mean_gx,
                        float* dx, size_t n) {
  const auto gradient = [=](Floats x_i, Floats w_i, Floats dy_i, Floats sum) {
    const Floats normalized = (x_i - mean) * rstd;
    const Floats g = vec::multiply_add(dy_i, w_i, vec::splat(-mean_g));
    return vec::multiply_add(vec::multiply_add(normalized, vec::splat(-mean_gx), g), vec::splat(rstd), sum);
  };
  vec::for_lanes(
      n,
      [=](size_t i) { vec::store(dx + i, gradient(vec::load(x + i), weight.whole(i), vec::load(dy + i), vec::load(dx + i))); },
      [=](size_t i, size_t left) {
        const Floats v = gradient(vec::load_part(x + i, left), weight.part(i, left), vec::load_part(dy + i, left),
                                  vec::load_part(dx + i, left));
        vec::store_part(dx + i, v, left);
      });
}

// dweight += dy ∘ (x − mean) · rstd
void add_weight_gradient(const float* x, float mean, float rstd, const float* dy, float* dweight, size_t n) {
  vec::update(x, dy, dweight, n,
              [=](Floats x_i, Floats dy_i, Floats sum) { return vec::multiply_add(dy_i, (x_i - mean) * rstd, sum); });
}

// y = (x − mean) · rstd · weight + bias
void normalize(const float* x, float mean, float rstd, OrConstant weight, OrConstant bias, float* y, size_t n) {
  vec::for_lanes(
      n,
      [=](size_t i) { vec::store(y + i, vec::multiply_add((vec::load(x + i) - mean) * rstd, weight.whole(i), bias.whole(i))); },
      [=](size_t i, size_t left) {
        const Floats normalized = (vec::load_part(x + i, left) - mean) * rstd;
        vec::store_part(y + i, vec::multiply_add(normalized, weight.part(i, left), bias.part(i, left)), left);
      });
}

}  // namespace

void layer_norm(const float* x, const float* weight, const float* bias, float eps, float* y, float* mean, float* rstd,
                size_t rows, size_t n) {
  const float count = static_cast<float>(n);
  for (size_t i = 0; i < rows; ++i, x += n, y += n) {
    const float mu = sum(x, n) / count;
    const float r = 1.0f / std::sqrt(sum_of_squared_distances(x, mu, n) / count + eps);
    normalize(x, mu, r, {weight, 1.0f}, {bias, 0.0f}, y, n);
    if (mean) mean[i] = mu;
    if (rstd) rstd[i] = r;
  }
}

void layer_norm_backward(const float* x, const float* weight, const float* mean, const float* rstd, const float* dy, float* dx,
                         float* dweight, float* dbias, size_t rows, size_t n) {
  const float count = static_cast<float>(n);
  for (size_t i = 0; i < rows; ++i, x += n, dy += n) {
    if (dx) {
      const float mean_g = sum_weighted(dy, weight, n) / count;
      const float mean_gx = sum_weighted_distances(dy, {weight, 1.0f}, x, mean[i], n) * rstd[i] / count;
      add_input_gradient(x, {weight, 1.0f}, mean[i], rstd[i], dy, mean_g, mean_gx, dx + i * n, n);
    }
    if (dweight) add_weight_gradient(x, mean[i], rstd[i], dy, dweight, n);
    if (dbias) add(dbias, dy, dbias, n);
  }
}

void rms_norm(const float* x, const float* weight, float eps, float* y, float* rrms, size_t rows, size_t n) {
  const float count = static_cast<float>(n);
  for (size_t i = 0; i < rows; ++i, x += n, y += n) {
    const float r = 1.0f / std::sqrt(dot(x, x, n) / count + eps);
    normalize(x, 0.0f, r, {weight, 1.0f}, {nullptr, 0.0f}, y, n);
    if (rrms) rrms[i] = r;
  }
}

void rms_norm_backward(const float* x, const float* weight, const float* rrms, const float* dy, float* dx, float* dweight,
                       size_t rows, size_t n) {
  const float count = static_cast<float>(n);
  for (size_t i = 0; i < rows; ++i, x += n, dy += n) {
    if (dx) {
      const float mean_gx = sum_weighted_distances(dy, {weight, 1.0f}, x, 0.0f, n) * rrms[i] / count;
      add_input_gradient(x, {weight, 1.0f}, 0.0f, rrms[i], dy, 0.0f, mean_gx, dx + i * n, n);
    }
    if (dweight) add_weight_gradient(x, 0.0f, rrms[i], dy, dweight, n);
  }
}

}  // namespace glass::simd_impl
