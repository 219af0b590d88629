// Reference: rows of a table out and in.
#include "kernels/implementations.h"

namespace glass::scalar_impl {

void gather_rows(const float* table, const int32_t* ids, float* y, size_t count, size_t width) {
  for (size_t i = 0; i < count; ++i) {
    const float* row = table + static_cast<size_t>(ids[i]) * width;
    for (size_t j = 0; j < width; ++j) y[i * width + j] = row[j];
  }
}
void scatter_add_rows(const float* dy, const int32_t* ids, float* dtable, size_t count, size_t width) {
  for (size_t i = 0; i < count; ++i) {
    float* row = dtable + static_cast<size_t>(ids[i]) * width;
    for (size_t j = 0; j < width; ++j) row[j] += dy[i * width + j];
  }
}

}  // namespace glass::scalar_impl
