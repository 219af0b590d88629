// Mixing positions: two ways to the same values, and what does not fit.
#include "ops/linformer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cpp/io/expect_error.h"
#include "ops/ops.h"

namespace glass {
namespace {

constexpr int64_t kLength = 9, kMixed = 3;  // positions that the matrix has, rows that it mixes them to

class LinformerTest : public ::testing::Test {
 protected:
  LinformerTest() : values_(kLength * kMixed) {
    std::generate(values_.begin(), values_.end(), [&] { return random_.normal(); });
    weight_.name = "mix.weight";
    weight_.shape = {kMixed, kLength};
    weight_.data = values_.data();
  }
  Tensor drawn(const Shape& shape) {
    Tensor x(arena_, shape);
    std::generate_n(x.data(), x.size(), [&] { return random_.normal(); });
    return x;
  }

  Arena arena_;
  Random random_{3};
  std::vector<float> values_;
  Parameter weight_;
};

// pattern · (F v) = (pattern · F) v, and so do their gradients: of the pattern, of v and of F.
TEST_F(LinformerTest, MixingValuesIsSpreadingThePattern) {
  for (const int64_t S : {kLength, int64_t{6}}) {
    std::vector<uint8_t> hidden(static_cast<size_t>(2 * S), 0);
    hidden[1] = hidden[static_cast<size_t>(2 * S - 1)] = 1;
    const Tensor pattern = drawn({2, 2, S, kMixed}), v = drawn({2, S, 2, 4}), upstream = drawn({2, S, 2, 4});
    std::vector<std::vector<float>> results[4];
    for (const bool mixed : {true, false}) {
      for (const Tensor* x : {&pattern, &v}) x->drop_gradient(), x->set_tracked(true);
      Gradients gradients(weight_.size());
      Tape tape(&gradients);
      const Context cx{.arena = arena_, .tape = &tape};
      const Tensor z = mixed ? weighted_values(cx, pattern, mix_positions(cx, weight_, v, hidden))
                             : weighted_values(cx, spread_pattern(cx, weight_, pattern, S, hidden), v);
      results[0].emplace_back(z.data(), z.data() + z.size());
      tape.backward(z, upstream.data());
      results[1].emplace_back(pattern.gradient(), pattern.gradient() + pattern.size());
      results[2].emplace_back(v.gradient(), v.gradient() + v.size());
      results[3].push_back(gradients.values());
    }
    for (const auto& pair : results)
      for (size_t i = 0; i < pair[0].size(); ++i)
        ASSERT_NEAR(pair[0][i], pair[1][i], 3e-5f) << "value " << i;  // sums of up to 144 products of three normal numbers
    for (size_t s = 0; s < 2 * static_cast<size_t>(S); ++s)
      for (size_t i = 0; hidden[s] && i < 8; ++i) EXPECT_EQ(results[2][0][s * 8 + i], 0.f);  // hidden values are not read
  }
}

TEST_F(LinformerTest, ShapesThatDoNotFitAreNamed) {
  const Context cx{arena_};
  const Tensor x = drawn({1, kLength + 1, 1, 2}), pattern = drawn({1, 1, 4, kMixed + 1});
  expect_error(ErrorCode::bad_input, {"mix_positions", "mix.weight", "at most 9", "10"},
               [&] { mix_positions(cx, weight_, x, {}); });
  expect_error(ErrorCode::bad_input, {"spread_pattern", "mix.weight", "3 rows", "4"},
               [&] { spread_pattern(cx, weight_, pattern, kLength, {}); });
  const std::vector<uint8_t> marks(5);
  expect_error(ErrorCode::bad_input, {"mix_positions", "9 marks", "5"}, [&] {
    mix_positions(cx, weight_, drawn({1, kLength, 1, 2}), marks);
  });
}

}  // namespace
}  // namespace glass
