// LSH attention: who attends to whom, and the chunked computation against the matrix that it stands for.
#include "ops/lsh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cpp/io/expect_error.h"
#include "ops/ops.h"

namespace glass {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Tensor drawn(Arena& arena, Random& random, Shape shape) {
  Tensor x(arena, shape);
  std::generate_n(x.data(), x.size(), [&] { return random.normal(); });
  return x;
}

Tensor unit_length(Tensor x) {
  for (size_t row = 0; row < x.rows(); ++row) {
    float* values = x.data() + row * x.width();
    simd.scale(1.f / std::sqrt(simd.dot(values, values, x.width())), values, values, x.width());
  }
  return x;
}

struct Case {
  const char* name;
  int64_t B, T, H, K;
  LshOptions options;
  bool causal;
  std::vector<int64_t> real;  // real tokens of each sequence; empty: all
};

const Case kCases[] = {
    {"one_round", 2, 13, 2, 5, {1, 4, 4}, false, {}},
    {"three_rounds", 1, 17, 3, 4, {3, 4, 3}, false, {}},
    {"causal", 2, 16, 1, 8, {2, 2, 4}, true, {}},
    {"padded", 3, 12, 2, 6, {2, 4, 3}, false, {12, 7, 1}},
    {"padded_causal", 2, 11, 2, 4, {4, 6, 2}, true, {11, 5}},
    {"all_padding", 2, 6, 1, 4, {2, 2, 2}, false, {6, 0}},
    {"length_of_the_paper", 1, 33, 2, 4, {2, 8, 0}, false, {}},
    {"one_bucket", 1, 9, 2, 4, {2, 1, 4}, true, {}},
    {"long_chunk", 1, 7, 1, 3, {1, 2, 100}, false, {}},
    {"single_tokens", 2, 5, 2, 4, {1, 8, 1}, false, {}},
    {"one_token", 1, 1, 1, 4, {2, 4, 2}, true, {}},
};

class Lsh : public ::testing::TestWithParam<Case> {
 protected:
  std::vector<uint8_t> hidden() const {
    const Case& c = GetParam();
    std::vector<uint8_t> marks;
    for (const int64_t real : c.real)
      for (int64_t t = 0; t < c.T; ++t) marks.push_back(t >= real);
    return marks;
  }
  LshPlan plan(Arena& arena, const Tensor& k) const {
    const Case& c = GetParam();
    const std::vector<float> rotations = lsh_rotations(3, c.options, c.H, c.K);
    return {lsh_buckets(Context{arena}, k, c.T, rotations, c.options, hidden()), c.options, hidden(), c.causal};
  }
};

TEST_P(Lsh, ChunksGiveWhatTheMatrixGives) {
  const Case& c = GetParam();
  Arena arena;
  {
    Random random(7);
    const Shape shape{c.B, c.T, c.H, c.K};
    const Tensor q = drawn(arena, random, shape), k = unit_length(drawn(arena, random, shape)), v = drawn(arena, random, shape),
                 upstream = drawn(arena, random, shape);
    const LshPlan p = plan(arena, k);
    std::vector<std::vector<float>> outputs, gradients[3];
    for (const bool chunked : {true, false}) {
      for (const Tensor* x : {&q, &k, &v}) x->drop_gradient(), x->set_tracked(true);
      Tape tape(nullptr);
      const Context cx{.arena = arena, .tape = &tape};
      Tensor out;
      if (chunked) {
        out = lsh_attention(cx, q, k, v, p, 0.f);
      } else {
        AttentionMask mask;
        mask.values = lsh_mask(cx, p, c.T);
        mask.query = c.T, mask.head = c.T * c.T, mask.batch = c.H * c.T * c.T;
        out = weighted_values(cx, softmax(cx, attention_scores(cx, q, k, 1.f, mask)), v);
      }
      outputs.emplace_back(out.data(), out.data() + out.size());
      tape.backward(out, upstream.data());
      int i = 0;
      for (const Tensor* x : {&q, &k, &v}) gradients[i++].emplace_back(x->gradient(), x->gradient() + x->size());
    }
    // Sums of some tens of numbers of size 1, in another order.
    const auto expect_near = [](const std::vector<std::vector<float>>& pair) {
      for (size_t i = 0; i < pair[0].size(); ++i) ASSERT_NEAR(pair[0][i], pair[1][i], 5e-6) << "value " << i;
    };
    expect_near(outputs);
    for (const auto& pair : gradients) expect_near(pair);
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}

TEST_P(Lsh, TheMatrixObeysTheRules) {
  const Case& c = GetParam();
  Arena arena;
  Random random(7);
  const Tensor k = unit_length(drawn(arena, random, {c.B, c.T, c.H, c.K}));
  const LshPlan p = plan(arena, k);
  const Tensor mask = lsh_mask(Context{arena}, p, c.T);
  for (int64_t b = 0; b < c.B; ++b)
    for (int64_t h = 0; h < c.H; ++h)
      for (int32_t i = 0; i < c.T; ++i) {
        const float* row = mask.data() + ((b * c.H + h) * c.T + i) * c.T;
        const auto seen = std::count(row, row + c.T, 0.f);
        EXPECT_EQ(std::count(row, row + c.T, -kInfinity), c.T - seen);
        if (row[i] == 0.f) {
          EXPECT_EQ(seen, 1) << "a token that sees others does not see itself";
        }
        if (!p.hidden(b, i)) {
          EXPECT_GE(seen, 1);
        }
        for (int32_t j = 0; j < c.T; ++j) {
          if (row[j] != 0.f) continue;
          EXPECT_FALSE(p.hidden(b, j));
          if (c.causal) {
            EXPECT_LE(j, i);
          }
          if (i != j) {
            EXPECT_GE(p.found(b, h, i, j), 1);
          }
        }
      }
}

TEST_P(Lsh, OrderIsByBucketThenPosition) {
  const Case& c = GetParam();
  Arena arena;
  Random random(7);
  const Tensor k = unit_length(drawn(arena, random, {c.B, c.T, c.H, c.K}));
  const std::vector<float> rotations = lsh_rotations(3, c.options, c.H, c.K);
  const Tensor buckets = lsh_buckets(Context{arena}, k, c.T, rotations, c.options, hidden());
  const LshPlan p(buckets, c.options, hidden(), c.causal);
  for (int64_t b = 0; b < c.B; ++b)
    for (int64_t h = 0; h < c.H; ++h)
      for (int64_t r = 0; r < c.options.rounds; ++r) {
        const float* bucket = buckets.data() + ((b * c.H + h) * c.options.rounds + r) * c.T;
        const int32_t* order = p.order(b, h, r);
        for (int64_t i = 1; i < c.T; ++i)
          EXPECT_LT(std::pair(bucket[order[i - 1]], order[i - 1]), std::pair(bucket[order[i]], order[i]));
        EXPECT_EQ(std::set<int32_t>(order, order + c.T).size(), static_cast<size_t>(c.T));
      }
}

INSTANTIATE_TEST_SUITE_P(Cases, Lsh, ::testing::ValuesIn(kCases), [](const auto& info) { return info.param.name; });

TEST(LshBuckets, AreTheLargestOfTheRotatedAndTheirNegatives) {
  Arena arena;
  const LshOptions options{1, 4, 2};
  const std::vector<float> axes{1, 0, 0, 1};  // two rotations of width 2
  Tensor k(arena, {1, 5, 1, 2});
  const float values[] = {2, 1, 1, 2, -2, 1, 1, -2, 1, 1};
  std::copy_n(values, 10, k.data());
  const Tensor buckets = lsh_buckets(Context{arena}, k, 5, axes, options, {});
  EXPECT_EQ(std::vector<float>(buckets.data(), buckets.data() + 5), (std::vector<float>{0, 1, 2, 3, 0}));
  const std::vector<uint8_t> hidden{0, 0, 1, 0, 0};
  EXPECT_EQ(lsh_buckets(Context{arena}, k, 5, axes, options, hidden).data()[2], 4.f);
  expect_error(ErrorCode::bad_input, {"lsh_buckets", "3 rotations"},
               [&] { lsh_buckets(Context{arena}, k, 5, std::vector<float>(3), options, {}); });
}

TEST(LshBuckets, NearVectorsShareABucketMoreOftenThanFarOnes) {
  Arena arena;
  const LshOptions options{64, 8, 1};
  const std::vector<float> rotations = lsh_rotations(1, options, 1, 16);
  Random random(5);
  Tensor k = drawn(arena, random, {1, 3, 1, 16});
  for (int i = 0; i < 16; ++i) k.data()[16 + i] = k.data()[i] + 0.1f * random.normal();  // near the first; the third is not
  const Tensor buckets = lsh_buckets(Context{arena}, k, 3, rotations, options, {});
  int near = 0, far = 0;
  for (int r = 0; r < 64; ++r) {
    near += buckets.data()[3 * r] == buckets.data()[3 * r + 1];
    far += buckets.data()[3 * r] == buckets.data()[3 * r + 2];
  }
  EXPECT_GT(near, 48);
  EXPECT_LT(far, 24);
}

TEST(LshPlanTest, TakesAnyBucketsThatAnEditWrites) {
  Arena arena;
  Tensor buckets(arena, {1, 1, 1, 4});
  const float values[] = {-3.f, std::nanf(""), 1e30f, 2.f};
  std::copy_n(values, 4, buckets.data());
  const LshPlan plan(buckets, {1, 2, 2}, {}, false);
  EXPECT_TRUE(plan.finds(0, 0, 0, 0, 1));
  EXPECT_TRUE(plan.finds(0, 0, 0, 2, 3));
  EXPECT_FALSE(plan.finds(0, 0, 0, 1, 2));
}

// The output is linear in the values, and smooth in queries and keys, for one drawing of the dropped weights.
TEST(LshDropout, TheBackwardDropsTheSameWeights) {
  Arena arena;
  Random draws(11);
  const LshOptions options{2, 2, 3};
  const Shape shape{1, 8, 2, 4};
  Tensor q = drawn(arena, draws, shape);
  const Tensor k = unit_length(drawn(arena, draws, shape)), v = drawn(arena, draws, shape),
               upstream = drawn(arena, draws, shape);
  const LshPlan plan(lsh_buckets(Context{arena}, k, 8, lsh_rotations(3, options, 2, 4), options, {}), options, {}, false);
  const auto objective = [&](Tape* tape) {
    Random masks(4);
    const Tensor out = lsh_attention({.arena = arena, .tape = tape, .random = &masks}, q, k, v, plan, 0.4f);
    double total = 0;
    for (size_t i = 0; i < out.size(); ++i)
      total += static_cast<double>(out.data()[i]) * static_cast<double>(upstream.data()[i]);
    if (tape) tape->backward(out, upstream.data());
    return total;
  };
  q.set_tracked(true);
  v.set_tracked(true);
  Tape tape(nullptr);
  const double value = objective(&tape);
  double by_values = 0;
  for (size_t i = 0; i < v.size(); ++i) by_values += static_cast<double>(v.gradient()[i]) * static_cast<double>(v.data()[i]);
  EXPECT_NEAR(by_values, value, 1e-4);  // some hundred products of size 1 in F32
  for (size_t i = 0; i < q.size(); i += 5) {
    const float kept = q.data()[i], step = 0x1p-6f;
    q.data()[i] = kept + step;
    const double up = objective(nullptr);
    q.data()[i] = kept - step;
    const double down = objective(nullptr);
    q.data()[i] = kept;
    // 1e-6 of rounding over the step, and the third derivative times its square.
    EXPECT_NEAR((up - down) / (2 * static_cast<double>(step)), q.gradient()[i], 2e-3) << "value " << i;
  }
}

TEST(LshMemory, GrowsWithTheChunksNotWithTheSquareOfTheLength) {
  const LshOptions options{2, 64, 32};
  std::vector<double> peaks;
  for (const int64_t T : {512, 2048}) {
    Arena arena;
    Random random(1);
    const Shape shape{1, T, 1, 16};
    const Tensor q = drawn(arena, random, shape), k = unit_length(drawn(arena, random, shape)), v = drawn(arena, random, shape);
    const LshPlan plan(lsh_buckets(Context{arena}, k, T, lsh_rotations(1, options, 1, 16), options, {}), options, {}, false);
    arena.reset_peak();
    lsh_attention(Context{arena}, q, k, v, plan, 0.f);
    peaks.push_back(static_cast<double>(arena.peak_bytes()));
    EXPECT_LT(peaks.back(), static_cast<double>(T * T) * 4 / 4) << "less than a quarter of a T × T matrix";
  }
  EXPECT_LT(peaks[1], 4.4 * peaks[0]);  // four times as long, and blocks are rounded up
}

TEST(LshErrors, NameTheShapes) {
  Arena arena;
  const Tensor q = Context{arena}.zeros({1, 4, 1, 2}), other = Context{arena}.zeros({1, 5, 1, 2});
  const LshPlan plan(Context{arena}.zeros({1, 1, 1, 4}), {1, 2, 2}, {}, false);
  expect_error(ErrorCode::bad_input, {"lsh_attention, keys", "[1, 4, 1, 2]", "[1, 5, 1, 2]"},
               [&] { lsh_attention(Context{arena}, q, other, other, plan, 0.f); });
  expect_error(ErrorCode::bad_input, {"lsh_attention", "[1, 5, 1, 2]", "[1, 1, 1, 4]"},
               [&] { lsh_attention(Context{arena}, other, other, other, plan, 0.f); });
}

}  // namespace
}  // namespace glass
