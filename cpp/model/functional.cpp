// How a call runs: arguments by name, the op, its results or gradients. The ops are in functional_ops.cpp.
#include "model/functional.h"

#include <algorithm>

#include "io/text.h"
#include "model/names.h"
#include "tensor/error.h"

namespace glass {
namespace {

const Op& find_op(std::span<const Op> ops, std::string_view name) {
  const auto found = std::find_if(ops.begin(), ops.end(), [&](const Op& op) { return op.name == name; });
  if (found != ops.end()) return *found;
  std::vector<std::string> names;
  for (const Op& op : ops) names.emplace_back(op.name);
  throw_error(ErrorCode::not_found, {"no op ", in_quotes(name), "; nearest: ", join_names(nearest(name, names))});
}

Fields by_name(const Op& op, std::span<const Argument> args) {
  Fields fields{std::string(op.name), ""};
  size_t next = 0;
  for (std::string_view rest = op.signature; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (next < args.size()) fields.add(std::string(rest.substr(0, end)), args[next++]);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (next == args.size()) return fields;
  const auto* options = std::get_if<ObjectArgument>(&args[next].value);
  if (options) fields.add_all(*options);
  std::string names(op.signature);
  for (size_t at = 0; (at = names.find(' ', at)) != std::string::npos; at += 2) names.replace(at, 1, ", ");
  const bool absent = std::holds_alternative<std::monostate>(args[next].value);
  if ((!options && !absent) || next + 1 < args.size())
    throw_error(ErrorCode::bad_input, {op.name, ": expected the arguments (", names, ") and an object of options, got ",
                                       args.size(), " with ", describe(args[next]), " after those"});
  return fields;
}

// All floats in the arguments: no more than that can become parameters.
size_t count_floats(std::span<const Argument> args) {
  size_t total = 0;
  for (const Argument& argument : args) {
    if (const auto* tensor = std::get_if<TensorArgument>(&argument.value)) total += tensor->shape.size();
    if (const auto* list = std::get_if<ListArgument>(&argument.value)) total += count_floats(*list);
    if (const auto* object = std::get_if<ObjectArgument>(&argument.value)) total += count_floats(object->values);
  }
  return total;
}

Outputs compute(const Op& op, Call& call) {
  Outputs outputs = op.compute(call);
  call.args.refuse_unread();
  return outputs;
}

// Forward and backward.
void run_both(const Op& op, Call& call, const Argument& upstream) {
  const Tensor root = compute(op, call).front().second;
  if (const double* number = std::get_if<double>(&upstream.value); number && root.shape().rank() == 0) {
    const float value = static_cast<float>(*number);
    call.run_backward(root, &value);
    return;
  }
  Fields fields{std::string(op.name), ""};
  fields.add("upstream", upstream);
  check_shape((std::string(op.name) + ": upstream").c_str(), root.shape(), fields.tensor("upstream").shape);
  call.run_backward(root, fields.floats("upstream").data());
}

}  // namespace

Call::Call(Fields arguments, size_t most_parameters, bool differentiate)
    : args(std::move(arguments)),
      cx{.arena = arena_, .tape = differentiate ? &tape_ : nullptr, .macs = &macs_},
      gradients_(differentiate ? most_parameters : 0),
      tape_(&gradients_) {}

Tensor Call::copy_of(const Shape& shape, const std::vector<float>& values) {
  const size_t before = arena_.bytes_in_use();
  Tensor copy = cx.make(shape);
  std::copy(values.begin(), values.end(), copy.data());
  given_bytes_ += arena_.bytes_in_use() - before;
  return copy;
}

Tensor Call::input(std::string_view name) {
  const std::vector<float>& values = args.floats(name);
  const Shape& shape = args.tensor(name).shape;
  if (shape.rank() == 0) args.refuse(name, "a tensor with at least one axis", "a single value");
  Tensor x = copy_of(shape, values);
  x.set_tracked(cx.tape != nullptr);
  inputs_.emplace_back(name, x);
  return x;
}

const Parameter* Call::find_parameter(Fields& from, std::string_view name, std::initializer_list<int64_t> extents) {
  return from.find(name) ? &parameter(from, name, extents) : nullptr;
}

const Parameter& Call::parameter(Fields& from, std::string_view name, std::initializer_list<int64_t> extents) {
  const std::vector<float>& values = from.floats(name);
  const Shape& shape = from.tensor(name).shape;
  const auto fits = [](int64_t got, int64_t expected) { return expected == kAny || got == expected; };
  if (!std::equal(shape.extents().begin(), shape.extents().end(), extents.begin(), extents.end(), fits)) {
    std::string expected;
    for (const int64_t extent : extents)
      expected += (expected.empty() ? "" : ", ") + (extent == kAny ? "any" : std::to_string(extent));
    from.refuse(name, "shape [" + expected + "]", to_string(shape));
  }
  Tensor copy = copy_of(shape, values);
  values_.push_back(copy);
  Parameter& p = parameters_.emplace_back();
  p.name = from.full_name(name);
  p.shape = shape;
  p.data = copy.data();
  p.offset = next_offset_;
  next_offset_ += p.size();
  return p;
}

const Parameter* Call::part(const Parameter* whole, int64_t i, int64_t n) {
  if (!whole) return nullptr;
  Parameter& p = parts_.emplace_back(*whole);
  const int64_t rows = whole->shape[0] / n;
  p.shape = whole->shape.rank() == 2 ? Shape{rows, whole->shape[1]} : Shape{rows};
  p.data += static_cast<size_t>(i) * p.size();
  p.offset += static_cast<size_t>(i) * p.size();
  return &p;
}

std::vector<NamedTensor> Call::gradients() {
  std::vector<NamedTensor> result;
  for (const auto& [name, x] : inputs_) result.push_back({name, x.shape(), {x.gradient(), x.gradient() + x.size()}});
  for (const Parameter& p : parameters_) result.push_back({p.name, p.shape, {gradients_.of(p), gradients_.of(p) + p.size()}});
  return result;
}

std::vector<NamedTensor> call(std::span<const Op> ops, std::string_view name, std::span<const Argument> args) {
  const Op& op = find_op(ops, name);
  Call call(by_name(op, args), 0, false);
  std::vector<NamedTensor> result;
  for (const auto& [label, x] : compute(op, call)) result.push_back({label, x.shape(), {x.data(), x.data() + x.size()}});
  return result;
}

std::vector<NamedTensor> gradients(std::span<const Op> ops, std::string_view name, std::span<const Argument> args,
                                   const Argument& upstream) {
  const Op& op = find_op(ops, name);
  if (!op.differentiable) throw_error(ErrorCode::bad_input, {name, " has no gradient"});
  Call call(by_name(op, args), count_floats(args), true);
  run_both(op, call, upstream);
  return call.gradients();
}

Measured measure(std::span<const Op> ops, std::string_view name, std::span<const Argument> args, const Argument& upstream) {
  const Op& op = find_op(ops, name);
  const bool both = !std::holds_alternative<std::monostate>(upstream.value);
  if (both && !op.differentiable) throw_error(ErrorCode::bad_input, {name, " has no gradient"});
  Call call(by_name(op, args), both ? count_floats(args) : 0, both);
  if (both)
    run_both(op, call, upstream);
  else
    compute(op, call);
  return {call.macs(), call.peak_bytes()};
}

}  // namespace glass
