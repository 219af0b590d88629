// Weights of eight bits: the fast product has the bits of its definition, and both stay near the product of floats.
#include "kernels/int8.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cpp/support/guarded.h"

namespace glass {
namespace {

using testing::Guarded;
using testing::random_values;

// Packed weights with room for what a kernel must not read: guards around them.
struct Packed {
  Packed(const std::vector<float>& values, size_t n, size_t k) : bytes((int8_size(k, n) + 3) / 4) {
    int8_pack(values.data(), 0, n, k, data());
  }
  int8_t* data() { return reinterpret_cast<int8_t*>(bytes.data()); }
  Guarded bytes;
};

constexpr size_t kWidths[] = {0, 1, 7, 8, 9, 63, 64, 65, 128, 200};

TEST(Int8Test, RoundsEachBlockOfARowToItsLargest) {
  for (const size_t k : kWidths) {
    for (const size_t n : {1, 3, 4, 5}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " k " << k);
      const std::vector<float> values = random_values(n * k, 1, -3, 3);
      Packed packed(values, n, k);
      EXPECT_TRUE(packed.bytes.intact());
      for (size_t i = 0; i < n; ++i) {
        Guarded row(k, 1);
        int8_unpack_row(packed.data(), k, i, row.data());
        EXPECT_TRUE(row.intact());
        for (size_t j = 0; j < k; ++j) {
          float largest = 0;
          const size_t first = j / kInt8Block * kInt8Block;
          for (size_t p = first; p < std::min(k, first + kInt8Block); ++p)
            largest = std::max(largest, std::abs(values[i * k + p]));
          // Half a step, and the rounding of the scale and of two products.
          ASSERT_NEAR(row[j], values[i * k + j], largest / 254 * 1.0001f + 1e-6f * largest) << i << ", " << j;
        }
      }
    }
  }
}

TEST(Int8Test, RowsInPartsLieAsAllAtOnce) {
  constexpr size_t kRows = 11, kCols = 70;
  const std::vector<float> values = random_values(kRows * kCols, 2);
  Packed whole(values, kRows, kCols), parts(std::vector<float>(kRows * kCols, 1.0f), kRows, kCols);
  int8_pack(values.data(), 0, 4, kCols, parts.data());
  int8_pack(values.data() + 4 * kCols, 4, 7, kCols, parts.data());
  EXPECT_EQ(0, std::memcmp(whole.data(), parts.data(), int8_size(kCols, kRows)));
}

TEST(Int8Test, ZerosAndTheSmallestNumbersStayFinite) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> values = {0, 0, 0, tiny, -tiny, 0};
  Packed packed(values, 2, 3);
  float row[3];
  for (const size_t i : {0, 1}) {
    int8_unpack_row(packed.data(), 3, i, row);
    for (const float v : row) EXPECT_EQ(v, 0.0f);
  }
}

TEST(Int8Test, ProductHasTheBitsOfItsDefinition) {
  for (const size_t k : kWidths) {
    for (const size_t n : {1, 4, 6, 21}) {
      for (const size_t m : {0, 1, 2, 3, 4, 7}) {
        SCOPED_TRACE(::testing::Message() << "m " << m << " n " << n << " k " << k);
        Packed packed(random_values(n * k, 3), n, k);
        const Guarded x(random_values(m * k, 4, -5, 5), 1), bias(random_values(n, 5), 2);
        for (const float* b : {static_cast<const float*>(nullptr), bias.data()}) {
          Guarded y(m * n, 3), scratch(int8_scratch(m, k));
          std::vector<float> expected(m * n);
          int8_product(m, n, k, x.data(), packed.data(), b, y.data(), scratch.data());
          int8_product_reference(m, n, k, x.data(), packed.data(), b, expected.data());
          EXPECT_TRUE(y.intact());
          EXPECT_TRUE(scratch.intact());
          for (size_t i = 0; i < m * n; ++i) ASSERT_EQ(y[i], expected[i]) << i;
        }
      }
    }
  }
}

// Every number as large as it can be: sums of a block reach what 32 bits hold.
TEST(Int8Test, DoesNotOverflow) {
  constexpr size_t kWidth = 3072;
  const std::vector<float> w(kWidth, -0.5f), x(kWidth, 2.0f);
  Packed packed(w, 1, kWidth);
  std::vector<float> scratch(int8_scratch(1, kWidth));
  float y;
  int8_product(1, 1, kWidth, x.data(), packed.data(), nullptr, &y, scratch.data());
  EXPECT_NEAR(y, -3072.0f, 3072 * 1e-6f);  // exact but for scales and the sum of blocks
}

// Rounding moves a weight by at most half a step of its block, evenly spread: √(1/12) of one. Products of k such errors with
// values of deviation s add up to √k · s · step / √12; six of these deviations are not met by chance.
TEST(Int8Test, StaysNearTheProductOfFloats) {
  constexpr size_t kRows = 5, kOut = 64, kWidth = 768;
  const std::vector<float> w = random_values(kOut * kWidth, 6), x = random_values(kRows * kWidth, 7);
  Packed packed(w, kOut, kWidth);
  std::vector<float> scratch(int8_scratch(kRows, kWidth)), y(kRows * kOut);
  int8_product(kRows, kOut, kWidth, x.data(), packed.data(), nullptr, y.data(), scratch.data());
  const double bound = 6 * std::sqrt(768.0) * std::sqrt(1 / 3.0) / 127 / std::sqrt(12.0);
  double squares = 0;
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kOut; ++j) {
      double exact = 0;
      for (size_t p = 0; p < kWidth; ++p) exact += static_cast<double>(x[i * kWidth + p]) * w[j * kWidth + p];
      const double off = y[i * kOut + j] - exact;
      EXPECT_LT(std::abs(off), bound);
      squares += off * off;
    }
  }
  EXPECT_LT(std::sqrt(squares / (kRows * kOut)), bound / 5);
  EXPECT_GT(squares, 0);
}

TEST(Int8Test, WhatIsNotFiniteGivesNaN) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Packed packed(random_values(4 * 10, 8), 4, 10);
  std::vector<float> scratch(int8_scratch(2, 10));
  for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> x = random_values(20, 9), y(8);
    x[17] = bad;
    int8_product(2, 4, 10, x.data(), packed.data(), nullptr, y.data(), scratch.data());
    for (size_t j = 0; j < 4; ++j) {
      EXPECT_TRUE(std::isfinite(y[j]));
      EXPECT_TRUE(std::isnan(y[4 + j]));
    }
  }
}

}  // namespace
}  // namespace glass
