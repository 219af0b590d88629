#include "model/argument.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/text.h"
#include "model/names.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr double kMostFloat = std::numeric_limits<float>::max();
constexpr double kMostId = 2147483647.0;
constexpr double kMostExact = 9007199254740992.0;  // 2^53: whole numbers up to here are exact in a double

template <class T>
const T* as(const Argument* argument) {
  return argument ? std::get_if<T>(&argument->value) : nullptr;
}

size_t count(const TensorArgument& tensor) {
  return std::visit([](const auto& values) { return values.size(); }, tensor.values);
}

}  // namespace

std::string describe(const Argument& argument) {
  struct Name {
    std::string operator()(std::monostate) const { return "nothing"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(double value) const { return "the number " + shown(value); }
    std::string operator()(const std::string& value) const { return in_quotes(value); }
    std::string operator()(const TensorArgument& value) const { return "a tensor of shape " + to_string(value.shape); }
    std::string operator()(const ListArgument& value) const { return "a list of " + std::to_string(value.size()); }
    std::string operator()(const ObjectArgument&) const { return "an object"; }
  };
  return std::visit(Name{}, argument.value);
}

void Fields::add(std::string name, const Argument& argument) { given_.emplace_back(std::move(name), &argument); }

void Fields::add_all(const ObjectArgument& object) {
  for (size_t i = 0; i < object.keys.size(); ++i) add(object.keys[i], object.values[i]);
}

void Fields::refuse(std::string_view name, std::string_view expected, std::string_view got) const {
  throw_error(ErrorCode::bad_input, {where_, ": ", printable(full_name(name)), ": expected ", expected, ", got ", got});
}

const Argument* Fields::find(std::string_view name) {
  read_.emplace(name);
  const auto found = std::find_if(given_.begin(), given_.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == given_.end() || std::holds_alternative<std::monostate>(found->second->value)) return nullptr;
  return found->second;
}

const Argument& Fields::need(std::string_view name, const char* expected) {
  const Argument* found = find(name);
  if (!found) refuse(name, expected, "nothing");
  return *found;
}

double Fields::number(std::string_view name) {
  const Argument& argument = need(name, "a number");
  const double* value = as<double>(&argument);
  if (!value || !std::isfinite(*value)) refuse(name, "a finite number", describe(argument));
  if (std::abs(*value) > kMostFloat) refuse(name, "a number that 32-bit floats hold", describe(argument));
  return *value;
}

double Fields::number(std::string_view name, double fallback) { return find(name) ? number(name) : fallback; }

double Fields::eps(double fallback) {
  const double value = number("eps", fallback);
  if (value < 0) refuse("eps", "a number of at least 0", describe(Argument{value}));
  return value;
}

int64_t Fields::integer(std::string_view name, int64_t least) {
  const double value = number(name);
  if (value != std::floor(value) || value < static_cast<double>(least) || value > kMostExact)
    refuse(name, "a whole number of at least " + std::to_string(least), describe(Argument{value}));
  return static_cast<int64_t>(value);
}

int32_t Fields::id(std::string_view name, int32_t fallback) {
  const double value = number(name, fallback);
  if (value != std::floor(value) || std::abs(value) > kMostId)
    refuse(name, "a whole number of 32 bits", describe(Argument{value}));
  return static_cast<int32_t>(value);
}

int64_t Fields::integer(std::string_view name, int64_t least, int64_t fallback) {
  return find(name) ? integer(name, least) : fallback;
}

bool Fields::boolean(std::string_view name, bool fallback) {
  const Argument* argument = find(name);
  if (!argument) return fallback;
  const bool* value = as<bool>(argument);
  if (!value) refuse(name, "true or false", describe(*argument));
  return *value;
}

std::string Fields::text(std::string_view name, std::string_view fallback) {
  const Argument* argument = find(name);
  if (!argument) return std::string(fallback);
  const std::string* value = as<std::string>(argument);
  if (!value) refuse(name, "a name", describe(*argument));
  return *value;
}

const TensorArgument& Fields::tensor(std::string_view name) {
  const Argument& argument = need(name, "a tensor");
  const TensorArgument* value = as<TensorArgument>(&argument);
  if (!value) refuse(name, "a tensor", describe(argument));
  if (count(*value) != value->shape.size())
    refuse(name, std::to_string(value->shape.size()) + " values for shape " + to_string(value->shape),
           std::to_string(count(*value)));
  return *value;
}

const TensorArgument* Fields::find_tensor(std::string_view name) { return find(name) ? &tensor(name) : nullptr; }

const std::vector<float>& Fields::floats(std::string_view name) {
  const auto* values = std::get_if<std::vector<float>>(&tensor(name).values);
  if (!values) refuse(name, "a tensor of floats", "whole numbers");
  return *values;
}

std::vector<int32_t> Fields::ids(std::string_view name) {
  return std::visit(
      [&](const auto& values) {
        std::vector<int32_t> result;
        for (const auto value : values) {
          const double exact = static_cast<double>(value);
          if (exact != std::floor(exact) || std::abs(exact) > kMostId) refuse(name, "whole numbers of 32 bits", shown(exact));
          result.push_back(static_cast<int32_t>(value));
        }
        return result;
      },
      tensor(name).values);
}

const ListArgument& Fields::list(std::string_view name) {
  const Argument& argument = need(name, "a list");
  const ListArgument* value = as<ListArgument>(&argument);
  if (!value) refuse(name, "a list", describe(argument));
  return *value;
}

std::vector<double> Fields::numbers(std::string_view name, size_t count) {
  const ListArgument& items = list(name);
  if (items.size() != count) refuse(name, std::to_string(count) + " numbers", std::to_string(items.size()));
  std::vector<double> values;
  for (const Argument& item : items) {
    Fields one(where_, prefix_);
    one.add(std::string(name), item);
    values.push_back(one.number(name));
  }
  return values;
}

Fields Fields::object(const Argument& item, const std::string& prefix) {
  const ObjectArgument* value = as<ObjectArgument>(&item);
  Fields fields(where_, prefix);
  if (!value) fields.refuse("", "an object", describe(item));
  fields.add_all(*value);
  return fields;
}

Fields Fields::object(std::string_view name, const std::string& prefix) {
  const Argument* argument = find(name);
  if (!argument) return Fields(where_, prefix);
  if (!as<ObjectArgument>(argument)) refuse(name, "an object", describe(*argument));
  return object(*argument, prefix);
}

std::vector<std::string> Fields::names() const {
  std::vector<std::string> result;
  for (const auto& entry : given_) result.push_back(entry.first);
  return result;
}

void Fields::refuse_unread() const {
  const std::vector<std::string> known(read_.begin(), read_.end());
  for (const auto& [name, argument] : given_)
    if (read_.count(name) == 0 && !std::holds_alternative<std::monostate>(argument->value))
      refuse(name, "no such argument; nearest: " + join_names(nearest(name, known)), describe(*argument));
}

}  // namespace glass
