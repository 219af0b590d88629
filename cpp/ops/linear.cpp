#include "kernels/gemm.h"
#include "kernels/int8.h"
#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {
namespace {

// x [N, in] · Wᵀ + b. A weight that lies in rows (while training) is packed for this call.
void multiply(const Context& cx, const Parameter& weight, const float* bias, const Tensor& x, Tensor& y) {
  const size_t rows = y.rows(), in = x.width(), out = y.width();  // x of width 0 does not tell its rows
  cx.count(rows, in, out);
  if (weight.layout == Layout::int8) {
    Tensor scratch = cx.make({static_cast<int64_t>(int8_scratch(rows, in))});
    int8_product(rows, out, in, x.data(), reinterpret_cast<const int8_t*>(weight.data), bias, y.data(), scratch.data());
    return;
  }
  Tensor panels;
  const float* packed = weight.data;
  if (weight.layout == Layout::rows) {
    panels = cx.make({static_cast<int64_t>(packed_size(in, out))});
    pack({weight.data, 1, static_cast<ptrdiff_t>(in)}, in, out, panels.data());
    packed = panels.data();
  }
  if (rows == 1)
    gemv(out, in, x.data(), packed, bias, y.data());
  else
    gemm(rows, out, in, {x.data(), static_cast<ptrdiff_t>(in), 1}, packed, bias, y.data(), out);
}

// dx += dy · W
void backward_input(const Context& cx, const Parameter& weight, const Tensor& x, const Tensor& y) {
  const size_t rows = x.rows(), in = x.width(), out = y.width();
  cx.count(rows, out, in);
  Tensor plain;
  const float* values = weight.data;
  if (weight.layout != Layout::rows) {
    plain = cx.make(weight.shape);
    copy_out(weight, plain.data());
    values = plain.data();
  }
  Tensor panels = cx.make({static_cast<int64_t>(packed_size(out, in))});
  pack({values, static_cast<ptrdiff_t>(in), 1}, out, in, panels.data());
  gemm(rows, in, out, {y.gradient(), static_cast<ptrdiff_t>(out), 1}, panels.data(), nullptr, x.gradient(), in, true);
}

// dW += dyᵀ · x
void backward_weight(const Context& cx, float* gradient, const Tensor& x, const Tensor& y) {
  const size_t rows = x.rows(), in = x.width(), out = y.width();
  cx.count(out, rows, in);
  Tensor panels = cx.make({static_cast<int64_t>(packed_size(rows, in))});
  pack({x.data(), static_cast<ptrdiff_t>(in), 1}, rows, in, panels.data());
  gemm(out, in, rows, {y.gradient(), 1, static_cast<ptrdiff_t>(out)}, panels.data(), nullptr, gradient, in, true);
}

}  // namespace

Tensor linear(const Context& cx, const Parameter& weight, const Parameter* bias, const Tensor& x) {
  if (x.shape().rank() < 1 || x.dim(-1) != weight.shape[1])
    throw_error(ErrorCode::bad_input, {weight.name, ": expected rows of ", weight.shape[1], " values, got shape ", x.shape()});
  std::vector<int64_t> extents(x.shape().extents().begin(), x.shape().extents().end());
  extents.back() = weight.shape[0];
  Tensor y = cx.make(Shape(extents));  // [..., out]
  multiply(cx, weight, bias ? bias->data : nullptr, x, y);

  if (cx.tracks(x) || cx.tracks(&weight) || cx.tracks(bias))
    cx.tape->record(y, [&weight, x, arena = &cx.arena, macs = cx.macs, dweight = cx.tape->gradient(weight),
                        dbias = bias ? cx.tape->gradient(*bias) : nullptr](const Tensor& y) {
      Context scratch{*arena};
      scratch.macs = macs;
      if (dbias) simd.sum_rows(y.gradient(), dbias, y.rows(), y.width());
      if (dweight) backward_weight(scratch, dweight, x, y);
      if (x.tracked()) backward_input(scratch, weight, x, y);
    });
  return y;
}

}  // namespace glass
