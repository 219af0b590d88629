// Elementwise kernels: both tables against formulas in double, over every tail and over the whole range of floats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "cpp/kernels/tables_of_kernels.h"
#include "cpp/support/guarded.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using testing::Guarded;
using testing::random_values;
using testing::sizes_around;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Activation kActivations[] = {Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu,
                                       Activation::tanh};

class ElementwiseTest : public testing::KernelsTest {};
GLASS_BOTH_TABLES(ElementwiseTest);

double value(Activation f, double x) {
  switch (f) {
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::gelu:
      return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
    case Activation::gelu_tanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::tanh:
      return std::tanh(x);
  }
  return x;
}

// The central difference of `value`: exact to about 1e-9 here, and no second set of formulas to get wrong.
double derivative(Activation f, double x) {
  const double h = 1e-5;
  return (value(f, x + h) - value(f, x - h)) / (2 * h);
}

// Floats of every magnitude and both signs: each exponent with a few significands, denormals included.
std::vector<float> all_magnitudes() {
  std::vector<float> values = {0.0f, -0.0f};
  for (int exponent = -149; exponent <= 127; ++exponent) {
    for (float significand : {1.0f, 1.1f, 1.37f, 1.5f, 1.99f}) {
      values.push_back(std::ldexp(significand, exponent));
      values.push_back(-values.back());
    }
  }
  return values;
}

std::vector<float> steps(float low, float high, size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(count - 1);
  return values;
}

// Runs `kernel` over every size and misalignment, apart and in place, and compares with `formula` of each input.
void expect_map(const std::function<void(const float*, float*, size_t)>& kernel, const std::function<double(double)>& formula,
                double bound) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    for (const size_t offset : {0, 1, 3}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " offset " << offset);
      const Guarded x(random_values(n, 11, -6, 6), offset);
      Guarded y(n, offset + 1), in_place = x;
      kernel(x.data(), y.data(), n);
      kernel(in_place.data(), in_place.data(), n);
      EXPECT_TRUE(y.intact() && in_place.intact());
      for (size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(y[i], formula(x[i]), bound * std::max(1.0, std::abs(formula(x[i])))) << "at " << i << ", x " << x[i];
        ASSERT_EQ(in_place[i], y[i]);
      }
    }
  }
}

TEST_P(ElementwiseTest, MapsEverySizeAndAlignment) {
  expect_map(
      kernels().exp, [](double x) { return std::exp(x); }, 2e-7);
  expect_map(
      kernels().tanh, [](double x) { return std::tanh(x); }, 3e-7);
  for (const Activation f : kActivations) {
    SCOPED_TRACE(static_cast<int>(f));
    const auto kernel = [&](const float* x, float* y, size_t n) { kernels().activate(f, x, y, n); };
    expect_map(
        kernel, [&](double x) { return value(f, x); }, 5e-7);
  }
}

TEST_P(ElementwiseTest, ExpKeepsItsBoundOverTheWholeRange) {
  std::vector<float> x = steps(-87.33f, 88.72f, 200001), y(x.size());
  const std::vector<float> tiny = steps(-1e-3f, 1e-3f, 2001);
  x.insert(x.end(), tiny.begin(), tiny.end());
  y.resize(x.size());
  kernels().exp(x.data(), y.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(static_cast<double>(x[i]));
    ASSERT_LE(std::abs(y[i] - exact), 2e-7 * exact) << "x " << x[i];
  }
}

TEST_P(ElementwiseTest, ExpAtItsEnds) {
  const std::vector<float> x = {-kInfinity, -1e30f, -104.0f, 0.0f, -0.0f, 89.0f, 1e30f, kInfinity, 1e-40f};
  std::vector<float> y(x.size());
  kernels().exp(x.data(), y.data(), x.size());
  EXPECT_EQ(y, (std::vector<float>{0, 0, 0, 1, 1, kInfinity, kInfinity, kInfinity, 1}));
  const float below_normal = -88.0f;  // e^x is about 6e-39: 0 or the denormal, nothing else
  float small = -1;
  kernels().exp(&below_normal, &small, 1);
  EXPECT_GE(small, 0.0f);
  EXPECT_LE(small, 6.1e-39f);
}

TEST_P(ElementwiseTest, NaNStaysNaN) {
  const std::vector<float> x(vec::kLanes + 1, std::numeric_limits<float>::quiet_NaN());
  std::vector<float> y(x.size());
  const auto expect_nan = [&] {
    for (float v : y) EXPECT_TRUE(std::isnan(v));
    std::fill(y.begin(), y.end(), 0.0f);
  };
  kernels().exp(x.data(), y.data(), x.size());
  expect_nan();
  kernels().tanh(x.data(), y.data(), x.size());
  expect_nan();
  for (const Activation f : kActivations) {
    SCOPED_TRACE(static_cast<int>(f));
    kernels().activate(f, x.data(), y.data(), x.size());
    expect_nan();
  }
}

TEST_P(ElementwiseTest, ActivationsKeepTheirBoundOverTheWholeRange) {
  std::vector<float> x = all_magnitudes();
  const std::vector<float> middle = steps(-100.0f, 100.0f, 100001), centre = steps(-6.0f, 6.0f, 100001);
  x.insert(x.end(), middle.begin(), middle.end());
  x.insert(x.end(), centre.begin(), centre.end());
  std::vector<float> y(x.size());
  for (const Activation f : kActivations) {
    kernels().activate(f, x.data(), y.data(), x.size());
    const double bound = f == Activation::tanh ? 3e-7 : 5e-7;
    for (size_t i = 0; i < x.size(); ++i) {
      const double scale = f == Activation::tanh ? 1.0 : std::max(1.0, std::abs(static_cast<double>(x[i])));
      ASSERT_LE(std::abs(y[i] - value(f, x[i])), bound * scale) << static_cast<int>(f) << " x " << x[i] << " y " << y[i];
    }
  }
}

TEST_P(ElementwiseTest, ActivationsHaveTheirLimitsAtInfinity) {
  const std::vector<float> x = {-kInfinity, kInfinity};
  for (const Activation f : kActivations) {
    std::vector<float> y(2);
    kernels().activate(f, x.data(), y.data(), 2);
    EXPECT_NEAR(y[0], f == Activation::tanh ? -1.0f : 0.0f, 1e-30f) << static_cast<int>(f);
    EXPECT_EQ(y[1], f == Activation::tanh ? 1.0f : kInfinity) << static_cast<int>(f);
    std::vector<float> slope(2), one = {1.0f, 1.0f};
    kernels().activate_backward(f, x.data(), one.data(), slope.data(), 2);
    EXPECT_NEAR(slope[0], 0.0f, 1e-30f) << static_cast<int>(f);
    EXPECT_EQ(slope[1], f == Activation::tanh ? 0.0f : 1.0f) << static_cast<int>(f);
  }
}

// The bound is four roundings at a magnitude of up to 2, plus as much for e^x and the tail of the normal distribution.
TEST_P(ElementwiseTest, ActivateBackwardAddsTheDerivative) {
  for (const Activation f : kActivations) {
    for (const size_t n : sizes_around(vec::kLanes)) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(f) << " n " << n);
      const Guarded x(random_values(n, 12, -5, 5), 1), dy(random_values(n, 13), 2);
      const std::vector<float> start = random_values(n, 14);
      Guarded dx(start, 3);
      kernels().activate_backward(f, x.data(), dy.data(), dx.data(), n);
      EXPECT_TRUE(dx.intact());
      for (size_t i = 0; i < n; ++i) ASSERT_NEAR(dx[i], start[i] + dy[i] * derivative(f, x[i]), 1e-6) << "x " << x[i];
    }
    const std::vector<float> x = steps(-30.0f, 30.0f, 60001), ones(x.size(), 1.0f);
    std::vector<float> slope(x.size());
    kernels().activate_backward(f, x.data(), ones.data(), slope.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      if (f == Activation::relu && std::abs(x[i]) < 1e-3f) continue;  // no derivative at 0
      ASSERT_NEAR(slope[i], derivative(f, x[i]), 1e-6) << static_cast<int>(f) << " x " << x[i];
    }
  }
}

TEST_P(ElementwiseTest, ReluHasNoSlopeAtZero) {
  const float x = 0.0f, dy = 1.0f;
  float dx = 0.0f;
  kernels().activate_backward(Activation::relu, &x, &dy, &dx, 1);
  EXPECT_EQ(dx, 0.0f);
}

// One rounding where the processor has a fused multiply-add, two where not: half a unit of at most 2 each.
TEST_P(ElementwiseTest, Arithmetic) {
  constexpr double kTwoRoundings = 2.4e-7;
  for (const size_t n : sizes_around(vec::kLanes)) {
    SCOPED_TRACE(n);
    const Guarded a(random_values(n, 15), 1), b(random_values(n, 16), 2);
    const std::vector<float> start = random_values(n, 17);
    const auto expect = [&](const Guarded& y, auto formula) {
      EXPECT_TRUE(y.intact());
      for (size_t i = 0; i < n; ++i) ASSERT_NEAR(y[i], formula(i), kTwoRoundings) << "at " << i;
    };
    Guarded y(n, 3);
    kernels().add(a.data(), b.data(), y.data(), n);
    expect(y, [&](size_t i) { return static_cast<double>(a[i]) + b[i]; });
    kernels().multiply(a.data(), b.data(), y.data(), n);
    expect(y, [&](size_t i) { return static_cast<double>(a[i]) * b[i]; });
    kernels().scale(-0.75f, a.data(), y.data(), n);
    expect(y, [&](size_t i) { return -0.75 * a[i]; });
    Guarded sum(start, 3);
    kernels().multiply_add(a.data(), b.data(), sum.data(), n);
    expect(sum, [&](size_t i) { return start[i] + static_cast<double>(a[i]) * b[i]; });
    Guarded along(start, 1);
    kernels().axpy(0.3f, a.data(), along.data(), n);
    expect(along, [&](size_t i) { return start[i] + static_cast<double>(0.3f) * a[i]; });
    Guarded twice = a;
    kernels().add(twice.data(), twice.data(), twice.data(), n);
    expect(twice, [&](size_t i) { return 2.0 * a[i]; });
  }
}

// A value's result may not depend on whether it lies in a whole vector or in the tail.
TEST_P(ElementwiseTest, BitsDoNotDependOnThePosition) {
  const std::vector<float> x = random_values(4 * vec::kLanes + 3, 18, -8, 8);
  for (const Activation f : kActivations) {
    std::vector<float> whole(x.size());
    kernels().activate(f, x.data(), whole.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      float alone;
      kernels().activate(f, &x[i], &alone, 1);
      ASSERT_EQ(alone, whole[i]) << static_cast<int>(f) << " at " << i;
    }
  }
}

}  // namespace
}  // namespace glass
