// Fast softmax by rows: a pass for the maximum, one for the exponentials and their sum, one to divide.
#include <limits>

#include "kernels/approximations.h"
#include "kernels/implementations.h"

namespace glass::simd_impl {

using vec::Floats;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Floats plus(Floats a, Floats b) { return a + b; }

// y = x + mask; returns the largest.
float add_and_max(const float* x, const float* mask, float* y, size_t n) {
  return vec::horizontal_max(vec::reduce(
      n, vec::splat(-kInfinity),
      [=](Floats p, size_t i) {
        const Floats v = vec::load(x + i) + vec::load(mask + i);
        vec::store(y + i, v);
        return vec::max(p, v);
      },
      [=](Floats p, size_t i, size_t left) {
        const Floats v = vec::load_part(x + i, left, -kInfinity) + vec::load_part(mask + i, left);
        vec::store_part(y + i, v, left);
        return vec::max(p, v);
      },
      vec::max));
}

// y = e^(x − largest); returns the sum.
float exp_and_sum(const float* x, float largest, float* y, size_t n) {
  return vec::horizontal_sum(vec::reduce(
      n, Floats{},
      [=](Floats p, size_t i) {
        const Floats e = vec::exp_to_88(vec::load(x + i) - largest);
        vec::store(y + i, e);
        return p + e;
      },
      [=](Floats p, size_t i, size_t left) {
        const Floats e = vec::exp_to_88(vec::load_part(x + i, left, -kInfinity) - largest);
        vec::store_part(y + i, e, left);
        return p + e;
      },
      plus));
}

}  // namespace

void softmax_rows(const float* x, const float* mask, size_t mask_stride, float* y, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, x += n, y += n) {
    const float largest = mask ? add_and_max(x, mask + i * mask_stride, y, n) : max(x, n);
    const float* visible = mask ? y : x;
    if (largest == -kInfinity) {  // nothing visible, or NaN, which must not be hidden
      for (size_t j = 0; j < n; ++j) y[j] = visible[j] == -kInfinity ? 0.0f : visible[j];
      continue;
    }
    const float total = exp_and_sum(visible, largest, y, n);
    scale(1.0f / total, y, y, n);
  }
}

void softmax_rows_backward(const float* y, const float* dy, float* dx, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i, y += n, dy += n, dx += n) {
    const float inner = dot(dy, y, n);
    vec::update(y, dy, dx, n, [=](Floats p, Floats up, Floats sum) { return vec::multiply_add(p, up - inner, sum); });
  }
}

}  // namespace glass::simd_impl
