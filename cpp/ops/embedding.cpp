#include <vector>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {

Tensor embedding(const Context& cx, const Parameter& table, std::span<const int32_t> ids) {
  const int64_t entries = table.shape[0], width = table.shape[1];
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] >= entries)
      throw_error(ErrorCode::bad_input,
                  {table.name, ": expected ids from 0 to ", entries - 1, ", got ", ids[i], " at position ", i});
  Tensor y = cx.make({static_cast<int64_t>(ids.size()), width});  // [N, width]
  if (table.layout == Layout::rows)
    simd.gather_rows(table.data, ids.data(), y.data(), ids.size(), y.width());
  else
    for (size_t i = 0; i < ids.size(); ++i) copy_row(table, static_cast<size_t>(ids[i]), y.data() + i * y.width());

  if (cx.tracks(&table))
    cx.tape->record(y, [kept = std::vector<int32_t>(ids.begin(), ids.end()), grad = cx.tape->gradient(table)](const Tensor& y) {
      simd.scatter_add_rows(y.gradient(), kept.data(), grad, kept.size(), y.width());
    });
  return y;
}

}  // namespace glass
