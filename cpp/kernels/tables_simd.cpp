// Fast rows of a table out and in: copies and sums of whole rows.
#include <cstring>

#include "kernels/implementations.h"

namespace glass::simd_impl {

void gather_rows(const float* table, const int32_t* ids, float* y, size_t count, size_t width) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(y + i * width, table + static_cast<size_t>(ids[i]) * width, width * sizeof(float));
  }
}
void scatter_add_rows(const float* dy, const int32_t* ids, float* dtable, size_t count, size_t width) {
  for (size_t i = 0; i < count; ++i) {
    float* row = dtable + static_cast<size_t>(ids[i]) * width;
    add(row, dy + i * width, row, width);
  }
}

}  // namespace glass::simd_impl
