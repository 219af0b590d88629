// Parts of the newer families against PyTorch and transformers in float64, forward and backward: the cases of core_ops.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>

#include "cpp/support/golden.h"
#include "io/json.h"
#include "model/families/family.h"
#include "model/layers.h"
#include "model/positions.h"

namespace glass {
namespace {

using testing::Golden;
using testing::GoldenTensor;
using testing::Worst;
using Json = nlohmann::json;

const Json& file() {
  static const Json json = testing::golden_json("core_ops.json");
  return json;
}
const Golden& values() {
  static const Golden golden("core_ops.safetensors");
  return golden;
}

// One case being computed: its tensors and parameters by the names that gradients go by.
class Case {
 public:
  explicit Case(const Json& one) : one_(one) {}

  const Json& options(size_t at) const { return one_.at("args").at(at); }
  const GoldenTensor& given(const Json& argument) const { return values().at(argument.at("tensor").get<std::string>()); }
  Tensor input(const std::string& name, const Json& argument) {
    const GoldenTensor& from = given(argument);
    Tensor x(arena_, from.shape);
    std::copy(from.values.begin(), from.values.end(), x.data());
    x.set_tracked(one_.contains("gradients") && one_.at("gradients").contains(name));
    inputs_.emplace_back(name, x);
    return x;
  }
  // Null where the case has none of that name.
  const Parameter* parameter(const std::string& name, const Json& holder) {
    if (!holder.contains(name)) return nullptr;
    const GoldenTensor& from = given(holder.at(name));
    Parameter& p = parameters_.emplace_back();
    memory_.push_back(from.floats());
    p.name = name;
    p.shape = from.shape;
    p.data = memory_.back().data();
    p.offset = size_;
    size_ += p.size();
    return &p;
  }
  void start() {
    gradients_ = std::make_unique<Gradients>(size_);
    tape_ = std::make_unique<Tape>(gradients_.get());
  }
  Context context() { return Context{.arena = arena_, .tape = tape_.get()}; }
  Arena& arena() { return arena_; }

  void expect(const std::string& output, std::span<const float> got, Worst& worst) const {
    const GoldenTensor& expected = values().at(one_.at("expect").at(output).get<std::string>());
    const double tolerance = one_.value("tolerance", Json::object()).value("forward", 1e-5);
    worst.expect_close(name() + " " + output, got, expected.values, tolerance * expected.largest());
  }
  void expect(const std::string& output, const Tensor& got, Worst& worst) const {
    EXPECT_EQ(got.shape(), values().at(one_.at("expect").at(output).get<std::string>()).shape) << name();
    expect(output, {got.data(), got.size()}, worst);
  }
  void expect_gradients(const Tensor& output, Worst& worst) {
    tape_->backward(output, values().at(one_.at("upstream").get<std::string>()).floats().data());
    const auto compare = [&](const std::string& name, const float* got, size_t size) {
      const GoldenTensor& expected = values().at(one_.at("gradients").at(name).get<std::string>());
      const double limit = file().at("tolerance").at("gradient").get<double>() * expected.largest();
      worst.expect_close(this->name() + " d" + name, {got, size}, expected.values, limit);
    };
    for (const auto& [name, x] : inputs_)
      if (x.tracked()) compare(name, x.gradient(), x.size());
    for (const Parameter& p : parameters_) compare(p.name, gradients_->values().data() + p.offset, p.size());
    EXPECT_EQ(one_.at("gradients").size(), parameters_.size() + tracked()) << name();
  }
  std::string name() const { return one_.at("name"); }

 private:
  size_t tracked() const {
    return static_cast<size_t>(std::count_if(inputs_.begin(), inputs_.end(), [](const auto& i) { return i.second.tracked(); }));
  }
  const Json& one_;
  Arena arena_;
  std::vector<std::pair<std::string, Tensor>> inputs_;
  std::deque<Parameter> parameters_;
  std::deque<std::vector<float>> memory_;
  size_t size_ = 0;
  std::unique_ptr<Gradients> gradients_;
  std::unique_ptr<Tape> tape_;
};

template <class Run>
void each_case(const std::string& op, Run&& run) {
  size_t met = 0;
  for (const Json& one : file().at("cases")) {
    if (one.at("op") != op) continue;
    Case c(one);
    run(c);
    ++met;
  }
  EXPECT_GT(met, 0u);
}

TEST(CoreOps, RotaryFrequencies) {
  Worst worst("rotaryFrequencies");
  each_case("rotaryFrequencies", [&](Case& c) {
    Json rope = c.options(0);
    const int64_t width = rope.at("width");
    rope.erase("width");
    const std::vector<float> got = read_rotary(JsonObject::parse(Json{{"rope_parameters", rope}}.dump(), "config.json"), width);
    c.expect("output", got, worst);
  });
}

TEST(CoreOps, Rotate) {
  Worst worst("rotate");
  each_case("rotate", [&](Case& c) {
    const Tensor x = c.input("x", c.options(0));
    c.start();
    const Tensor y = rotate(c.context(), x, c.given(c.options(1)).floats(), c.given(c.options(2)).ints());
    c.expect("output", y, worst);
    c.expect_gradients(y, worst);
  });
}

TEST(CoreOps, RelativeBias) {
  Worst worst("relativeBias");
  each_case("relativeBias", [&](Case& c) {
    const Json& o = c.options(1);
    const Parameter* table = c.parameter("table", Json{{"table", c.options(0)}});
    c.start();
    const Tensor y =
        relative_bias(c.context(), *table, o.at("queries"), o.at("keys"), o.at("bothDirections"), o.at("maxDistance"));
    c.expect("output", y, worst);
    c.expect_gradients(y, worst);
  });
}

// The case's mask as scores to add, laid out [B, 1, T, S] or what of it there is.
AttentionMask mask_of(Case& c, const Json& o, int64_t B, int64_t T, int64_t S) {
  AttentionMask mask;
  mask.causal = o.value("causal", false);
  if (o.contains("bias")) mask.bias = c.input("bias", o.at("bias"));
  if (!o.contains("mask")) return mask;
  const GoldenTensor& given = c.given(o.at("mask"));
  const size_t n = given.shape.rank();
  const auto extent = [&](size_t from_end) { return from_end <= n ? given.shape[n - from_end] : 1; };
  mask.values = Tensor(c.arena(), {B, T, S});
  mask.batch = T * S;
  mask.query = S;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t t = 0; t < T; ++t)
      for (int64_t s = 0; s < S; ++s) {
        const int64_t row = (extent(4) > 1 ? b : 0) * extent(2) + (extent(2) > 1 ? t : 0);
        const double value = given.values[static_cast<size_t>(row * extent(1) + s)];
        const bool additive = given.dtype == DType::f32;
        mask.values.data()[(b * T + t) * S + s] = additive     ? static_cast<float>(value)
                                                  : value != 0 ? 0.f
                                                               : -std::numeric_limits<float>::infinity();
      }
  return mask;
}

TEST(CoreOps, GroupedAttention) {
  Worst worst("groupedAttention");
  each_case("groupedAttention", [&](Case& c) {
    const Json& o = c.options(3);
    const Tensor q = c.input("q", c.options(0)), k = c.input("k", c.options(1)), v = c.input("v", c.options(2));
    const AttentionMask mask = mask_of(c, o, q.shape()[0], q.shape()[1], k.shape()[1]);
    c.start();
    const float scale = o.value("scale", 1.f / std::sqrt(static_cast<float>(q.shape()[3])));
    const Tensor pattern = softmax(c.context(), attention_scores(c.context(), q, k, scale, mask));
    c.expect("weights", pattern, worst);
    const Tensor y = weighted_values(c.context(), pattern, v);
    c.expect("output", y, worst);
    c.expect_gradients(y, worst);
  });
}

TEST(CoreOps, GatedFeedForward) {
  Worst worst("gatedFeedForward");
  each_case("gatedFeedForward", [&](Case& c) {
    const Json& o = c.options(1);
    const Tensor x = c.input("x", c.options(0));
    FeedForward w;
    for (const auto& [name, to] : {std::pair{"gate", &w.gate}, std::pair{"in", &w.in}, std::pair{"out", &w.out}}) {
      to->weight = c.parameter(std::string(name) + "Weight", o);
      to->bias = c.parameter(std::string(name) + "Bias", o);
    }
    w.activation = activation_of_name(o.at("activation").get<std::string>()).value();
    c.start();
    const Tensor y = feed_forward(c.context(), w, x);
    c.expect("output", y, worst);
    c.expect_gradients(y, worst);
  });
}

TEST(CoreOps, SinusoidalHalves) {
  Worst worst("sinusoidalHalves");
  each_case("sinusoidalHalves", [&](Case& c) {
    c.expect("output", sinusoidal_rows(c.arena(), c.given(c.options(0)).ints(), c.options(1), true), worst);
  });
}

}  // namespace
}  // namespace glass
