// Reductions of both tables against sums in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cpp/kernels/tables_of_kernels.h"
#include "cpp/support/guarded.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using testing::Guarded;
using testing::random_values;
using testing::sizes_around;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class ReductionsTest : public testing::KernelsTest {};
GLASS_BOTH_TABLES(ReductionsTest);

// n roundings of a partial sum of magnitudes that add up to `magnitude`.
double rounding(size_t n, double magnitude) { return 6e-8 * static_cast<double>(n + 1) * magnitude; }

TEST_P(ReductionsTest, SumDotAndSquares) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    for (const size_t offset : {0, 1, 2}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " offset " << offset);
      const Guarded a(random_values(n, 21), offset), b(random_values(n, 22), offset + 1);
      double sum = 0, dot = 0, squares = 0, magnitude = 0;
      for (size_t i = 0; i < n; ++i) {
        sum += a[i];
        dot += static_cast<double>(a[i]) * b[i];
        squares += static_cast<double>(a[i]) * a[i];
        magnitude += std::abs(a[i]);
      }
      EXPECT_NEAR(kernels().sum(a.data(), n), sum, rounding(n, magnitude));
      EXPECT_NEAR(kernels().dot(a.data(), b.data(), n), dot, rounding(n, magnitude));
      EXPECT_NEAR(kernels().sum_of_squares(a.data(), n), squares, 1e-15 * static_cast<double>(n) * squares);
    }
  }
}

TEST_P(ReductionsTest, SumOfSquaresSpansManyMagnitudes) {
  const std::vector<float> x = {1e30f, 1e-30f, 1.0f, 1e20f, 1e-20f};
  EXPECT_DOUBLE_EQ(kernels().sum_of_squares(x.data(), x.size()),
                   static_cast<double>(x[0]) * x[0] + static_cast<double>(x[3]) * x[3]);
  const std::vector<float> tiny(7, 1e-30f);
  EXPECT_NEAR(kernels().sum_of_squares(tiny.data(), 7), 7e-60, 1e-66);
}

TEST_P(ReductionsTest, MaxFindsEveryPosition) {
  EXPECT_EQ(kernels().max(nullptr, 0), -kInfinity);
  for (const size_t n : sizes_around(vec::kLanes)) {
    if (n > 100) continue;
    Guarded x(random_values(n, 23, -5, -4), 1);
    for (size_t i = 0; i < n; ++i) {
      const float before = x[i];
      x[i] = -3.0f;
      ASSERT_EQ(kernels().max(x.data(), n), -3.0f) << "n " << n << " at " << i;
      x[i] = before;
    }
  }
}

TEST_P(ReductionsTest, LogSumExp) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    SCOPED_TRACE(n);
    if (n == 0) continue;
    for (const float shift : {0.0f, 500.0f, -500.0f}) {
      const Guarded x(random_values(n, 24, shift - 4, shift + 4), 2);
      double total = 0;
      for (size_t i = 0; i < n; ++i) total += std::exp(static_cast<double>(x[i]) - shift);
      // The result is rounded at its own magnitude; the sum's relative error becomes an absolute one.
      EXPECT_NEAR(kernels().log_sum_exp(x.data(), n), shift + std::log(total), 1.2e-7 * (std::abs(shift) + 12) + 5e-7);
    }
  }
}

TEST_P(ReductionsTest, LogSumExpAtItsEnds) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> hidden(5, -kInfinity), one = {-kInfinity, 2.0f, -kInfinity}, infinite = {1.0f, kInfinity},
                                                  bad = {nan, nan, nan};
  EXPECT_EQ(kernels().log_sum_exp(nullptr, 0), -kInfinity);
  EXPECT_EQ(kernels().log_sum_exp(hidden.data(), 5), -kInfinity);
  EXPECT_EQ(kernels().log_sum_exp(one.data(), 3), 2.0f);
  EXPECT_EQ(kernels().log_sum_exp(infinite.data(), 2), kInfinity);
  EXPECT_TRUE(std::isnan(kernels().log_sum_exp(bad.data(), 3)));
}

TEST_P(ReductionsTest, AddRowAndSumRows) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    for (const size_t rows : {0, 1, 5}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " rows " << rows);
      const Guarded x(random_values(rows * n, 25), 1), bias(random_values(n, 26), 2);
      Guarded y(rows * n, 3);
      kernels().add_row(x.data(), bias.data(), y.data(), rows, n);
      EXPECT_TRUE(y.intact());
      for (size_t i = 0; i < rows * n; ++i) ASSERT_EQ(y[i], x[i] + bias[i % n]);

      Guarded total = bias;
      kernels().sum_rows(x.data(), total.data(), rows, n);
      EXPECT_TRUE(total.intact());
      for (size_t j = 0; j < n; ++j) {
        double sum = bias[j];
        for (size_t i = 0; i < rows; ++i) sum += x[i * n + j];
        ASSERT_NEAR(total[j], sum, rounding(rows + 1, static_cast<double>(rows) + 1));
      }
    }
  }
}

TEST_P(ReductionsTest, DotRowsAndWeighRows) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    for (const size_t rows : {0, 1, 4, 7}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " rows " << rows);
      const size_t stride = n + 3;
      const std::vector<float> values = random_values(rows * n, 27);
      Guarded a(rows * stride, 1);  // guards between the rows too
      for (size_t i = 0; i < rows * n; ++i) a[i / n * stride + i % n] = values[i];
      const Guarded x(random_values(n, 28), 2), weights(random_values(rows, 29), 3);

      Guarded dots(rows, 1);
      kernels().dot_rows(x.data(), a.data(), stride, dots.data(), rows, n);
      EXPECT_TRUE(dots.intact());
      for (size_t i = 0; i < rows; ++i) {
        double dot = 0;
        for (size_t j = 0; j < n; ++j) dot += static_cast<double>(x[j]) * a[i * stride + j];
        ASSERT_NEAR(dots[i], dot, rounding(n, static_cast<double>(n)));
      }

      Guarded mixed(n, 2);
      kernels().weigh_rows(weights.data(), a.data(), stride, mixed.data(), rows, n);
      EXPECT_TRUE(mixed.intact());
      for (size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (size_t i = 0; i < rows; ++i) sum += static_cast<double>(weights[i]) * a[i * stride + j];
        ASSERT_NEAR(mixed[j], sum, rounding(rows, static_cast<double>(rows)));
      }
    }
  }
}

}  // namespace
}  // namespace glass
