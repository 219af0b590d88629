#include "trace/trace.h"

#include <algorithm>

#include "io/text.h"
#include "model/names.h"
#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {
namespace {

std::vector<std::string> split(std::string_view dims) {
  std::vector<std::string> names;
  for (size_t at = 0; at < dims.size();) {
    const size_t end = std::min(dims.find(' ', at), dims.size());
    names.emplace_back(dims.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

// Which values of a tensor an edit selects: per axis a range [first, end).
struct Selection {
  std::vector<std::pair<int64_t, int64_t>> ranges;

  Shape shape() const {
    std::vector<int64_t> extents;
    for (const auto& [first, end] : ranges) extents.push_back(end - first);
    return Shape(extents);
  }

  bool contains(const Shape& shape, size_t index) const {
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      const int64_t extent = shape[axis], at = static_cast<int64_t>(index % static_cast<size_t>(extent));
      index /= static_cast<size_t>(extent);
      if (at < ranges[static_cast<size_t>(axis)].first || at >= ranges[static_cast<size_t>(axis)].second) return false;
    }
    return true;
  }
};

Selection select(const Edit& edit, const std::vector<std::string>& dims, const Shape& shape) {
  for (const auto& [dim, at] : edit.where)
    if (std::find(dims.begin(), dims.end(), dim) == dims.end())
      throw_error(ErrorCode::bad_input,
                  {"edit at ", edit.at, ": expected coordinates among ", join_names(dims), ", got ", in_quotes(dim)});
  Selection selection;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const int64_t extent = shape[static_cast<int>(axis)];
    const auto given = edit.where.find(dims[axis]);
    if (given == edit.where.end()) {
      selection.ranges.emplace_back(0, extent);
    } else {
      const int64_t at = given->second < 0 ? given->second + extent : given->second;
      if (at < 0 || at >= extent)
        throw_error(ErrorCode::bad_input,
                    {"edit at ", edit.at, ": expected ", dims[axis], " below ", extent, ", got ", given->second});
      selection.ranges.emplace_back(at, at + 1);
    }
  }
  return selection;
}

// The edit as an op: x · keep + values.
Tensor apply(const Context& cx, const Edit& edit, const std::vector<std::string>& dims, Tensor value) {
  const Selection selection = select(edit, dims, value.shape());
  const Shape selected = selection.shape();
  if (edit.shape && *edit.shape != selected)
    throw_error(ErrorCode::bad_input,
                {"edit at ", edit.at, ": expected values of shape ", selected, ", as in this run, got ", *edit.shape});
  if (edit.values.size() != 1 && edit.values.size() != selected.size())
    throw_error(ErrorCode::bad_input,
                {"edit at ", edit.at, ": expected 1 value or ", selected.size(), ", got ", edit.values.size()});
  std::vector<float> keep(value.size(), 1.f), values(value.size(), 0.f);
  size_t next = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    if (!selection.contains(value.shape(), i)) continue;
    const float given = edit.values[edit.values.size() == 1 ? 0 : next++];
    switch (edit.kind) {
      case Edit::Kind::set:
        keep[i] = 0.f;
        values[i] = given;
        break;
      case Edit::Kind::scale:
        keep[i] = given;
        break;
      case Edit::Kind::add:
        values[i] = given;
        break;
    }
  }
  return blend(cx, std::move(value), keep, values);
}

}  // namespace

Trace::Trace(std::vector<std::string> patterns, std::vector<Edit> edits)
    : patterns_(std::move(patterns)), edits_(std::move(edits)), pattern_met_(patterns_.size()), edit_met_(edits_.size()) {}

Tensor Trace::visit(const Context& cx, const std::string& name, std::string_view dims, Tensor value) {
  names_.push_back(name);
  const std::vector<std::string> axes = split(dims);
  for (size_t i = 0; i < edits_.size(); ++i) {
    if (edits_[i].at != name) continue;
    edit_met_[i] = true;
    value = apply(cx, edits_[i], axes, std::move(value));
  }
  bool wanted = false;
  for (size_t i = 0; i < patterns_.size(); ++i)
    if (matches_pattern(patterns_[i], name)) wanted = pattern_met_[i] = true;
  if (wanted) recorded_.push_back({name, axes, value});
  return value;
}

void Trace::check_all_met() const {
  const auto fail = [&](const char* what, const std::string& name) {
    throw_error(ErrorCode::not_found, {what, ": no hook ", in_quotes(name), "; nearest: ", join_names(nearest(name, names_))});
  };
  for (size_t i = 0; i < patterns_.size(); ++i)
    if (!pattern_met_[i]) fail("record", patterns_[i]);
  for (size_t i = 0; i < edits_.size(); ++i)
    if (!edit_met_[i]) fail("edits", edits_[i].at);
}

Tensor HookList::visit(const Context&, const std::string& name, std::string_view dims, Tensor value) {
  hooks.push_back({name, split(dims)});
  return value;
}

}  // namespace glass
