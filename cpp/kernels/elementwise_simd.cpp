// Fast elementwise kernels: one loop (vec::map or vec::update) around the formula.
#include "kernels/approximations.h"
#include "kernels/implementations.h"

namespace glass::simd_impl {

using vec::Floats;

void exp(const float* x, float* y, size_t n) {
  vec::map(x, y, n, [](Floats v) { return vec::exp(v); });
}
void tanh(const float* x, float* y, size_t n) {
  vec::map(x, y, n, [](Floats v) { return vec::tanh(v); });
}

void activate(Activation f, const float* x, float* y, size_t n) {
  switch (f) {
    case Activation::relu:
      return vec::map(x, y, n, [](Floats v) { return vec::relu(v); });
    case Activation::gelu:
      return vec::map(x, y, n, [](Floats v) { return vec::gelu(v); });
    case Activation::gelu_tanh:
      return vec::map(x, y, n, [](Floats v) { return vec::gelu_tanh(v); });
    case Activation::silu:
      return vec::map(x, y, n, [](Floats v) { return vec::silu(v); });
    case Activation::tanh:
      return tanh(x, y, n);
  }
}

void activate_backward(Activation f, const float* x, const float* dy, float* dx, size_t n) {
  const auto with = [=](auto derivative) {
    vec::update(x, dy, dx, n, [=](Floats v, Floats up, Floats sum) { return vec::multiply_add(up, derivative(v), sum); });
  };
  switch (f) {
    case Activation::relu:
      return with([](Floats v) { return vec::relu_derivative(v); });
    case Activation::gelu:
      return with([](Floats v) { return vec::gelu_derivative(v); });
    case Activation::gelu_tanh:
      return with([](Floats v) { return vec::gelu_tanh_derivative(v); });
    case Activation::silu:
      return with([](Floats v) { return vec::silu_derivative(v); });
    case Activation::tanh:
      return with([](Floats v) { return vec::tanh_derivative(v); });
  }
}

void add(const float* a, const float* b, float* y, size_t n) {
  vec::map(a, b, y, n, [](Floats u, Floats v) { return u + v; });
}
void multiply(const float* a, const float* b, float* y, size_t n) {
  vec::map(a, b, y, n, [](Floats u, Floats v) { return u * v; });
}
void multiply_add(const float* a, const float* b, float* y, size_t n) {
  vec::update(a, b, y, n, [](Floats u, Floats v, Floats sum) { return vec::multiply_add(u, v, sum); });
}
void scale(float s, const float* x, float* y, size_t n) {
  vec::map(x, y, n, [=](Floats v) { return s * v; });
}
void axpy(float s, const float* x, float* y, size_t n) {
  vec::map(x, y, y, n, [=](Floats v, Floats sum) { return vec::multiply_add(vec::splat(s), v, sum); });
}

}  // namespace glass::simd_impl
