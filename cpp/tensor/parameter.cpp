#include "tensor/parameter.h"

#include <algorithm>

#include "kernels/gemm.h"
#include "kernels/int8.h"

namespace glass {
namespace {

size_t outputs(const Parameter& p) { return static_cast<size_t>(p.shape[0]); }
size_t inputs(const Parameter& p) { return static_cast<size_t>(p.shape[1]); }
size_t row_width(const Parameter& p) { return p.shape.rank() == 2 ? inputs(p) : 1; }
bool in_panels(const Parameter& p) { return p.layout == Layout::panels; }
bool in_bytes(const Parameter& p) { return p.layout == Layout::int8; }
int8_t* bytes_of(const Parameter& p) { return reinterpret_cast<int8_t*>(p.data); }

}  // namespace

Layout layout_in(const Parameter& p, Layout layout) {
  if (p.shape.rank() != 2) return Layout::rows;
  return layout == Layout::int8 && p.exact ? Layout::panels : layout;
}

// A weight [out, in] is packed as the right operand of y = x · Wᵀ: k runs over inputs, columns over outputs.
size_t stored_size(const Parameter& p, Layout layout) {
  if (p.shape.rank() != 2 || layout == Layout::rows) return p.size();
  if (layout == Layout::panels) return packed_size(inputs(p), outputs(p));
  return (int8_size(inputs(p), outputs(p)) + sizeof(float) - 1) / sizeof(float);
}

void copy_out(const Parameter& p, float* values) {
  if (in_panels(p))
    unpack(p.data, inputs(p), outputs(p), values, 1, static_cast<ptrdiff_t>(inputs(p)));
  else if (in_bytes(p))
    for (size_t i = 0; i < outputs(p); ++i) int8_unpack_row(bytes_of(p), inputs(p), i, values + i * inputs(p));
  else
    std::copy_n(p.data, p.size(), values);
}

void copy_in(const Parameter& p, const float* values) {
  if (in_panels(p))
    pack({values, 1, static_cast<ptrdiff_t>(inputs(p))}, inputs(p), outputs(p), p.data);
  else if (in_bytes(p))
    int8_pack(values, 0, outputs(p), inputs(p), bytes_of(p));
  else
    std::copy_n(values, p.size(), p.data);
}

Shape file_shape(const Parameter& p) {
  if (p.form == FileForm::transposed) return {p.shape[1], p.shape[0]};
  return p.form == FileForm::row ? Shape{1, p.shape[0]} : p.shape;
}

void to_file_order(const Parameter& p, const float* rows, float* values) {
  if (p.form != FileForm::transposed) {
    std::copy_n(rows, p.size(), values);
    return;
  }
  for (size_t o = 0; o < outputs(p); ++o)
    for (size_t i = 0; i < inputs(p); ++i) values[i * outputs(p) + o] = rows[o * inputs(p) + i];
}

void copy_to_file(const Parameter& p, float* values) {
  if (p.form != FileForm::transposed) return copy_out(p, values);
  std::vector<float> rows(p.size());
  copy_out(p, rows.data());
  to_file_order(p, rows.data(), values);
}

void copy_from_file(const Parameter& p, const float* values) {
  if (p.form != FileForm::transposed) return copy_in(p, values);
  std::vector<float> rows(p.size());
  for (size_t o = 0; o < outputs(p); ++o)
    for (size_t i = 0; i < inputs(p); ++i) rows[o * inputs(p) + i] = values[i * outputs(p) + o];
  copy_in(p, rows.data());
}

void copy_rows_in(const Parameter& p, size_t first, size_t count, const float* values) {
  const size_t width = row_width(p);
  if (in_panels(p))
    pack({values, 1, static_cast<ptrdiff_t>(width)}, width, count, p.data + packed_index(width, 0, first));
  else if (in_bytes(p))
    int8_pack(values, first, count, width, bytes_of(p));
  else
    std::copy_n(values, count * width, p.data + first * width);
}

size_t part_rows(const Parameter& p, size_t values) {
  const size_t together = in_panels(p) ? current_tile().cols : in_bytes(p) ? kInt8Rows : 1;
  const size_t step = together * std::max<size_t>(row_width(p), 1);
  return (values + step - 1) / step * together;
}

void copy_row(const Parameter& p, size_t i, float* out) {
  const size_t width = inputs(p);
  if (in_bytes(p)) return int8_unpack_row(bytes_of(p), width, i, out);
  if (!in_panels(p)) {
    std::copy_n(p.data + i * width, width, out);
    return;
  }
  const size_t step = current_tile().cols;  // a panel holds its columns side by side, one k after the other
  const float* value = p.data + packed_index(width, 0, i);
  for (size_t k = 0; k < width; ++k) out[k] = value[k * step];
}

void set_layout(Parameter& p, Layout layout) {
  if (p.layout == layout || p.shape.rank() != 2) return;
  std::vector<float> values(p.size());
  copy_out(p, values.data());
  p.layout = layout;
  copy_in(p, values.data());
}

void Gradients::freeze(const Parameter& parameter) {
  if (frozen_.empty()) frozen_.assign(values_.size(), false);
  frozen_[parameter.offset] = true;
}

void Gradients::clear() { std::fill(values_.begin(), values_.end(), 0.f); }

}  // namespace glass
