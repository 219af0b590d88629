// Rounding to eight bits and back, and the product as it is defined.
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/int8_layout.h"

namespace glass {

using namespace int8_layout;

namespace {

// The largest magnitude becomes 127, or `scale` is 0 where 1/scale would not be a float.
void round_block(const float* values, size_t columns, int8_t* scale_place, int8_t* bytes) {
  float largest = 0;
  for (size_t j = 0; j < columns; ++j) largest = std::max(largest, std::abs(values[j]));
  const float inverse = 127.0f / largest;
  const bool representable = inverse <= std::numeric_limits<float>::max();
  const float scale = representable ? largest / 127.0f : 0.0f;
  std::memcpy(scale_place, &scale, sizeof scale);
  for (size_t j = 0; j < padded(columns); ++j) {
    const float rounded = representable && j < columns ? std::nearbyint(values[j] * inverse) : 0.0f;
    bytes[place(j)] = static_cast<int8_t>(std::min(127.0f, std::max(-127.0f, rounded)));
  }
}

}  // namespace

size_t int8_size(size_t k, size_t n) { return (n + kInt8Rows - 1) / kInt8Rows * group_bytes(k); }

void int8_pack(const float* values, size_t first, size_t count, size_t k, int8_t* packed) {
  const size_t end = (count + kInt8Rows - 1) / kInt8Rows * kInt8Rows;
  for (size_t i = 0; i < end; ++i) {
    each_block(packed, k, first + i, [&](size_t column, size_t columns, int8_t* scale, int8_t* bytes) {
      if (i < count) return round_block(values + i * k + column, columns, scale, bytes);
      std::memset(scale, 0, sizeof(float));  // rows that fill the last group up
      for (size_t j = 0; j < padded(columns); ++j) bytes[place(j)] = 0;
    });
  }
}

void int8_unpack_row(const int8_t* packed, size_t k, size_t i, float* row) {
  each_block(packed, k, i, [&](size_t column, size_t columns, const int8_t* scale, const int8_t* bytes) {
    for (size_t j = 0; j < columns; ++j) row[column + j] = scale_at(scale) * static_cast<float>(bytes[place(j)]);
  });
}

void int8_product_reference(size_t m, size_t n, size_t k, const float* x, const int8_t* packed, const float* bias, float* y) {
  std::vector<int32_t> whole(k);
  for (size_t i = 0; i < m; ++i, x += k) {
    float largest = 0, rest = 0;
    for (size_t p = 0; p < k; ++p) {
      largest = std::max(largest, std::abs(x[p]));
      rest += x[p] - x[p];  // NaN if any is not finite
    }
    const float inverse = largest >= 1e-30f ? 32767.0f / largest : 0.0f, scale = largest * (1.0f / 32767.0f) + rest;
    for (size_t p = 0; p < k; ++p) whole[p] = rest == 0 ? static_cast<int32_t>(std::nearbyint(x[p] * inverse)) : 0;
    for (size_t j = 0; j < n; ++j) {
      float total = 0;
      each_block(packed, k, j, [&](size_t first, size_t columns, const int8_t* block_scale, const int8_t* bytes) {
        int32_t sum = 0;
        for (size_t p = 0; p < columns; ++p) sum += whole[first + p] * bytes[place(p)];
        total += static_cast<float>(sum) * scale_at(block_scale);
      });
      y[i * n + j] = total * scale + (bias ? bias[j] : 0.0f);
    }
  }
}

}  // namespace glass
