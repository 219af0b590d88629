// The fast product. For each part of x that the second cache holds, for each group of four rows of W: all rows of x, a few at
// a time. W is read once a part, and a group stays in the first cache while the rows of x go by.
#include <algorithm>
#include <cstring>

#include "kernels/int8_layout.h"
#include "kernels/simd.h"

namespace glass {

using namespace int8_layout;
using vec::Four;
using vec::Ints;
using vec::Shorts;

namespace {

constexpr size_t kTileRows = 3;            // rows of x at a time: 12 sums, which leaves four registers
constexpr size_t kPartBytes = 256 * 1024;  // of x

// Rows of x as whole numbers, `stride` apart, zeros from k on; `scales` turns them back.
struct Rounded {
  int16_t* values;
  float* scales;
  size_t stride;
};

// Adding 1.5 · 2^23 rounds to a whole number and leaves it in the low bits.
void round_row(const float* x, size_t k, size_t stride, int16_t* values, float* scale) {
  using vec::Floats;
  constexpr float kRound = 12582912.0f;
  Floats most{}, rest{};
  const auto take = [&](Floats v) {
    most = vec::max(most, vec::abs(v));
    rest += v - v;  // NaN where a value is not finite
  };
  vec::for_lanes(
      k, [&](size_t i) { take(vec::load(x + i)); }, [&](size_t i, size_t left) { take(vec::load_part(x + i, left)); });
  const float largest = vec::horizontal_max(most), wrong = vec::horizontal_sum(rest);
  *scale = largest * (1.0f / 32767.0f) + wrong;
  if (wrong != 0 || !(largest >= 1e-30f)) {  // below, x is 0 for all that a sum of floats keeps of it
    std::memset(values, 0, stride * sizeof(int16_t));
    return;
  }
  const float inverse = 32767.0f / largest;
  const auto put = [&](size_t i, Floats v, size_t count) {
    const vec::Bits low = vec::bits(v * inverse + kRound);
    uint32_t lanes[vec::kLanes];
    std::memcpy(lanes, &low, sizeof low);
    for (size_t l = 0; l < count; ++l) values[i + l] = static_cast<int16_t>(lanes[l]);
  };
  vec::for_lanes(
      k, [&](size_t i) { put(i, vec::load(x + i), vec::kLanes); },
      [&](size_t i, size_t left) { put(i, vec::load_part(x + i, left), left); });
  std::fill(values + k, values + stride, int16_t{0});
}

// R rows of x times one group: y[r] is four values. `steps` eights of columns in all.
using Micro = void (*)(size_t steps, const int16_t* x, size_t stride, const float* scales, const int8_t* group,
                       const float* bias, float* y, size_t ldy);
template <size_t R>
void micro(size_t steps, const int16_t* x, size_t stride, const float* scales, const int8_t* group, const float* bias, float* y,
           size_t ldy) {
  Four totals[R] = {};
  while (steps != 0) {
    float block_scales[4];
    std::memcpy(block_scales, group, sizeof block_scales);
    group += sizeof block_scales;
    size_t left = std::min(steps, kInt8Block / kStep);
    steps -= left;
    Ints sums[R][4] = {};
    for (; left != 0; --left) {
      Shorts w[4];
#pragma GCC unroll 4
      for (size_t j = 0; j < 4; ++j) w[j] = vec::load_bytes(group + j * kStep);
#pragma GCC unroll 4
      for (size_t r = 0; r < R; ++r) {
        const Shorts v = vec::load_shorts(x + r * stride);
#pragma GCC unroll 4
        for (size_t j = 0; j < 4; ++j) sums[r][j] += vec::dot_pairs(v, w[j]);
      }
      group += 4 * kStep;
      x += kStep;
    }
    const Four scale = vec::load_four(block_scales);
#pragma GCC unroll 4
    for (size_t r = 0; r < R; ++r)
      totals[r] += vec::to_floats(vec::sums_of(sums[r][0], sums[r][1], sums[r][2], sums[r][3])) * scale;
  }
  const Four start = vec::load_four(bias);
#pragma GCC unroll 4
  for (size_t r = 0; r < R; ++r) vec::store_four(y + r * ldy, totals[r] * scales[r] + start);
}

constexpr Micro kMicro[kTileRows] = {micro<1>, micro<2>, micro<3>};

// Hidden from the optimizer for the reasons given in gemm.cpp.
void run(Micro kernel, size_t steps, const int16_t* x, size_t stride, const float* scales, const int8_t* group,
         const float* bias, float* y, size_t ldy) {
  asm volatile("" : "+r"(kernel));
  kernel(steps, x, stride, scales, group, bias, y, ldy);
}

}  // namespace

size_t int8_scratch(size_t m, size_t k) { return m + (m * padded(k) + 1) / 2; }

void int8_product(size_t m, size_t n, size_t k, const float* x, const int8_t* packed, const float* bias, float* y,
                  float* scratch) {
  const Rounded rounded{reinterpret_cast<int16_t*>(scratch + m), scratch, padded(k)};
  for (size_t i = 0; i < m; ++i)
    round_row(x + i * k, k, rounded.stride, rounded.values + i * rounded.stride, rounded.scales + i);
  const size_t part = std::max<size_t>(kTileRows, kPartBytes / std::max<size_t>(1, rounded.stride * sizeof(int16_t)));
  for (size_t i0 = 0; i0 < m; i0 += part) {
    const size_t i1 = std::min(m, i0 + part);
    for (size_t j = 0; j < n; j += kInt8Rows) {
      const size_t width = std::min(kInt8Rows, n - j);
      float four[kInt8Rows] = {};
      if (bias) std::memcpy(four, bias + j, width * sizeof(float));
      const int8_t* group = packed + j / kInt8Rows * group_bytes(k);
      for (size_t i = i0; i < i1; i += kTileRows) {
        const size_t rows = std::min(kTileRows, i1 - i);
        const int16_t* values = rounded.values + i * rounded.stride;
        if (width == kInt8Rows) {
          run(kMicro[rows - 1], rounded.stride / kStep, values, rounded.stride, rounded.scales + i, group, four, y + i * n + j,
              n);
          continue;
        }
        float wide[kTileRows * kInt8Rows];
        run(kMicro[rows - 1], rounded.stride / kStep, values, rounded.stride, rounded.scales + i, group, four, wide, kInt8Rows);
        for (size_t r = 0; r < rows; ++r) std::memcpy(y + (i + r) * n + j, wide + r * kInt8Rows, width * sizeof(float));
      }
    }
  }
}

}  // namespace glass
