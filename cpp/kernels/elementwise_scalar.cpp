// Reference: values one by one, with libm.
#include <cmath>
#include <numbers>

#include "kernels/implementations.h"

namespace glass::scalar_impl {
namespace {

float normal_cdf(float x) { return 0.5f * std::erfc(-x / std::numbers::sqrt2_v<float>); }
float normal_pdf(float x) { return std::exp(-0.5f * x * x) / std::sqrt(2.0f * std::numbers::pi_v<float>); }
float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

// x · weight, but 0 where x is −inf and the weight has reached 0: the limit, not NaN.
float gated(float x, float weight) { return weight == 0.0f ? 0.0f : x * weight; }

// The argument of tanh in gelu_tanh, and its derivative.
const float kRoot2OverPi = std::sqrt(2.0f / std::numbers::pi_v<float>);
float gelu_argument(float x) { return kRoot2OverPi * (x + 0.044715f * x * x * x); }
float gelu_argument_derivative(float x) { return kRoot2OverPi * (1.0f + 3.0f * 0.044715f * x * x); }

float value(Activation f, float x) {
  switch (f) {
    case Activation::relu:
      return x < 0.0f ? 0.0f : x;
    case Activation::gelu:
      return gated(x, normal_cdf(x));
    case Activation::gelu_tanh:
      return gated(x, 0.5f * (1.0f + std::tanh(gelu_argument(x))));
    case Activation::silu:
      return gated(x, sigmoid(x));
    case Activation::tanh:
      return std::tanh(x);
  }
  return x;
}

float derivative(Activation f, float x) {
  switch (f) {
    case Activation::relu:
      return x > 0.0f ? 1.0f : 0.0f;
    case Activation::gelu:
      return normal_cdf(x) + gated(x, normal_pdf(x));
    case Activation::gelu_tanh: {
      const float t = std::tanh(gelu_argument(x));
      return 0.5f * (1.0f + t) + gated(0.5f * x * gelu_argument_derivative(x), 1.0f - t * t);
    }
    case Activation::silu: {
      const float s = sigmoid(x);
      return s + gated(x, s * (1.0f - s));
    }
    case Activation::tanh: {
      const float t = std::tanh(x);
      return 1.0f - t * t;
    }
  }
  return 1.0f;
}

}  // namespace

void exp(const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}
void tanh(const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}
void activate(Activation f, const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = value(f, x[i]);
}
void activate_backward(Activation f, const float* x, const float* dy, float* dx, size_t n) {
  for (size_t i = 0; i < n; ++i) dx[i] += dy[i] * derivative(f, x[i]);
}
void add(const float* a, const float* b, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = a[i] + b[i];
}
void multiply(const float* a, const float* b, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = a[i] * b[i];
}
void multiply_add(const float* a, const float* b, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] += a[i] * b[i];
}
void scale(float s, const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = s * x[i];
}
void axpy(float s, const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] += s * x[i];
}

}  // namespace glass::scalar_impl
