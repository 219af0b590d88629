// Cases of ops.json and of files like it: calls with what PyTorch gives for them in float64.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cpp/support/arguments.h"
#include "cpp/support/golden.h"
#include "model/functional.h"

namespace glass::testing {

inline std::map<std::string, NamedTensor> by_name(const std::vector<NamedTensor>& list) {
  std::map<std::string, NamedTensor> result;
  for (const NamedTensor& t : list) result[t.name] = t;
  return result;
}

class OpCases {
 public:
  // golden/NAME.json and golden/NAME.safetensors, to be computed by `ops`.
  OpCases(const std::string& name, std::span<const Op> ops)
      : json_(golden_json(name + ".json")), tensors_(name + ".safetensors"), ops_(ops) {}

  const nlohmann::json& json() const { return json_; }
  const Golden& tensors() const { return tensors_; }

  std::vector<Argument> arguments_of(const nlohmann::json& one) const {
    std::vector<Argument> args;
    for (const auto& arg : one.at("args")) args.push_back(argument_of(arg, tensors_));
    return args;
  }

  // Every case of an op.
  void check(const std::string& op) const {
    Worst forward(op + " forward"), backward(op + " backward");
    for (const auto& one : json_.at("cases")) {
      if (one.at("op") != op) continue;
      check_forward(one, forward);
      if (one.contains("upstream")) check_backward(one, backward);
    }
  }

 private:
  double limit(const nlohmann::json& one, const char* which) const {
    const nlohmann::json own = one.value("tolerance", nlohmann::json::object());
    return own.value(which, json_.at("tolerance").at(which).get<double>());
  }

  void check_forward(const nlohmann::json& one, Worst& worst) const {
    const std::string name = one.at("name");
    const auto results = by_name(call(ops_, one.at("op").get<std::string>(), arguments_of(one)));
    ASSERT_EQ(results.size(), one.at("expect").size()) << name;
    for (const auto& [output, key] : one.at("expect").items()) {
      ASSERT_EQ(results.count(output), 1u) << name << " " << output;
      const GoldenTensor& expected = tensors_.at(key.get<std::string>());
      EXPECT_EQ(results.at(output).shape, expected.shape) << name << " " << output;
      worst.expect_close(name + " " + output, results.at(output).values, expected.values,
                         limit(one, "forward") * expected.largest());
    }
  }

  void check_backward(const nlohmann::json& one, Worst& worst) const {
    const std::string name = one.at("name");
    const nlohmann::json upstream = {{"tensor", one.at("upstream")}};
    const auto results =
        by_name(gradients(ops_, one.at("op").get<std::string>(), arguments_of(one), argument_of(upstream, tensors_)));
    const std::set<std::string> zero = one.at("zeroGradients");
    double largest = 0;  // of the case, or of what arrives where every gradient is zero
    for (const auto& [input, key] : one.at("gradients").items())
      if (!zero.count(input)) largest = std::max(largest, tensors_.at(key.get<std::string>()).largest());
    if (largest == 0) largest = tensors_.at(one.at("upstream").get<std::string>()).largest();

    ASSERT_EQ(results.size(), one.at("gradients").size()) << name;
    for (const auto& [input, key] : one.at("gradients").items()) {
      ASSERT_EQ(results.count(input), 1u) << name << " " << input;
      const GoldenTensor& expected = tensors_.at(key.get<std::string>());
      EXPECT_EQ(results.at(input).shape, expected.shape) << name << " " << input;
      const double most =
          zero.count(input) ? limit(one, "zeroGradient") * largest : limit(one, "gradient") * expected.largest();
      worst.expect_close(name + " d" + input, results.at(input).values, expected.values, most);
    }
  }

  nlohmann::json json_;
  Golden tensors_;
  std::span<const Op> ops_;
};

}  // namespace glass::testing
