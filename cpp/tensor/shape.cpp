#include "tensor/shape.h"

#include "tensor/error.h"

namespace glass {

Shape::Shape(std::span<const int64_t> extents) {
  if (extents.size() > kMaxRank)
    throw_error(ErrorCode::bad_input, {"expected a shape of at most 5 axes, got ", extents.size()});
  constexpr int64_t kMost =
      sizeof(size_t) == 4 ? (int64_t{1} << 30) - 1 : int64_t{1} << 40;  // 32-bit addresses: 4 GB of floats
  int64_t product = 1;
  for (const int64_t extent : extents) {
    if (extent < 0) throw_error(ErrorCode::bad_input, {"expected no negative extent in a shape, got ", extent});
    if (extent > kMost || product * std::max<int64_t>(extent, 1) > kMost)
      throw_error(ErrorCode::out_of_memory, {"a tensor of over ", kMost, " values does not fit in memory"});
    product *= std::max<int64_t>(extent, 1);
    extents_[static_cast<size_t>(rank_++)] = extent;
  }
}

size_t Shape::size() const {
  size_t product = 1;
  for (const int64_t extent : extents()) product *= static_cast<size_t>(extent);
  return product;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (const int64_t extent : shape.extents()) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

void check_shape(const char* where, const Shape& expected, const Shape& got) {
  if (expected == got) return;
  throw_error(ErrorCode::bad_input, {where, ": expected shape ", expected, ", got ", got});
}

}  // namespace glass
