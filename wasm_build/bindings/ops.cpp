// The public ops, by name, on arguments of any kind that they take.
#include "convert.h"
#include "functions.h"
#include "guarded.h"
#include "mistakes/mistakes.h"
#include "train/functional.h"

namespace glass::bindings {
namespace {

bool is_a(const val& value, const char* constructor) { return value.instanceof (val::global(constructor)); }

// { shape, data }, the data a Float32Array, an Int32Array or a Uint8Array
TensorArgument tensor_in(const val& given) {
  const val data = given["data"];
  TensorArgument tensor{shape_in(given["shape"]), {}};
  if (is_a(data, "Int32Array"))
    tensor.values = copy_in<int32_t>(data);
  else if (is_a(data, "Uint8Array"))
    tensor.values = copy_in<uint8_t>(data);
  else
    tensor.values = copy_in<float>(data);
  return tensor;
}

// JavaScript has seen to it that nothing contains itself.
Argument argument_in(const val& given) {
  if (given.isUndefined() || given.isNull()) return {};
  if (given.isTrue() || given.isFalse()) return {given.isTrue()};
  if (given.isNumber()) return {given.as<double>()};
  if (given.isString()) return {given.as<std::string>()};
  if (given.isArray()) {
    ListArgument list;
    for (const val& item : emscripten::vecFromJSArray<val>(given)) list.push_back(argument_in(item));
    return {std::move(list)};
  }
  if (!given["data"].isUndefined() && !given["shape"].isUndefined()) return {tensor_in(given)};
  ObjectArgument object;
  object.keys = emscripten::vecFromJSArray<std::string>(val::global("Object").call<val>("keys", given));
  for (const std::string& key : object.keys) object.values.push_back(argument_in(given[key]));
  return {std::move(object)};
}

std::vector<Argument> arguments_in(const val& list) { return std::get<ListArgument>(argument_in(list).value); }

val named_out(const std::vector<NamedTensor>& tensors) {
  val list = val::array();
  for (const NamedTensor& tensor : tensors) {
    val item = tensor_out(tensor.shape, tensor.values);
    set(item, "name", tensor.name);
    push(list, item);
  }
  return list;
}

std::span<const Op> ops(bool mistaken) { return mistaken ? kMistakes : std::span<const Op>(public_ops()); }

}  // namespace

val op_names() {
  return call_guarded([] {
    std::vector<std::string> names;
    for (const Op& op : public_ops()) names.emplace_back(op.name);
    return list_out(names);
  });
}

val op_call(const std::string& name, const val& args, bool mistaken) {
  return call_guarded([&] { return named_out(call(ops(mistaken), name, arguments_in(args))); });
}

val op_gradients(const std::string& name, const val& args, const val& upstream, bool mistaken) {
  return call_guarded([&] { return named_out(gradients(ops(mistaken), name, arguments_in(args), argument_in(upstream))); });
}

val op_measure(const std::string& name, const val& args, const val& upstream) {
  return call_guarded([&] {
    const Measured measured = measure(public_ops(), name, arguments_in(args), argument_in(upstream));
    val out = val::object();
    set(out, "macs", static_cast<double>(measured.macs));
    set(out, "peakBytes", static_cast<double>(measured.peak_bytes));
    return out;
  });
}

}  // namespace glass::bindings
