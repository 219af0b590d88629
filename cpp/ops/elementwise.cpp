// Sums, scaling, blending, activations and dropout: ops on one value at a time.
#include <algorithm>
#include <string>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {

Tensor add(const Context& cx, Tensor a, const Tensor& b) {
  const size_t period = b.size();
  if (period == 0 ? a.size() != 0 : a.size() % period != 0)
    throw_error(ErrorCode::bad_input, {"add: shapes ", a.shape(), " and ", b.shape(), " do not fit"});
  const bool recorded = cx.tracks(a) || cx.tracks(b);
  Tensor left = recorded ? a : Tensor();  // while it is held, `a` is not overwritten
  const float* values = a.data();
  Tensor y = cx.reuse(a);
  for (size_t i = 0; i < y.size(); i += period) simd.add(values + i, b.data(), y.data() + i, period);

  if (recorded)
    cx.tape->record(y, [a = left, b](const Tensor& y) {
      const float* dy = y.gradient();
      if (a.tracked()) simd.axpy(1.f, dy, a.gradient(), y.size());
      if (b.tracked())
        for (size_t i = 0; i < y.size(); i += b.size()) simd.axpy(1.f, dy + i, b.gradient(), b.size());
    });
  return y;
}

Tensor scale(const Context& cx, float s, Tensor x) {
  Tensor input = cx.tracks(x) ? x : Tensor();
  const float* values = x.data();
  Tensor y = cx.reuse(x);
  simd.scale(s, values, y.data(), y.size());
  if (input) cx.tape->record(y, [x = input, s](const Tensor& y) { simd.axpy(s, y.gradient(), x.gradient(), y.size()); });
  return y;
}

Tensor blend(const Context& cx, Tensor x, std::span<const float> keep, std::span<const float> values) {
  if (keep.size() != x.size() || values.size() != x.size())
    throw_error(ErrorCode::bad_input, {"blend: expected ", x.size(), " factors and values"});
  Tensor y = cx.make(x.shape());
  for (size_t i = 0; i < y.size(); ++i) y.data()[i] = keep[i] == 0.f ? values[i] : x.data()[i] * keep[i] + values[i];
  if (cx.tracks(x))
    cx.tape->record(y, [x, kept = std::vector<float>(keep.begin(), keep.end())](const Tensor& y) {
      simd.multiply_add(y.gradient(), kept.data(), x.gradient(), y.size());
    });
  return y;
}

Tensor activate(const Context& cx, Activation f, Tensor x) {
  Tensor input = cx.tracks(x) ? x : Tensor();
  const float* values = x.data();
  Tensor y = cx.reuse(x);
  simd.activate(f, values, y.data(), y.size());
  if (input)
    cx.tape->record(
        y, [x = input, f](const Tensor& y) { simd.activate_backward(f, x.data(), y.gradient(), x.gradient(), y.size()); });
  return y;
}

Tensor dropout(const Context& cx, float rate, Tensor x) {
  if (cx.dropout_rate >= 0.f) rate = cx.dropout_rate;
  if (!cx.random || rate <= 0.f) return x;
  Tensor mask = cx.make(x.shape());
  const float kept = 1.f / (1.f - rate);
  std::generate_n(mask.data(), mask.size(), [&] { return cx.random->uniform() < rate ? 0.f : kept; });
  Tensor input = cx.tracks(x) ? x : Tensor();
  const float* values = x.data();
  Tensor y = cx.reuse(x);
  simd.multiply(values, mask.data(), y.data(), y.size());
  if (input)
    cx.tape->record(
        y, [x = input, mask](const Tensor& y) { simd.multiply_add(y.gradient(), mask.data(), x.gradient(), y.size()); });
  return y;
}

}  // namespace glass
