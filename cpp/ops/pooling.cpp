#include <algorithm>
#include <vector>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {

Tensor take_rows(const Context& cx, const Tensor& x, std::span<const int32_t> rows) {
  for (const int32_t row : rows)
    if (row < 0 || static_cast<size_t>(row) >= x.rows())
      throw_error(ErrorCode::bad_input, {"take_rows: expected rows from 0 to ", x.rows(), ", got ", row});
  Tensor y = cx.make({static_cast<int64_t>(rows.size()), x.dim(-1)});  // [N, width]
  simd.gather_rows(x.data(), rows.data(), y.data(), rows.size(), y.width());
  if (cx.tracks(x))
    cx.tape->record(y, [x, kept = std::vector<int32_t>(rows.begin(), rows.end())](const Tensor& y) {
      simd.scatter_add_rows(y.gradient(), kept.data(), x.gradient(), kept.size(), y.width());
    });
  return y;
}

Tensor mean_pool(const Context& cx, const Tensor& x, std::span<const int32_t> mask) {
  if (x.shape().rank() != 3 || mask.size() != static_cast<size_t>(x.dim(0) * x.dim(1)))
    throw_error(ErrorCode::bad_input,
                {"mean_pool: expected x [B, T, D] and a mask [B, T], got ", x.shape(), " and ", mask.size(), " mask values"});
  const size_t B = static_cast<size_t>(x.dim(0)), T = static_cast<size_t>(x.dim(1)), D = x.width();
  std::vector<float> share(mask.size(), 0.f);  // 1 / real tokens of the sequence, 0 on padding
  for (size_t b = 0; b < B; ++b) {
    const auto row = mask.subspan(b * T, T);
    const auto real = std::count_if(row.begin(), row.end(), [](int32_t m) { return m != 0; });
    for (size_t t = 0; t < T; ++t)
      if (row[t] != 0) share[b * T + t] = 1.f / static_cast<float>(real);
  }
  Tensor y = cx.zeros({x.dim(0), x.dim(2)});  // [B, D]
  for (size_t i = 0; i < share.size(); ++i)
    if (share[i] != 0.f) simd.axpy(share[i], x.data() + i * D, y.data() + i / T * D, D);

  if (cx.tracks(x))
    cx.tape->record(y, [x, share, T, D](const Tensor& y) {
      for (size_t i = 0; i < share.size(); ++i)
        if (share[i] != 0.f) simd.axpy(share[i], y.gradient() + i / T * D, x.gradient() + i * D, D);
    });
  return y;
}

}  // namespace glass
