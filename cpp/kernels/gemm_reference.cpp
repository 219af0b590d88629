// Matrix multiplication as it is defined. Sums are in double, so that the reference itself loses nothing.
#include "kernels/gemm.h"

namespace glass {

void gemm_reference(size_t m, size_t n, size_t k, Strided a, Strided b, const float* bias, float* c, size_t ldc,
                    bool accumulate) {
  const auto at = [](Strided s, size_t i, size_t j) {
    return static_cast<double>(s.data[static_cast<ptrdiff_t>(i) * s.row + static_cast<ptrdiff_t>(j) * s.col]);
  };
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double total = accumulate ? c[i * ldc + j] : bias ? bias[j] : 0.0f;
      for (size_t p = 0; p < k; ++p) total += at(a, i, p) * at(b, p, j);
      c[i * ldc + j] = static_cast<float>(total);
    }
  }
}

}  // namespace glass
