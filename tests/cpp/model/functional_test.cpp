// Calls of public ops that cannot be right, and what reference values do not cover: masks that hide everything.
#include "model/functional.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cpp/io/expect_error.h"

namespace glass {
namespace {

Argument tensor(Shape shape, float value = 1.f) { return {TensorArgument{shape, std::vector<float>(shape.size(), value)}}; }
Argument ids(Shape shape, std::vector<int32_t> values) { return {TensorArgument{shape, std::move(values)}}; }
Argument object(std::vector<std::pair<std::string, Argument>> members) {
  ObjectArgument result;
  for (auto& [key, value] : members) {
    result.keys.push_back(key);
    result.values.push_back(value);
  }
  return {result};
}
Argument text(const char* value) { return {std::string(value)}; }
Argument number(double value) { return {value}; }

std::vector<NamedTensor> run(const char* name, std::vector<Argument> args) { return call(kModelOps, name, args); }

void refuses(const std::vector<std::string>& parts, const char* name, std::vector<Argument> args,
             ErrorCode code = ErrorCode::bad_input) {
  expect_error(code, parts, [&] { run(name, args); });
}

TEST(Calls, AreRefusedByArgument) {
  const Argument x = tensor({2, 3});
  refuses({"layerNrom", "\"layerNorm\""}, "layerNrom", {x}, ErrorCode::not_found);
  refuses({"softmax: x", "a tensor", "nothing"}, "softmax", {});
  refuses({"softmax: x", "a tensor", "the number 3"}, "softmax", {number(3)});
  refuses({"softmax: x", "the number 1e+20"}, "softmax", {number(1e20)});
  refuses({"softmax: x", "floats"}, "softmax", {ids({1}, {1})});
  refuses({"softmax: x", "one axis"}, "softmax", {tensor({})});
  refuses({"softmax: x", "6 values", "5"}, "softmax", {{TensorArgument{{2, 3}, std::vector<float>(5)}}});
  refuses({"layerNorm: eps", "at least 0", "the number -1"}, "layerNorm", {x, object({{"eps", number(-1)}})});
  refuses({"layerNorm: eps", "32-bit floats", "1e+300"}, "layerNorm", {x, object({{"eps", number(1e300)}})});
  refuses({"softmax: axis", "no such argument"}, "softmax", {x, object({{"axis", number(1)}})});
  refuses({"softmax", "an object of options", "\"fast\""}, "softmax", {x, text("fast")});
  refuses({"softmax", "got 3"}, "softmax", {x, object({}), x});
  refuses({"layerNorm: weight", "[3]", "[2]"}, "layerNorm", {x, object({{"weight", tensor({2})}})});
  refuses({"layerNorm: wieght", "\"weight\""}, "layerNorm", {x, object({{"wieght", tensor({3})}})});
  refuses({"layerNorm: eps", "finite"}, "layerNorm", {x, object({{"eps", number(NAN)}})});
  refuses({"linear: weight", "a tensor", "nothing"}, "linear", {x});
  refuses({"linear: weight", "[any, 3]", "[3, 2]"}, "linear", {x, object({{"weight", tensor({3, 2})}})});
  refuses({"linear: bias", "[4]", "[3]"}, "linear", {x, object({{"weight", tensor({4, 3})}, {"bias", tensor({3})}})});
  refuses({"feedForward: weight2", "[any, 5]", "[5, 3]"}, "feedForward",
          {x, object({{"weight1", tensor({5, 3})}, {"weight2", tensor({5, 3})}})});
  refuses({"activation: name", "gelu_new", "\"elu\""}, "activation", {x, text("elu")});
  refuses({"activation: name", "a name"}, "activation", {x, number(1)});
  refuses({"positionalEncoding: length", "at least 1", "the number 0"}, "positionalEncoding", {number(0), number(4)});
  refuses({"positionalEncoding: dModel", "whole number", "2.5"}, "positionalEncoding", {number(3), number(2.5)});
  refuses({"does not fit"}, "positionalEncoding", {number(9e15), number(9e15)}, ErrorCode::out_of_memory);
  refuses({"paddingMask: ids", "[B, S]", "[3]"}, "paddingMask", {ids({3}, {1, 2, 3}), number(0)});
  refuses({"embedding: ids", "whole numbers", "1.5"}, "embedding", {tensor({1}, 1.5f), tensor({4, 2})});
  refuses({"weight", "0 to 3", "4"}, "embedding", {ids({1}, {4}), tensor({4, 2})});
  refuses({"embedding: weight", "[any, any]", "[4]"}, "embedding", {ids({1}, {1}), tensor({4})});
  refuses({"meanPool: x", "[B, T, D]"}, "meanPool", {x, ids({2}, {1, 1})});
  refuses({"meanPool: mask", "[2, 3]", "[2, 2]"}, "meanPool", {tensor({2, 3, 4}), ids({2, 2}, {1, 1, 1, 1})});
  refuses({"crossEntropy: labels", "[2]", "[3]"}, "crossEntropy", {x, ids({3}, {0, 1, 2})});
  refuses({"crossEntropy: labels", "counts"}, "crossEntropy", {x, ids({2}, {-100, -100})});
  refuses({"labels", "0 to 2", "3"}, "crossEntropy", {x, ids({2}, {0, 3})});
  refuses({"crossEntropy: ignoreIndex", "32 bits", "4294967296"}, "crossEntropy",
          {x, ids({2}, {0, 1}), object({{"ignoreIndex", number(4294967296)}})});
  refuses({"encoderLayer", "(x, layer)", "the number 3"}, "encoderLayer", {x, object({}), number(3)});
}

TEST(Calls, AttentionIsRefusedByArgument) {
  const Argument q = tensor({2, 4, 3}), k = tensor({2, 5, 3});
  refuses({"attention: k", "as q has them", "[3, 5, 3]"}, "attention", {q, tensor({3, 5, 3}), k});
  refuses({"attention: q", "two axes"}, "attention", {tensor({3}), tensor({3}), tensor({3})});
  refuses({"attention: k", "width of q"}, "attention", {q, tensor({2, 5, 4}), k});
  refuses({"attention: k", "length of v"}, "attention", {q, k, tensor({2, 6, 3})});
  refuses({"attention: mask", "broadcasts to [2, 4, 5]", "[4, 4]"}, "attention", {q, k, k, object({{"mask", tensor({4, 4})}})});
  refuses({"attention: mask", "broadcasts", "[1, 2, 4, 5]"}, "attention", {q, k, k, object({{"mask", tensor({1, 2, 4, 5})}})});
  refuses({"attention: mask", "bytes"}, "attention", {q, k, k, object({{"mask", ids({5}, {1, 1, 1, 1, 1})}})});
  refuses({"attention: mask", "-Infinity", "nan"}, "attention", {q, k, k, object({{"mask", tensor({5}, NAN)}})});
  refuses({"attention: mask", "inf"}, "attention", {q, k, k, object({{"mask", tensor({5}, INFINITY)}})});
  refuses({"attention: causal", "true or false"}, "attention", {q, k, k, object({{"causal", number(1)}})});

  const Argument x = tensor({2, 4, 6});
  const auto weights = [](double heads) {
    return object({{"inProjWeight", tensor({18, 6})}, {"outProjWeight", tensor({6, 6})}, {"heads", number(heads)}});
  };
  refuses({"multiHeadAttention: heads", "divisor", "6", "4"}, "multiHeadAttention", {x, x, x, weights(4)});
  refuses({"multiHeadAttention: value"}, "multiHeadAttention", {x, x, tensor({2, 3, 6}), weights(2)});
  refuses({"multiHeadAttention: key", "[2, 4, 6]", "[1, 4, 6]"}, "multiHeadAttention",
          {x, tensor({1, 4, 6}), tensor({1, 4, 6}), weights(2)});
  refuses({"multiHeadAttention: query", "[B, T, D]", "[4, 6]"}, "multiHeadAttention", {tensor({4, 6}), x, x, weights(2)});
}

TEST(Calls, LayersAreRefusedByParameter) {
  const Argument x = tensor({1, 2, 4});
  const auto layer = [](std::vector<std::pair<std::string, Argument>> more) {
    std::vector<std::pair<std::string, Argument>> members = {{"self_attn.in_proj_weight", tensor({12, 4})},
                                                             {"self_attn.out_proj.weight", tensor({4, 4})},
                                                             {"linear1.weight", tensor({8, 4})},
                                                             {"linear2.weight", tensor({4, 8})},
                                                             {"heads", number(2)}};
    members.insert(members.end(), more.begin(), more.end());
    return object(members);
  };
  EXPECT_EQ(run("encoderLayer", {x, layer({})}).front().shape, (Shape{1, 2, 4}));
  refuses({"encoderLayer: self_attn.in_proj_weight", "a tensor"}, "encoderLayer", {x, object({{"heads", number(2)}})});
  refuses({"encoderLayer: layer", "an object"}, "encoderLayer", {x, number(1)});
  refuses({"encoderLayer: norm3.weight", "\"norm1.weight\""}, "encoderLayer", {x, layer({{"norm3.weight", tensor({4})}})});
  refuses({"encoderLayer: norm1.weight", "[4]", "[5]"}, "encoderLayer", {x, layer({{"norm1.weight", tensor({5})}})});
  refuses({"encoderLayer: activation", "\"mish\""}, "encoderLayer", {x, layer({{"activation", text("mish")}})});

  refuses({"encoder: layers", "a list"}, "encoder", {x, object({})});
  refuses({"encoder: layers.1.linear1.bias", "[8]", "[4]"}, "encoder",
          {x, object({{"layers", {ListArgument{layer({}), layer({{"linear1.bias", tensor({4})}})}}}})});
  refuses({"encoder: layers.0.", "an object"}, "encoder", {x, object({{"layers", {ListArgument{number(1)}}}})});
  refuses({"encoder: norm.weight", "[4]"}, "encoder",
          {x, object({{"layers", {ListArgument{layer({})}}}, {"norm", object({{"weight", tensor({3})}})}})});
}

TEST(Calls, GradientsAreRefusedLikewise) {
  const std::vector<Argument> args = {tensor({2, 3})};
  expect_error(ErrorCode::bad_input, {"softmax: upstream", "[2, 3]", "[3]"},
               [&] { gradients(kModelOps, "softmax", args, tensor({3})); });
  expect_error(ErrorCode::bad_input, {"softmax: upstream", "a tensor"},
               [&] { gradients(kModelOps, "softmax", args, number(1)); });
  expect_error(ErrorCode::bad_input, {"lookAheadMask", "no gradient"},
               [&] { gradients(kModelOps, "lookAheadMask", std::vector<Argument>{number(3)}, number(1)); });
}

TEST(Calls, ANumberWillDoForTheGradientOfALoss) {
  const std::vector<Argument> args = {tensor({2, 3}), ids({2}, {0, 1})};
  const auto one = gradients(kModelOps, "crossEntropy", args, number(2)),
             other = gradients(kModelOps, "crossEntropy", args, tensor({}, 2.f));
  EXPECT_EQ(one.front().values, other.front().values);
  EXPECT_NEAR(one.front().values[0], 2 * (1.0 / 3 - 1) / 2, 1e-6);
}

TEST(Calls, AbsentOptionsAreAbsent) {
  const auto results = run("layerNorm", {tensor({1, 4}), object({{"weight", {}}, {"bias", tensor({4}, 0.5f)}, {"eps", {}}})});
  for (const float value : results.front().values) EXPECT_EQ(value, 0.5f);
  EXPECT_EQ(run("softmax", {tensor({1, 4}), {}}).front().values[0], 0.25f);
}

TEST(Calls, AFeedForwardMayEndInAnotherWidth) {
  const auto y =
      run("feedForward",
          {tensor({2, 3}), object({{"weight1", tensor({5, 3})}, {"weight2", tensor({4, 5})}, {"bias2", tensor({4}, 0.5f)}})});
  EXPECT_EQ(y.front().shape, (Shape{2, 4}));
  for (const float value : y.front().values) EXPECT_EQ(value, 15.5f);
}

TEST(Calls, HeadsAndVariantsAreRefusedByArgument) {
  const Argument x = tensor({1, 2, 4, 3});
  const auto buckets = [](double count) { return object({{"buckets", number(count)}}); };
  refuses({"splitHeads: heads", "divisor", "4", "3"}, "splitHeads", {tensor({1, 2, 4}), number(3)});
  refuses({"joinHeads: x", "[B, H, T, K]"}, "joinHeads", {tensor({1, 2, 4})});
  refuses({"lshAttention: buckets", "a number", "nothing"}, "lshAttention", {x, x});
  refuses({"lshAttention: buckets", "1 or an even number", "3"}, "lshAttention", {x, x, buckets(3)});
  refuses({"lshAttention: v", "[1, 4, 2, 3]"}, "lshAttention", {x, tensor({1, 2, 5, 3}), buckets(2)});
  refuses({"lshBuckets: chunk", "no such argument"}, "lshBuckets", {x, object({{"buckets", number(2)}, {"chunk", number(2)}})});
  refuses({"linformerAttention: e", "[any, 4]", "[2, 5]"}, "linformerAttention", {x, x, x, object({{"e", tensor({2, 5})}})});
  refuses({"linformerAttention: f", "[2, 4]", "[3, 4]"}, "linformerAttention",
          {x, x, x, object({{"e", tensor({2, 4})}, {"f", tensor({3, 4})}})});
  refuses({"dropout: p", "below 1", "1"}, "dropout", {x, object({{"p", number(1)}})});
  refuses({"labels", "0 to 2", "3"}, "labelSmoothing", {ids({1}, {3}), number(3), number(0.1)});
  refuses({"smoothing", "[0, 1]", "2"}, "labelSmoothing", {ids({1}, {1}), number(3), number(2)});
  refuses({"add: b", "last axes", "[4, 2]"}, "add", {x, tensor({4, 2})});
  refuses({"positionalEncoding: convention", "halves", "\"half\""}, "positionalEncoding",
          {number(2), number(4), object({{"convention", text("half")}})});
}

TEST(Calls, WorkAndMemoryAreMeasured) {
  const std::vector<Argument> args = {tensor({10, 8}), object({{"weight", tensor({12, 8})}})};
  const Measured forward = measure(kModelOps, "linear", args, {}), both = measure(kModelOps, "linear", args, tensor({10, 12}));
  EXPECT_EQ(forward.macs, 10u * 8 * 12);
  EXPECT_EQ(both.macs, 3 * forward.macs);  // dW and dx
  EXPECT_GE(forward.peak_bytes, 10 * 12 * sizeof(float));
  EXPECT_GT(both.peak_bytes, forward.peak_bytes);
  EXPECT_EQ(measure(kModelOps, "softmax", std::vector<Argument>{tensor({2, 3})}, {}).macs, 0u);
  expect_error(ErrorCode::bad_input, {"labelSmoothing", "no gradient"}, [] {
    measure(kModelOps, "labelSmoothing", std::vector<Argument>{ids({1}, {0}), number(2), number(0)}, number(1));
  });
}

TEST(Masks, HidingEveryKeyGivesZeros) {
  const Argument q = tensor({1, 4, 3}), k = tensor({1, 2, 3});
  const auto by_causality = run("attention", {q, k, k, object({{"causal", {true}}})});  // more queries than keys
  for (size_t i = 0; i < 12; ++i) EXPECT_NEAR(by_causality[0].values[i], i < 6 ? 0.f : 1.f, 1e-6);
  EXPECT_EQ(by_causality[1].values, (std::vector<float>{0, 0, 0, 0, 1, 0, 0.5f, 0.5f}));
  const auto by_bytes =
      run("attention", {q, k, k, object({{"mask", {TensorArgument{{4, 1}, std::vector<uint8_t>{0, 1, 1, 0}}}}})});
  for (size_t i = 0; i < 12; ++i) EXPECT_NEAR(by_bytes[0].values[i], i >= 3 && i < 9 ? 1.f : 0.f, 1e-6);
  for (const NamedTensor& g :
       gradients(kModelOps, "attention", std::vector<Argument>{q, k, k, object({{"causal", {true}}})}, tensor({1, 4, 3})))
    for (const float value : g.values) EXPECT_TRUE(std::isfinite(value)) << g.name;
}

}  // namespace
}  // namespace glass
