// Between JavaScript's values and the core's. Everything is copied both ways: a view of wasm memory goes empty when the
// memory grows, so none is handed out.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "objects.h"
#include "tensor/tensor.h"

namespace glass::bindings {

using emscripten::val;

// A typed array with its own memory: Float32Array, Int32Array or Uint8Array.
template <typename T>
val copy_out(std::span<const T> values) {
  return val(emscripten::typed_memory_view(values.size(), values.data())).template call<val>("slice");
}
inline val copy_out(const std::vector<float>& values) { return copy_out(std::span<const float>(values)); }
inline val copy_out(const std::vector<uint8_t>& values) { return copy_out(std::span<const uint8_t>(values)); }

// Typed arrays in; undefined or null gives nothing.
template <typename T>
std::vector<T> copy_in(const val& array) {
  if (array.isUndefined() || array.isNull()) return {};
  return emscripten::convertJSArrayToNumberVector<T>(array);
}

inline val list_out(std::span<const int64_t> values) {
  val list = val::array();
  for (size_t i = 0; i < values.size(); ++i) list.set(i, static_cast<double>(values[i]));
  return list;
}
inline val list_out(const std::vector<std::string>& values) {
  val list = val::array();
  for (size_t i = 0; i < values.size(); ++i) list.set(i, values[i]);
  return list;
}

inline Shape shape_in(const val& list) {
  std::vector<int64_t> extents;
  for (const double extent : emscripten::convertJSArrayToNumberVector<double>(list))
    extents.push_back(static_cast<int64_t>(extent));
  return Shape(std::span<const int64_t>(extents));
}

// { shape, data }
inline val tensor_out(const Shape& shape, std::span<const float> values) {
  val tensor = val::object();
  set(tensor, "shape", list_out(shape.extents()));
  set(tensor, "data", copy_out(values));
  return tensor;
}
inline val tensor_out(const Tensor& tensor) { return tensor_out(tensor.shape(), {tensor.data(), tensor.size()}); }

}  // namespace glass::bindings
