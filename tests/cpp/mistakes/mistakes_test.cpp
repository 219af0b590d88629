// Mistakes give what the wrong formula gives in PyTorch, and not what is right.
#include "mistakes/mistakes.h"

#include <algorithm>

#include "cpp/io/expect_error.h"
#include "cpp/support/op_cases.h"
#include "tensor/error.h"
#include "train/functional.h"

namespace glass {
namespace {

using testing::by_name;

const testing::OpCases& cases() {
  static const testing::OpCases all("mistakes", kMistakes);
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Op& op : kMistakes) result.emplace_back(op.name);
  return result;
}

class Mistaken : public ::testing::TestWithParam<std::string> {};

TEST_P(Mistaken, GivesWhatTheWrongFormulaGives) { cases().check(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, Mistaken, ::testing::ValuesIn(names()), [](const auto& info) { return info.param; });

// The same call without `mistake` and what only mistakes ask for.
std::vector<Argument> corrected(std::vector<Argument> args) {
  for (Argument& argument : args)
    if (auto* options = std::get_if<ObjectArgument>(&argument.value))
      for (const char* name : {"mistake", "dModel"})
        if (const auto at = std::find(options->keys.begin(), options->keys.end(), name); at != options->keys.end()) {
          options->values.erase(options->values.begin() + (at - options->keys.begin()));
          options->keys.erase(at);
        }
  return args;
}

bool differ(const std::vector<NamedTensor>& wrong, const std::vector<NamedTensor>& right) {
  const auto named = by_name(wrong);
  for (const NamedTensor& r : right) {
    const auto found = named.find(r.name);
    if (found == named.end() || found->second.shape != r.shape) return true;
    for (size_t i = 0; i < r.values.size(); ++i)
      if (!(std::abs(found->second.values[i] - r.values[i]) <= 1e-4f)) return true;  // NaN differs too
  }
  return false;
}

// Also where only gradients go wrong.
TEST(Mistakes, DifferFromWhatIsRight) {
  for (const auto& one : cases().json().at("cases")) {
    const std::string op = one.at("op"), name = one.at("name");
    if (op == "averageHeads" || op == "countsAsIds" || op == "noamRate") continue;  // imitate no op, or one of other results
    const std::vector<Argument> wrong = cases().arguments_of(one), right = corrected(wrong);
    try {
      bool different = differ(call(kMistakes, op, wrong), call(public_ops(), op, right));
      if (!different && one.contains("upstream")) {
        const Argument upstream = testing::argument_of({{"tensor", one.at("upstream")}}, cases().tensors());
        different = differ(gradients(kMistakes, op, wrong, upstream), gradients(public_ops(), op, right, upstream));
      }
      EXPECT_TRUE(different) << name;
    } catch (const Error& error) {  // weights of a shape that the right one refuses
      EXPECT_EQ(name, "layerNorm/weightsPerPosition") << error.what();
    }
  }
}

Argument tensor(Shape shape) { return {TensorArgument{shape, std::vector<float>(shape.size(), 1.f)}}; }
Argument option(const char* name, Argument value) { return {ObjectArgument{{name}, {std::move(value)}}}; }

TEST(Mistakes, AreRefusedByName) {
  const auto refuses = [](const std::vector<std::string>& parts, const char* op, std::vector<Argument> args) {
    expect_error(ErrorCode::bad_input, parts, [&] { call(kMistakes, op, args); });
  };
  const Argument x = tensor({2, 3});
  refuses({"softmax: mistake", "withoutMaximum", "\"withoutMaximun\""}, "softmax",
          {x, option("mistake", {std::string("withoutMaximun")})});
  refuses({"softmax: mistake", "\"\""}, "softmax", {x});
  refuses({"attention: mistake", "noScale", "\"billions\""}, "attention",
          {x, x, x, option("mistake", {std::string("billions")})});
  refuses({"attention: mistake", "the number 3"}, "attention", {x, x, x, option("mistake", {ListArgument{{3.0}}})});
  refuses({"attention: dModel"}, "attention", {x, x, x, option("mistake", {std::string("scaleByModelWidth")})});
  refuses({"attention: k", "[N, N, N]"}, "attention", {x, x, x, option("mistake", {std::string("transposeAll")})});
  const Argument heads = tensor({2, 2, 4, 4});
  refuses({"attention: k", "[N, N, N]", "[2, 2, 4, 4]"}, "attention",
          {heads, heads, heads, option("mistake", {std::string("transposeAll")})});
  expect_error(ErrorCode::bad_input, {"attention has no gradient"}, [&] {
    gradients(kMistakes, "attention", std::vector<Argument>{x, x, x}, x);
  });
}

}  // namespace
}  // namespace glass
