#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {
namespace {

void check_width(const Parameter* p, const Tensor& x, const char* op) {
  if (p && p->size() != x.width())
    throw_error(ErrorCode::bad_input, {op, ": ", p->name, " has ", p->size(), " values, the rows have ", x.width()});
}

const float* values_of(const Parameter* p) { return p ? p->data : nullptr; }
float* gradient_of(const Context& cx, const Parameter* p) { return p ? cx.tape->gradient(*p) : nullptr; }

}  // namespace

Tensor layer_norm(const Context& cx, const Parameter* weight, const Parameter* bias, float eps, Tensor x) {
  check_width(weight, x, "layer_norm");
  check_width(bias, x, "layer_norm");
  const int64_t rows = static_cast<int64_t>(x.rows());
  const float* values = x.data();
  if (!(cx.tracks(x) || cx.tracks(weight) || cx.tracks(bias))) {
    Tensor y = cx.reuse(x);
    simd.layer_norm(values, values_of(weight), values_of(bias), eps, y.data(), nullptr, nullptr, y.rows(), y.width());
    return y;
  }
  Tensor y = cx.make(x.shape()), mean = cx.make({rows}), rstd = cx.make({rows});
  simd.layer_norm(values, values_of(weight), values_of(bias), eps, y.data(), mean.data(), rstd.data(), y.rows(), y.width());
  cx.tape->record(y, [x, mean, rstd, w = values_of(weight), dweight = gradient_of(cx, weight),
                      dbias = gradient_of(cx, bias)](const Tensor& y) {
    simd.layer_norm_backward(x.data(), w, mean.data(), rstd.data(), y.gradient(), x.tracked() ? x.gradient() : nullptr, dweight,
                             dbias, y.rows(), y.width());
  });
  return y;
}

Tensor rms_norm(const Context& cx, const Parameter* weight, float eps, Tensor x) {
  check_width(weight, x, "rms_norm");
  const int64_t rows = static_cast<int64_t>(x.rows());
  const float* values = x.data();
  if (!(cx.tracks(x) || cx.tracks(weight))) {
    Tensor y = cx.reuse(x);
    simd.rms_norm(values, values_of(weight), eps, y.data(), nullptr, y.rows(), y.width());
    return y;
  }
  Tensor y = cx.make(x.shape()), rrms = cx.make({rows});
  simd.rms_norm(values, values_of(weight), eps, y.data(), rrms.data(), y.rows(), y.width());
  cx.tape->record(y, [x, rrms, w = values_of(weight), dweight = gradient_of(cx, weight)](const Tensor& y) {
    simd.rms_norm_backward(x.data(), w, rrms.data(), y.gradient(), x.tracked() ? x.gradient() : nullptr, dweight, y.rows(),
                           y.width());
  });
  return y;
}

}  // namespace glass
