// Reversible steps against the same steps on an ordinary tape, and what they keep in memory.
#include "ops/reversible.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "ops/ops.h"

namespace glass {
namespace {

constexpr int64_t kWidth = 8;

// A feed-forward with dropout for each step, and the gradients of all of them.
class Steps {
 public:
  explicit Steps(size_t n) {
    Random random(5);
    for (size_t i = 0; i < n; ++i)
      for (const int64_t rows : {kWidth, int64_t{0}}) {
        Parameter& p = parameters_.emplace_back();
        p.name = "p" + std::to_string(parameters_.size());
        p.shape = rows > 0 ? Shape{rows, kWidth} : Shape{kWidth};
        values_.emplace_back(p.size());
        for (float& value : values_.back()) value = random.normal() * 0.3f;
        p.data = values_.back().data();
        p.offset = size_;
        size_ += p.size();
      }
    for (size_t i = 0; i < n; ++i)
      steps.push_back([&weight = parameters_[2 * i], &bias = parameters_[2 * i + 1]](const Context& cx, const Tensor& x) {
        return dropout(cx, 0.2f,
                       activate(cx, Activation::tanh, linear(cx, weight, &bias, layer_norm(cx, nullptr, nullptr, 1e-5f, x))));
      });
  }
  size_t size() const { return size_; }

  std::vector<ReversibleStep> steps;

 private:
  std::deque<Parameter> parameters_;
  std::deque<std::vector<float>> values_;
  size_t size_ = 0;
};

// The same on an ordinary tape.
Tensor stored(const Context& cx, const Tensor& x, const std::vector<ReversibleStep>& steps) {
  Tensor first = x, second = x;
  for (const ReversibleStep& step : steps) {
    first = add(cx, std::move(first), step(cx, second));
    std::swap(first, second);
  }
  return scale(cx, 0.5f, add(cx, std::move(first), second));
}

struct Result {
  std::vector<float> output, dx, parameters;
  size_t peak = 0;
};

Result run(const Steps& steps, bool reversed, int64_t rows = 4, bool with_dropout = true) {
  Result result;
  Arena arena;
  {
    Gradients gradients(steps.size());
    Tape tape(&gradients);
    Random values(2), masks(9);
    const Context cx{.arena = arena, .tape = &tape, .random = with_dropout ? &masks : nullptr};
    Tensor x = cx.make({rows, kWidth});
    std::generate_n(x.data(), x.size(), [&] { return values.normal(); });
    x.set_tracked(true);
    const Tensor y = reversed ? reversible(cx, x, steps.steps) : stored(cx, x, steps.steps);
    result.output.assign(y.data(), y.data() + y.size());
    std::vector<float> upstream(y.size());
    std::generate(upstream.begin(), upstream.end(), [&] { return values.normal(); });
    tape.backward(y, upstream.data());
    result.dx.assign(x.gradient(), x.gradient() + x.size());
    result.parameters = gradients.values();
    result.peak = arena.peak_bytes();
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  return result;
}

void expect_near(const std::vector<float>& got, const std::vector<float>& expected, float tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  float largest = 0;
  for (const float value : expected) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], tolerance * largest) << "value " << i;
}

// Taking a step back rounds once for each value, 6e-8 of a stream of size 1 to 5, and later steps see the sum of these.
TEST(Reversible, GivesTheGradientsOfAStoredTape) {
  for (const size_t n : {0u, 1u, 2u, 5u, 12u})
    for (const bool with_dropout : {false, true}) {
      const Steps steps(n);
      const Result expected = run(steps, false, 4, with_dropout), got = run(steps, true, 4, with_dropout);
      expect_near(got.output, expected.output, 1e-6f);
      expect_near(got.dx, expected.dx, 1e-5f);
      expect_near(got.parameters, expected.parameters, 1e-5f);
    }
}

TEST(Reversible, MemoryDoesNotGrowWithTheSteps) {
  const size_t few = run(Steps(4), true, 256).peak, many = run(Steps(32), true, 256).peak;
  EXPECT_EQ(few, many);
  const size_t stored_few = run(Steps(4), false, 256).peak, stored_many = run(Steps(32), false, 256).peak;
  EXPECT_GT(stored_many, 6 * stored_few);
  EXPECT_LT(many, stored_many / 10);
  ::testing::Test::RecordProperty("bytes_reversible_32", static_cast<int>(many));
  ::testing::Test::RecordProperty("bytes_stored_32", static_cast<int>(stored_many));
}

TEST(Reversible, WithoutATapeNothingIsKept) {
  const Steps steps(6);
  Arena arena;
  Tensor x = Context{arena}.zeros({4, kWidth});
  x.data()[3] = 1.f;
  const Tensor y = reversible(Context{arena}, x, steps.steps), expected = stored(Context{arena}, x, steps.steps);
  for (size_t i = 0; i < y.size(); ++i) EXPECT_FLOAT_EQ(y.data()[i], expected.data()[i]);
}

}  // namespace
}  // namespace glass
