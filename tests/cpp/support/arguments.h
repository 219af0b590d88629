// Arguments of public ops from the JSON of reference cases.
#pragma once

#include <nlohmann/json.hpp>

#include "cpp/support/golden.h"
#include "model/argument.h"

namespace glass::testing {

// { "tensor": key } becomes that tensor of `file`; numbers, names, lists and objects stay what they are.
inline Argument argument_of(const nlohmann::json& json, const Golden& file) {
  if (json.is_number()) return {json.get<double>()};
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_string()) return {json.get<std::string>()};
  if (json.is_array()) {
    ListArgument list;
    for (const auto& item : json) list.push_back(argument_of(item, file));
    return {list};
  }
  if (json.is_object() && json.contains("tensor")) {
    const GoldenTensor& tensor = file.at(json.at("tensor").get<std::string>());
    if (tensor.dtype == DType::u8)
      return {TensorArgument{tensor.shape, std::vector<uint8_t>(tensor.values.begin(), tensor.values.end())}};
    if (tensor.dtype == DType::i32) return {TensorArgument{tensor.shape, tensor.ints()}};
    return {TensorArgument{tensor.shape, tensor.floats()}};
  }
  if (json.is_object()) {
    ObjectArgument object;
    for (const auto& [key, value] : json.items()) {
      object.keys.push_back(key);
      object.values.push_back(argument_of(value, file));
    }
    return {object};
  }
  return {};
}

}  // namespace glass::testing
