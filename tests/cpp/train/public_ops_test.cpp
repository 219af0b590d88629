// Every public op against PyTorch in float64, forward and backward: the cases of ops.json.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cpp/support/arguments.h"
#include "cpp/support/golden.h"
#include "train/functional.h"

namespace glass {
namespace {

using testing::argument_of;
using testing::Golden;
using testing::GoldenTensor;
using testing::Worst;

const nlohmann::json& cases() {
  static const nlohmann::json json = testing::golden_json("ops.json");
  return json;
}
const Golden& tensors() {
  static const Golden file("ops.safetensors");
  return file;
}

double limit(const nlohmann::json& one, const char* which) {
  const nlohmann::json own = one.value("tolerance", nlohmann::json::object());
  return own.value(which, cases().at("tolerance").at(which).get<double>());
}

std::vector<Argument> arguments_of(const nlohmann::json& one) {
  std::vector<Argument> args;
  for (const auto& arg : one.at("args")) args.push_back(argument_of(arg, tensors()));
  return args;
}

std::map<std::string, NamedTensor> by_name(const std::vector<NamedTensor>& list) {
  std::map<std::string, NamedTensor> result;
  for (const NamedTensor& t : list) result[t.name] = t;
  return result;
}

void check_forward(const nlohmann::json& one, Worst& worst) {
  const std::string name = one.at("name");
  const auto results = by_name(call(public_ops(), one.at("op").get<std::string>(), arguments_of(one)));
  ASSERT_EQ(results.size(), one.at("expect").size()) << name;
  for (const auto& [output, key] : one.at("expect").items()) {
    ASSERT_EQ(results.count(output), 1u) << name << " " << output;
    const GoldenTensor& expected = tensors().at(key.get<std::string>());
    EXPECT_EQ(results.at(output).shape, expected.shape) << name << " " << output;
    worst.expect_close(name + " " + output, results.at(output).values, expected.values,
                       limit(one, "forward") * expected.largest());
  }
}

void check_backward(const nlohmann::json& one, Worst& worst) {
  const std::string name = one.at("name");
  const nlohmann::json upstream = {{"tensor", one.at("upstream")}};
  const auto results =
      by_name(gradients(public_ops(), one.at("op").get<std::string>(), arguments_of(one), argument_of(upstream, tensors())));
  const std::set<std::string> zero = one.at("zeroGradients");
  double largest = 0;  // of the case, or of what arrives where every gradient is zero
  for (const auto& [input, key] : one.at("gradients").items())
    if (!zero.count(input)) largest = std::max(largest, tensors().at(key.get<std::string>()).largest());
  if (largest == 0) largest = tensors().at(one.at("upstream").get<std::string>()).largest();

  ASSERT_EQ(results.size(), one.at("gradients").size()) << name;
  for (const auto& [input, key] : one.at("gradients").items()) {
    ASSERT_EQ(results.count(input), 1u) << name << " " << input;
    const GoldenTensor& expected = tensors().at(key.get<std::string>());
    EXPECT_EQ(results.at(input).shape, expected.shape) << name << " " << input;
    const double most = zero.count(input) ? limit(one, "zeroGradient") * largest : limit(one, "gradient") * expected.largest();
    worst.expect_close(name + " d" + input, results.at(input).values, expected.values, most);
  }
}

class PublicOp : public ::testing::TestWithParam<std::string> {};

TEST_P(PublicOp, MatchesPyTorch) {
  Worst forward(GetParam() + " forward"), backward(GetParam() + " backward");
  for (const auto& one : cases().at("cases")) {
    if (one.at("op") != GetParam()) continue;
    check_forward(one, forward);
    if (one.contains("upstream")) check_backward(one, backward);
  }
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const Op& op : public_ops())
    if (op.name != "adamW") names.emplace_back(op.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, PublicOp, ::testing::ValuesIn(op_names()), [](const auto& info) { return info.param; });

TEST(PublicOps, EveryCaseHasAnOp) {
  const std::vector<std::string> names = op_names();
  for (const auto& one : cases().at("cases"))
    EXPECT_EQ(std::count(names.begin(), names.end(), one.at("op").get<std::string>()), 1) << one.at("name");
}

ObjectArgument tensors_named(const nlohmann::json& keys) {
  return std::get<ObjectArgument>(argument_of(
                                      [&] {
                                        nlohmann::json object = nlohmann::json::object();
                                        for (const auto& [name, key] : keys.items()) object[name] = {{"tensor", key}};
                                        return object;
                                      }(),
                                      tensors())
                                      .value);
}

TEST(PublicOps, AdamWMatchesPyTorch) {
  Worst worst("adamW");
  for (const auto& run : cases().at("optimizers")) {
    ObjectArgument parameters = tensors_named(run.at("initial")), m, v;
    double step = 0;
    for (const auto& expected : run.at("steps")) {
      nlohmann::json options = run.at("options");
      options["lr"] = expected.at("lr");
      const ObjectArgument state{{"step", "parameters", "m", "v"}, {{step}, {parameters}, {m}, {v}}};
      const auto results =
          by_name(call(public_ops(), "adamW",
                       std::vector<Argument>{{state}, {tensors_named(expected.at("grads"))}, argument_of(options, tensors())}));
      step = static_cast<double>(results.at("step").values[0]);
      for (const auto& [group, keys] : {std::pair{"parameters", "expect"}, std::pair{"m", "m"}, std::pair{"v", "v"}}) {
        ObjectArgument& kept = group == std::string("parameters") ? parameters : group == std::string("m") ? m : v;
        kept = {};
        for (const auto& [name, key] : expected.at(keys).items()) {
          const NamedTensor& got = results.at(std::string(group) + "." + name);
          const GoldenTensor& want = tensors().at(key.template get<std::string>());
          worst.expect_close(run.at("name").get<std::string>() + " " + got.name, got.values, want.values,
                             cases().at("tolerance").at("forward").get<double>() * want.largest());
          kept.keys.push_back(name);
          kept.values.push_back({TensorArgument{got.shape, got.values}});
        }
      }
    }
  }
}

}  // namespace
}  // namespace glass
