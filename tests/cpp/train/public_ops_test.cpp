// Every public op against PyTorch in float64, forward and backward: the cases of ops.json.
#include "cpp/support/op_cases.h"
#include "train/functional.h"

namespace glass {
namespace {

using testing::argument_of;
using testing::by_name;
using testing::GoldenTensor;
using testing::Worst;

const testing::OpCases& cases() {
  static const testing::OpCases all("ops", public_ops());
  return all;
}
const testing::Golden& tensors() { return cases().tensors(); }

class PublicOp : public ::testing::TestWithParam<std::string> {};

TEST_P(PublicOp, MatchesPyTorch) { cases().check(GetParam()); }

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const Op& op : public_ops())
    if (op.name != "adamW") names.emplace_back(op.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, PublicOp, ::testing::ValuesIn(op_names()), [](const auto& info) { return info.param; });

TEST(PublicOps, EveryCaseHasAnOp) {
  const std::vector<std::string> names = op_names();
  for (const auto& one : cases().json().at("cases"))
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
  for (const auto& run : cases().json().at("optimizers")) {
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
                             cases().json().at("tolerance").at("forward").get<double>() * want.largest());
          kept.keys.push_back(name);
          kept.values.push_back({TensorArgument{got.shape, got.values}});
        }
      }
    }
  }
}

}  // namespace
}  // namespace glass
