// Products with weights of eight bits: y = x · Wᵀ (+ bias), where W [n, k] is held as whole numbers from −127 to 127 with one
// scale for each row and block of kInt8Block columns. Rows of x become whole numbers of 16 bits with one scale each when they
// come, so that all products and sums within a block are exact in 32 bits: 512 · 127 · 32767 < 2³¹.
//
// Reading a quarter of the bytes is what makes one row of x fast, and pairs of 16-bit products are what makes many fast. A
// result depends on its row of x and its row of W only, not on how many rows are asked for at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glass {

inline constexpr size_t kInt8Block = 128;

// Bytes that a matrix [n, k] takes.
size_t int8_size(size_t k, size_t n);
// Four rows lie together, and only whole fours can be written apart from others.
inline constexpr size_t kInt8Rows = 4;
// Rounds `count` rows of `values` [count, k] to where rows `first`, … lie; first is a multiple of kInt8Rows, and so is count
// unless these are the last rows. `packed` must be 4-byte aligned.
void int8_pack(const float* values, size_t first, size_t count, size_t k, int8_t* packed);
// Row i as floats: each is a number of W times its scale.
void int8_unpack_row(const int8_t* packed, size_t k, size_t i, float* row);

// Floats of scratch memory that a product of m rows needs.
size_t int8_scratch(size_t m, size_t k);
// y[m, n] = x[m, k] · Wᵀ + bias; bias is [n] or null; x and y are dense, and y overlaps nothing. A row of x that is not finite
// gives NaN.
void int8_product(size_t m, size_t n, size_t k, const float* x, const int8_t* packed, const float* bias, float* y,
                  float* scratch);
// The same as it is defined, number by number, and with the same bits.
void int8_product_reference(size_t m, size_t n, size_t k, const float* x, const int8_t* packed, const float* bias, float* y);

}  // namespace glass
