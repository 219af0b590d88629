// Softmax by rows and its backward, both tables against formulas in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpp/kernels/tables_of_kernels.h"
#include "cpp/support/guarded.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using testing::Guarded;
using testing::random_values;
using testing::sizes_around;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class SoftmaxTest : public testing::KernelsTest {};
GLASS_BOTH_TABLES(SoftmaxTest);

std::vector<double> softmax(const float* x, const float* mask, size_t n) {
  std::vector<double> y(n);
  double largest = -kInfinity, total = 0;
  for (size_t j = 0; j < n; ++j) {
    y[j] = static_cast<double>(x[j]) + (mask ? mask[j] : 0.0f);
    largest = std::max(largest, y[j]);
  }
  for (double& v : y) total += v = largest == -kInfinity ? 0.0 : std::exp(v - largest);
  for (double& v : y) v = total == 0 ? 0.0 : v / total;
  return y;
}

// e^x to 2e-7; x − maximum and x + mask each off by half a unit of at most 64, which the exponential passes on as relative
// error; the sum and the division a unit each. All of it relative to a value of at most 1.
constexpr double kBound = 2e-7 + 2 * 3.9e-6 + 2.4e-7;

std::vector<float> causal_mask(size_t rows, size_t n) {
  std::vector<float> mask(rows * n, 0.0f);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = i + 1; j < n; ++j) mask[i * n + j] = -kInfinity;
  }
  return mask;
}

TEST_P(SoftmaxTest, EverySizeWithAndWithoutMask) {
  const size_t rows = 4;
  for (const size_t n : sizes_around(vec::kLanes)) {
    const Guarded x(random_values(rows * n, 31, -30, 30), 1), own(causal_mask(rows, n), 2), shared(random_values(n, 32), 3);
    struct Masking {
      const float* data;
      size_t stride;
    };
    for (const Masking m : {Masking{nullptr, 0}, Masking{own.data(), n}, Masking{shared.data(), 0}}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " mask " << (m.data != nullptr) << " stride " << m.stride);
      Guarded y(rows * n, 1), in_place = x;
      kernels().softmax_rows(x.data(), m.data, m.stride, y.data(), rows, n);
      kernels().softmax_rows(in_place.data(), m.data, m.stride, in_place.data(), rows, n);
      EXPECT_TRUE(y.intact() && in_place.intact());
      for (size_t i = 0; i < rows; ++i) {
        const std::vector<double> expected = softmax(x.data() + i * n, m.data ? m.data + i * m.stride : nullptr, n);
        double total = 0;
        for (size_t j = 0; j < n; ++j) {
          ASSERT_NEAR(y[i * n + j], expected[j], kBound * expected[j] + 1e-30) << i << ", " << j;
          ASSERT_EQ(in_place[i * n + j], y[i * n + j]);
          total += y[i * n + j];
        }
        if (n > 0) {
          EXPECT_NEAR(total, 1.0, 1e-6);
        }
      }
    }
  }
}

TEST_P(SoftmaxTest, MaskedEntriesAreExactlyZero) {
  const size_t n = 2 * vec::kLanes + 1;
  const std::vector<float> x = random_values(n * n, 33), mask = causal_mask(n, n);
  std::vector<float> y(n * n);
  kernels().softmax_rows(x.data(), mask.data(), n, y.data(), n, n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) EXPECT_EQ(y[i * n + j] == 0.0f, j > i) << i << ", " << j;
  }
  EXPECT_EQ(y[0], 1.0f);  // the only visible key
}

TEST_P(SoftmaxTest, ARowWithoutAVisibleEntryGivesZeros) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    const Guarded hidden(std::vector<float>(n, -kInfinity)), x(random_values(2 * n, 34));
    Guarded y(2 * n);
    kernels().softmax_rows(x.data(), hidden.data(), 0, y.data(), 2, n);
    for (size_t i = 0; i < 2 * n; ++i) ASSERT_EQ(y[i], 0.0f) << "masked, n " << n;
    kernels().softmax_rows(hidden.data(), nullptr, 0, y.data(), 1, n);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], 0.0f) << "values, n " << n;
    EXPECT_TRUE(y.intact());
  }
}

TEST_P(SoftmaxTest, LargeValuesNeitherOverflowNorVanish) {
  const std::vector<float> x = {1e30f, -1e30f, 1e30f, 3e38f, 3e38f, -3e38f, 100.0f, 99.0f, -kInfinity};
  std::vector<float> y(3);
  kernels().softmax_rows(x.data(), nullptr, 0, y.data(), 1, 3);
  EXPECT_EQ(y, (std::vector<float>{0.5f, 0.0f, 0.5f}));
  kernels().softmax_rows(x.data() + 3, nullptr, 0, y.data(), 1, 3);
  EXPECT_EQ(y, (std::vector<float>{0.5f, 0.5f, 0.0f}));
  kernels().softmax_rows(x.data() + 6, nullptr, 0, y.data(), 1, 3);
  EXPECT_NEAR(y[0], 1 / (1 + std::exp(-1.0)), 3e-7);
  EXPECT_EQ(y[2], 0.0f);
}

TEST_P(SoftmaxTest, ANaNIsNotHidden) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const size_t n : {size_t{1}, size_t{3}, vec::kLanes, 4 * vec::kLanes + 1}) {
    std::vector<float> some(n, 0.5f), all(n, nan), y(n);
    some[n / 2] = nan;
    for (const std::vector<float>& x : {some, all}) {
      kernels().softmax_rows(x.data(), nullptr, 0, y.data(), 1, n);
      for (const float v : y) EXPECT_TRUE(std::isnan(v)) << "n " << n;
    }
  }
}

TEST_P(SoftmaxTest, BackwardAddsTheGradient) {
  const size_t rows = 3;
  for (const size_t n : sizes_around(vec::kLanes)) {
    SCOPED_TRACE(n);
    std::vector<float> values(rows * n);
    for (size_t i = 0; i < rows; ++i) {
      const std::vector<float> x = random_values(n, 35 + static_cast<uint32_t>(i), -2, 2);
      const std::vector<double> p = softmax(x.data(), nullptr, n);
      for (size_t j = 0; j < n; ++j) values[i * n + j] = static_cast<float>(p[j]);
    }
    const Guarded y(values, 1), dy(random_values(rows * n, 38), 2), start(random_values(rows * n, 39), 3);
    Guarded dx = start;
    kernels().softmax_rows_backward(y.data(), dy.data(), dx.data(), rows, n);
    EXPECT_TRUE(dx.intact());
    for (size_t i = 0; i < rows; ++i) {
      double inner = 0;
      for (size_t j = 0; j < n; ++j) inner += static_cast<double>(y[i * n + j]) * dy[i * n + j];
      for (size_t j = i * n; j < (i + 1) * n; ++j) {
        // ⟨dy, y⟩ is a mean of values of at most 1; then three roundings of values of at most 3.
        ASSERT_NEAR(dx[j], start[j] + y[j] * (dy[j] - inner), 1e-6) << "at " << j;
      }
    }
  }
}

}  // namespace
}  // namespace glass
