// Conversions against definitions written with ldexp and comparisons only, over all halves and around every rounding border.
#include "io/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace glass {
namespace {

constexpr uint32_t kSign = 0x80000000u;

// IEEE 754 binary16, read off its definition.
double value_of_f16(uint16_t half) {
  const int exponent = (half >> 10) & 0x1f;
  const int mantissa = half & 0x3ff;
  const double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

double value_of_bf16(uint16_t half) {
  const int exponent = (half >> 7) & 0xff;
  const int mantissa = half & 0x7f;
  const double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 255) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(mantissa, -133);
  return sign * std::ldexp(128 + mantissa, exponent - 134);
}

// The positive finite half nearest to `value` > 0, the even one of two equally near; `infinity` (one more than the largest
// finite) stands for the next power of two, which is how IEEE 754 rounds overflow. Halves of one sign are ordered as their
// bits.
template <typename ValueOf>
uint16_t nearest(double value, uint16_t infinity, ValueOf value_of) {
  const auto extended = [&](int half) {
    return half < infinity ? value_of(static_cast<uint16_t>(half))
                           : 2 * value_of(static_cast<uint16_t>(infinity - 1)) - value_of(static_cast<uint16_t>(infinity - 2));
  };
  int low = 0;
  int high = infinity;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (extended(middle) <= value ? low : high) = middle;
  }
  const double below = value - extended(low);
  const double above = extended(high) - value;
  if (below != above) return static_cast<uint16_t>(below < above ? low : high);
  return static_cast<uint16_t>(low % 2 == 0 ? low : high);
}

// The F32 numbers that decide whether a narrowing rounds right: each positive half, the middle to the next one, their
// neighbours.
template <typename ValueOf>
std::vector<float> borders(uint16_t infinity, ValueOf value_of) {
  std::vector<float> values;
  for (int half = 0; half < infinity; ++half) {
    const double value = value_of(static_cast<uint16_t>(half));
    const double next =
        half + 1 < infinity ? value_of(static_cast<uint16_t>(half + 1)) : 2 * value - value_of(static_cast<uint16_t>(half - 1));
    for (double border : {value, (value + next) / 2}) {
      const auto exact = static_cast<float>(border);
      EXPECT_EQ(exact, border);  // both fit an F32
      values.insert(values.end(), {std::nextafterf(exact, 0.0f), exact, std::nextafterf(exact, INFINITY)});
    }
  }
  return values;
}

template <typename ValueOf>
void expect_narrows(uint16_t (*narrow)(float), uint16_t infinity, ValueOf value_of, const std::vector<float>& values) {
  int wrong = 0;
  for (float value : values) {
    const uint16_t expected = value == 0 ? 0 : std::isinf(value) ? infinity : nearest(value, infinity, value_of);
    if (narrow(value) != expected || narrow(-value) != (expected | 0x8000)) {
      if (++wrong < 10) ADD_FAILURE() << value << " became " << narrow(value) << ", expected " << expected;
    }
  }
  EXPECT_EQ(wrong, 0);
}

std::vector<float> random_magnitudes(int count) {
  std::mt19937 bits(20);
  std::vector<float> values;
  while (static_cast<int>(values.size()) < count) {
    const float value = float_of_bits(static_cast<uint32_t>(bits()) & ~kSign);
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

TEST(Half, EveryF16BecomesItsValue) {
  for (uint32_t half = 0; half <= 0xffff; ++half) {
    const float got = f16_to_f32(static_cast<uint16_t>(half));
    const double expected = value_of_f16(static_cast<uint16_t>(half));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << half;
    } else {
      ASSERT_EQ(got, expected) << half;
    }
    ASSERT_EQ(std::signbit(got), (half & 0x8000) != 0) << half;  // of zeros and NaNs too
  }
}

TEST(Half, EveryBf16BecomesItsValue) {
  for (uint32_t half = 0; half <= 0xffff; ++half) {
    const float got = bf16_to_f32(static_cast<uint16_t>(half));
    const double expected = value_of_bf16(static_cast<uint16_t>(half));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << half;
    } else {
      ASSERT_EQ(got, expected) << half;
    }
    ASSERT_EQ(std::signbit(got), (half & 0x8000) != 0) << half;
  }
}

TEST(Half, EveryHalfSurvivesTheRoundTrip) {
  for (uint32_t i = 0; i <= 0xffff; ++i) {
    const auto half = static_cast<uint16_t>(i);
    if (!std::isnan(value_of_f16(half))) {
      ASSERT_EQ(f32_to_f16(f16_to_f32(half)), half);
    }
    if (!std::isnan(value_of_bf16(half))) {
      ASSERT_EQ(f32_to_bf16(bf16_to_f32(half)), half);
    }
  }
}

TEST(Half, F16RoundsToNearestEvenAtEveryBorder) {
  expect_narrows(f32_to_f16, 0x7c00, value_of_f16, borders(0x7c00, value_of_f16));
}

TEST(Half, Bf16RoundsToNearestEvenAtEveryBorder) {
  // Past the largest finite BF16 the middle to the next power of two is still an F32; its neighbour above rounds to infinity.
  expect_narrows(f32_to_bf16, 0x7f80, value_of_bf16, borders(0x7f80, value_of_bf16));
}

TEST(Half, RandomNumbersRoundToNearestEven) {
  const std::vector<float> values = random_magnitudes(200'000);
  expect_narrows(f32_to_f16, 0x7c00, value_of_f16, values);
  expect_narrows(f32_to_bf16, 0x7f80, value_of_bf16, values);
}

TEST(Half, SpecialValuesNarrow) {
  EXPECT_EQ(f32_to_f16(65519.996f), 0x7bff);
  EXPECT_EQ(f32_to_f16(65520.0f), 0x7c00);
  EXPECT_EQ(f32_to_f16(-1e30f), 0xfc00);
  EXPECT_EQ(f32_to_f16(0x1p-25f), 0x0000);  // halfway to the smallest denormal: even is zero
  EXPECT_EQ(f32_to_f16(std::nextafterf(0x1p-25f, 1.0f)), 0x0001);
  EXPECT_EQ(f32_to_f16(-0.0f), 0x8000);
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::denorm_min()), 0x0000);
  // NaNs with a payload only in the bits that are dropped, and with all payload bits, of both signs.
  for (uint32_t nan : {0x7f800001u, 0x7fffffffu, 0x7fc00000u, 0xff800001u, 0xffffffffu}) {
    const uint16_t f16 = f32_to_f16(float_of_bits(nan));
    const uint16_t bf16 = f32_to_bf16(float_of_bits(nan));
    EXPECT_TRUE(std::isnan(value_of_f16(f16))) << nan;
    EXPECT_TRUE(std::isnan(value_of_bf16(bf16))) << nan;
    EXPECT_EQ(f16 >> 15, nan >> 31);
    EXPECT_EQ(bf16 >> 15, nan >> 31);
  }
}

TEST(Half, LoopsEqualTheSingleConversionsAtAnyLengthAndAddress) {
  const std::vector<float> values = random_magnitudes(67);
  for (size_t count : {0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 67}) {
    for (size_t shift : {0, 1, 2, 3}) {
      const std::span<const float> in(values.data(), count);
      std::vector<uint8_t> bytes(shift + 2 * count + 1, 0xcc);
      std::vector<float> back(count);
      for (bool brain : {false, true}) {
        uint8_t* halves = bytes.data() + shift;
        brain ? f32_to_bf16(in, halves) : f32_to_f16(in, halves);
        brain ? bf16_to_f32(halves, back) : f16_to_f32(halves, back);
        for (size_t i = 0; i < count; ++i) {
          const uint16_t half = brain ? f32_to_bf16(in[i]) : f32_to_f16(in[i]);
          ASSERT_EQ(halves[2 * i] | (halves[2 * i + 1] << 8), half);
          ASSERT_EQ(back[i], brain ? bf16_to_f32(half) : f16_to_f32(half));
        }
        ASSERT_EQ(bytes.back(), 0xcc);
      }
    }
  }
}

}  // namespace
}  // namespace glass
