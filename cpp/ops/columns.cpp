// Parts of rows, axes changing places, products and added vectors: how joined projections come apart, and what gated layers and
// biased logits need.
#include <algorithm>
#include <vector>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {

Tensor take_part(const Context& cx, const Tensor& x, int64_t groups, int64_t i, int64_t n) {
  if (x.shape().rank() < 1 || groups < 1 || n < 1 || i < 0 || i >= n || x.dim(-1) % (groups * n) != 0)
    throw_error(ErrorCode::bad_input,
                {"take_part: rows of shape ", x.shape(), " have no ", n, " equal parts in ", groups, " groups"});
  const size_t width = x.width() / static_cast<size_t>(groups * n), step = width * static_cast<size_t>(n);
  const size_t runs = x.size() / step, at = static_cast<size_t>(i) * width;
  std::vector<int64_t> extents(x.shape().extents().begin(), x.shape().extents().end());
  extents.back() /= n;
  Tensor y = cx.make(Shape(extents));
  for (size_t run = 0; run < runs; ++run) std::copy_n(x.data() + run * step + at, width, y.data() + run * width);
  if (cx.tracks(x))
    cx.tape->record(y, [x, runs, step, at, width](const Tensor& y) {
      for (size_t run = 0; run < runs; ++run) simd.axpy(1.f, y.gradient() + run * width, x.gradient() + run * step + at, width);
    });
  return y;
}

Tensor swap_middle(const Context& cx, const Tensor& x) {
  if (x.shape().rank() != 4) throw_error(ErrorCode::bad_input, {"swap_middle: expected four axes, got shape ", x.shape()});
  const size_t A = static_cast<size_t>(x.dim(0)), B = static_cast<size_t>(x.dim(1)), C = static_cast<size_t>(x.dim(2)),
               D = static_cast<size_t>(x.dim(3));
  // Calls `visit` with where each row of D values is before and after.
  const auto each_row = [=](const auto& visit) {
    for (size_t i = 0; i < A * B * C; ++i) visit(i * D, ((i / (B * C) * C + i % C) * B + i / C % B) * D);
  };
  Tensor y = cx.make({x.dim(0), x.dim(2), x.dim(1), x.dim(3)});
  each_row([&](size_t from, size_t to) { std::copy_n(x.data() + from, D, y.data() + to); });
  if (cx.tracks(x))
    cx.tape->record(y, [x, each_row, D](const Tensor& y) {
      each_row([&](size_t from, size_t to) { simd.axpy(1.f, y.gradient() + to, x.gradient() + from, D); });
    });
  return y;
}

Tensor multiply(const Context& cx, const Tensor& a, const Tensor& b) {
  check_shape("multiply", a.shape(), b.shape());
  Tensor y = cx.make(a.shape());
  simd.multiply(a.data(), b.data(), y.data(), y.size());
  if (cx.tracks(a) || cx.tracks(b))
    cx.tape->record(y, [a, b](const Tensor& y) {
      if (a.tracked()) simd.multiply_add(y.gradient(), b.data(), a.gradient(), y.size());
      if (b.tracked()) simd.multiply_add(y.gradient(), a.data(), b.gradient(), y.size());
    });
  return y;
}

Tensor add_vector(const Context& cx, const Parameter& b, Tensor x) {
  if (b.size() != x.width())
    throw_error(ErrorCode::bad_input, {b.name, ": expected rows of ", b.size(), " values, got shape ", x.shape()});
  const bool recorded = cx.tracks(x) || cx.tracks(&b);
  Tensor input = recorded ? x : Tensor();
  const float* values = x.data();
  Tensor y = cx.reuse(x);
  simd.add_row(values, b.data, y.data(), y.rows(), y.width());
  if (recorded)
    cx.tape->record(y, [x = input, db = cx.tape->gradient(b)](const Tensor& y) {
      if (db) simd.sum_rows(y.gradient(), db, y.rows(), y.width());
      if (x.tracked()) simd.axpy(1.f, y.gradient(), x.gradient(), y.size());
    });
  return y;
}

}  // namespace glass
