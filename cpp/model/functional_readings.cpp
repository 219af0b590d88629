#include "model/functional_readings.h"

#include <cmath>

#include "model/functional_parts.h"
#include "model/positions.h"
#include "tensor/error.h"

namespace glass::calls {
namespace {

// All axes of a shape but the last.
Shape rows_of(const Shape& shape) { return Shape(shape.extents().first(static_cast<size_t>(shape.rank() - 1))); }

}  // namespace

Outputs moments_op(Call& call) {
  const Tensor x = call.input("x");
  Tensor normed = call.cx.make(x.shape()), mean = call.cx.make(rows_of(x.shape())), deviation = call.cx.make(mean.shape());
  simd.layer_norm(x.data(), nullptr, nullptr, 0.f, normed.data(), mean.data(), deviation.data(), x.rows(), x.width());
  for (size_t row = 0; row < x.rows(); ++row) deviation.data()[row] = 1.f / deviation.data()[row];
  return {{"mean", mean}, {"deviation", deviation}};
}

Outputs largest_difference_op(Call& call) {
  const Tensor a = call.input("a"), b = call.input("b");
  check_shape("largestDifference: b", a.shape(), b.shape());
  Tensor largest = call.cx.zeros(rows_of(a.shape()));
  for (size_t i = 0; i < a.size(); ++i) {
    float& most = largest.data()[i / a.width()];
    const float difference = std::abs(a.data()[i] - b.data()[i]);
    if (!(difference <= most)) most = std::isnan(most) ? most : difference;
  }
  return only(largest);
}

Outputs wavelengths_op(Call& call) {
  const int64_t width = call.args.integer("dModel", 1);
  const bool halves = convention_is_halves(call);
  Tensor waves = call.cx.make({width});
  for (int64_t column = 0; column < width; ++column)
    waves.data()[column] = static_cast<float>(wavelength(column, width, halves));
  return only(waves);
}

}  // namespace glass::calls
