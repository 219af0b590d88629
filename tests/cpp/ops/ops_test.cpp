// What ops promise beside their gradients: the tape's economy, dropout's statistics, layouts, refusals.
#include "ops/ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cpp/io/expect_error.h"
#include "cpp/support/golden.h"
#include "ops/recompute.h"

namespace glass {
namespace {

Tensor filled(Arena& arena, Shape shape, uint64_t seed = 1) {
  Tensor x(arena, shape);
  Random random(seed);
  std::generate_n(x.data(), x.size(), [&] { return random.normal(); });
  return x;
}

struct Weight {
  std::vector<float> memory;
  Parameter p;
  explicit Weight(Shape shape, uint64_t seed = 2) {
    p.name = "weight";
    p.shape = shape;
    memory.resize(std::max(stored_size(p, Layout::rows), stored_size(p, Layout::panels)));
    Random random(seed);
    std::generate_n(memory.begin(), p.size(), [&] { return random.normal(); });
    p.data = memory.data();
  }
};

std::vector<float> values_of(const Tensor& x) { return {x.data(), x.data() + x.size()}; }

// ---- tape ---------------------------------------------------------------------------------------------------------------

TEST(TapeTest, RecordsOnlyWhatIsWanted) {
  Arena arena;
  Tape tape(nullptr);
  const Context cx{.arena = arena, .tape = &tape};
  const Weight w({4, 4});
  {
    const Tensor y = softmax(cx, linear(cx, w.p, nullptr, filled(arena, {3, 4})));
    EXPECT_FALSE(y.tracked());
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);  // the tape holds nothing
}

TEST(TapeTest, AddsUpWhereAValueIsReadTwice) {
  Arena arena;
  Tape tape(nullptr);
  const Context cx{.arena = arena, .tape = &tape};
  const Tensor x = filled(arena, {2, 3});
  x.set_tracked(true);
  const Tensor y = add(cx, scale(cx, 2.f, x), scale(cx, 3.f, x));
  tape.backward(y);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x.gradient()[i], 5.f);
}

TEST(TapeTest, SkipsWhatTheRootDoesNotNeed) {
  Arena arena;
  Tape tape(nullptr);
  const Context cx{.arena = arena, .tape = &tape};
  const Tensor x = filled(arena, {2, 3});
  x.set_tracked(true);
  const Tensor unused = scale(cx, 100.f, x), y = scale(cx, 2.f, x);
  const std::vector<float> upstream = {1, 0, 0, 0, 0, -1};
  tape.backward(y, upstream.data());
  EXPECT_EQ(std::vector<float>(x.gradient(), x.gradient() + 6), (std::vector<float>{2, 0, 0, 0, 0, -2}));
}

TEST(TapeTest, GivesMemoryBackAsItGoes) {
  Arena arena;
  {
    Tape tape(nullptr);
    const Context cx{.arena = arena, .tape = &tape};
    Tensor x = filled(arena, {64, 64});
    x.set_tracked(true);
    for (int i = 0; i < 10; ++i) x = activate(cx, Activation::tanh, x);
    const size_t forward = arena.bytes_in_use();
    EXPECT_GE(forward, 11 * x.size() * sizeof(float));
    tape.backward(x);
    EXPECT_LE(arena.peak_bytes(), forward + 3 * x.size() * sizeof(float));  // two gradients are alive at a time
    x = Tensor();
    EXPECT_EQ(arena.bytes_in_use(), 0u);
  }
}

TEST(TapeTest, AForwardWithoutOneWorksInPlace) {
  Arena arena;
  const Context cx{arena};
  Tensor x = filled(arena, {64, 64});
  const size_t one = arena.bytes_in_use();
  const float* where = x.data();
  x = softmax(cx, layer_norm(cx, nullptr, nullptr, 1e-5f, scale(cx, 2.f, activate(cx, Activation::gelu, std::move(x)))));
  EXPECT_EQ(x.data(), where);
  EXPECT_EQ(arena.peak_bytes(), one);
  const Tensor held = x;  // somebody else reads it: it must not change
  const std::vector<float> before = values_of(held);
  const Tensor y = activate(cx, Activation::relu, scale(cx, -1.f, x));
  EXPECT_EQ(values_of(held), before);
  EXPECT_NE(y.data(), held.data());
}

TEST(TapeTest, FrozenParametersGetNothing) {
  Arena arena;
  Weight a({3, 3}), b({3, 3}, 5);
  b.p.offset = 9;
  Gradients gradients(18);
  gradients.freeze(a.p);
  Tape tape(&gradients);
  const Context cx{.arena = arena, .tape = &tape};
  const Tensor y = linear(cx, b.p, nullptr, linear(cx, a.p, nullptr, filled(arena, {2, 3})));
  tape.backward(y);
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(gradients.values()[i], 0.f);
  EXPECT_GT(std::accumulate(gradients.values().begin() + 9, gradients.values().end(), 0.f,
                            [](float s, float g) { return s + std::abs(g); }),
            0.f);
}

TEST(TapeTest, RecomputingChangesNoBit) {
  Weight w({6, 6});
  const auto gradients_of = [&](bool again) {
    Arena arena;
    Gradients gradients(36);
    Tape tape(&gradients);
    Random random(3);
    const Context cx{.arena = arena, .tape = &tape, .random = &random};
    const Tensor x = filled(arena, {5, 6});
    x.set_tracked(true);
    const auto segment = [&](const Context& inner, Tensor y) {
      return layer_norm(inner, nullptr, nullptr, 1e-5f,
                        dropout(inner, 0.3f, activate(inner, Activation::gelu, linear(inner, w.p, nullptr, y))));
    };
    Tensor y = x;
    for (int i = 0; i < 3; ++i) y = again ? recompute(cx, y, segment) : segment(cx, y);
    tape.backward(softmax(cx, dropout(cx, 0.5f, y)), filled(arena, {5, 6}, 9).data());
    std::vector<float> all = gradients.values();
    all.insert(all.end(), x.gradient(), x.gradient() + x.size());
    return all;
  };
  EXPECT_EQ(gradients_of(true), gradients_of(false));
}

// ---- layouts --------------------------------------------------------------------------------------------------------------

TEST(Layouts, PanelsAndRowsGiveTheSameBits) {
  for (const int64_t rows : {1, 2, 7, 33}) {
    Arena arena;
    const Context cx{arena};
    Weight w({19, 13});
    const Tensor x = filled(arena, {rows, 13});
    const std::vector<int32_t> ids = {18, 0, 7};
    const std::vector<float> from_rows = values_of(linear(cx, w.p, nullptr, x)), table = values_of(embedding(cx, w.p, ids));
    set_layout(w.p, Layout::panels);
    EXPECT_EQ(values_of(linear(cx, w.p, nullptr, x)), from_rows);
    EXPECT_EQ(values_of(embedding(cx, w.p, ids)), table);

    Tape tape(nullptr);  // gradients of the input do not care either
    const Context recorded{.arena = arena, .tape = &tape};
    x.set_tracked(true);
    tape.backward(linear(recorded, w.p, nullptr, x));
    const std::vector<float> gradient(x.gradient(), x.gradient() + x.size());
    x.drop_gradient();
    set_layout(w.p, Layout::rows);
    tape.backward(linear(recorded, w.p, nullptr, x));
    EXPECT_EQ(std::vector<float>(x.gradient(), x.gradient() + x.size()), gradient);
  }
}

TEST(Layouts, ARowAloneEqualsTheSameRowAmongOthers) {
  Arena arena;
  const Context cx{arena};
  Weight w({21, 50});
  set_layout(w.p, Layout::panels);
  const Tensor x = filled(arena, {6, 50});
  const Tensor together = linear(cx, w.p, nullptr, x);
  for (int32_t i = 0; i < 6; ++i) {
    const Tensor alone = linear(cx, w.p, nullptr, take_rows(cx, x, std::vector<int32_t>{i}));
    const float* expected = together.data() + i * 21;
    // Another order of adding up 50 products: some roundings of values of size 10.
    EXPECT_LE(testing::largest_difference(values_of(alone), std::vector<double>(expected, expected + 21)), 1e-5);
  }
}

TEST(Layouts, RowsOfNoValuesGiveTheBias) {
  Arena arena;
  const Context cx{arena};
  const Weight w({3, 0}), b({3});
  std::fill_n(Tensor(arena, {6}).data(), 6, 7.f);  // the memory that a result gets next is not zero
  EXPECT_EQ(values_of(linear(cx, w.p, nullptr, Tensor(arena, {2, 0}))), std::vector<float>(6, 0.f));
  const Tensor y = linear(cx, w.p, &b.p, Tensor(arena, {2, 0}));
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(y.data()[i], b.p.data[i % 3]);
}

// ---- dropout ----------------------------------------------------------------------------------------------------------------

TEST(DropoutTest, KeepsTheExpectation) {
  Arena arena;
  constexpr size_t n = 200000;
  Tensor x(arena, {n});
  std::fill_n(x.data(), n, 1.f);
  for (const float rate : {0.1f, 0.5f, 0.9f}) {
    Random random(4);
    const Context cx{.arena = arena, .random = &random};
    const Tensor y = dropout(cx, rate, x);
    size_t zeros = 0;
    for (size_t i = 0; i < n; ++i) {
      if (y.data()[i] == 0.f)
        ++zeros;
      else
        ASSERT_FLOAT_EQ(y.data()[i], 1.f / (1.f - rate));
    }
    const double r = static_cast<double>(rate);
    EXPECT_NEAR(static_cast<double>(zeros) / n, r, 5 * std::sqrt(r * (1 - r) / n));  // five standard deviations
  }
}

TEST(DropoutTest, IsSeededAndSwitchable) {
  Arena arena;
  const Tensor x = filled(arena, {100});
  const auto drawn = [&](uint64_t seed, float given) {
    Random random(seed);
    return values_of(dropout(Context{.arena = arena, .random = &random, .dropout_rate = given}, 0.5f, x));
  };
  EXPECT_EQ(drawn(1, -1.f), drawn(1, -1.f));
  EXPECT_NE(drawn(1, -1.f), drawn(2, -1.f));
  EXPECT_EQ(drawn(1, 0.f), values_of(x));  // a rate from outside stands for the op's own
  EXPECT_NE(drawn(1, 0.1f), drawn(1, -1.f));
  EXPECT_EQ(values_of(dropout(Context{arena}, 0.5f, x)), values_of(x));  // nobody draws: off
  Random random(1);
  const Context cx{.arena = arena, .random = &random};
  EXPECT_NE(values_of(dropout(cx, 0.5f, x)), values_of(dropout(cx, 0.5f, x)));
}

// ---- edges ------------------------------------------------------------------------------------------------------------------

TEST(Edges, NoVisibleKeyGivesZerosForwardAndBackward) {
  Arena arena;
  Tape tape(nullptr);
  const Context cx{.arena = arena, .tape = &tape};
  const Tensor q = filled(arena, {1, 2, 1, 4}, 1), k = filled(arena, {1, 3, 1, 4}, 2), v = filled(arena, {1, 3, 1, 4}, 3);
  for (const Tensor& x : {q, k, v}) x.set_tracked(true);
  AttentionMask mask{cx.zeros({2, 3}), 0, 0, 3};
  std::fill_n(mask.values.data(), 3, -INFINITY);  // query 0 sees nothing
  const Tensor z = weighted_values(cx, softmax(cx, attention_scores(cx, q, k, 0.5f, mask)), v);
  tape.backward(z);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(z.data()[i], 0.f);
    EXPECT_EQ(q.gradient()[i], 0.f);
    EXPECT_TRUE(std::isfinite(z.data()[4 + i]));
  }
  for (const Tensor& x : {q, k, v})
    for (size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(std::isfinite(x.gradient()[i]));
}

TEST(Edges, PoolingNothingGivesZeros) {
  Arena arena;
  const Tensor y = mean_pool(Context{arena}, filled(arena, {2, 2, 3}), std::vector<int32_t>{1, 1, 0, 0});
  for (size_t i = 3; i < 6; ++i) EXPECT_EQ(y.data()[i], 0.f);
}

TEST(Edges, LossOfNothingCountsNothing) {
  Arena arena;
  Tape tape(nullptr);
  const Context cx{.arena = arena, .tape = &tape};
  const Tensor x = filled(arena, {2, 3});
  x.set_tracked(true);
  const Loss loss = cross_entropy(cx, x, std::vector<int32_t>{-100, -100}, 0.1f);
  EXPECT_EQ(loss.counted, 0);
  EXPECT_EQ(loss.sum.data()[0], 0.f);
  tape.backward(loss.sum);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x.gradient()[i], 0.f);
}

TEST(Edges, LossOfLargeLogitsIsFinite) {
  Arena arena;
  Tensor x(arena, {1, 2});
  x.data()[0] = 3e38f;
  x.data()[1] = -3e38f;
  const Loss loss = cross_entropy(Context{arena}, x, std::vector<int32_t>{0});
  EXPECT_EQ(loss.sum.data()[0], 0.f);
}

TEST(Edges, ShapesThatDoNotFitAreRefused) {
  Arena arena;
  const Context cx{arena};
  const Weight w({4, 3}), norm({4});
  const auto refuses = [](const std::vector<std::string>& parts, auto&& call) {
    expect_error(ErrorCode::bad_input, parts, call);
  };
  const auto x = [&](Shape shape) { return filled(arena, shape); };
  const std::vector<int32_t> one = {1}, minus = {-1}, four = {4};
  refuses({"weight", "0 to 3", "got 4", "position 0"}, [&] { embedding(cx, w.p, four); });
  refuses({"weight", "got -1"}, [&] { embedding(cx, w.p, minus); });
  refuses({"weight", "rows of 3", "[2, 4]"}, [&] { linear(cx, w.p, nullptr, x({2, 4})); });
  refuses({"add", "[2, 3]", "[4]"}, [&] { add(cx, x({2, 3}), x({2, 2}).reshaped({4})); });
  refuses({"layer_norm", "weight", "4", "3"}, [&] { layer_norm(cx, &norm.p, nullptr, 0.f, x({2, 3})); });
  refuses({"rms_norm", "weight"}, [&] { rms_norm(cx, &norm.p, 0.f, x({2, 3})); });
  refuses({"blend"}, [&] { blend(cx, x({3}), std::vector<float>(2), std::vector<float>(3)); });
  refuses({"attention_scores", "four axes"}, [&] { attention_scores(cx, x({2, 3, 4}), x({2, 3, 1, 4}), 1.f, {}); });
  refuses({"attention_scores", "one batch size"}, [&] { attention_scores(cx, x({1, 3, 1, 4}), x({2, 3, 1, 4}), 1.f, {}); });
  refuses({"attention_scores", "width 4", "5"}, [&] { attention_scores(cx, x({1, 3, 1, 4}), x({1, 3, 1, 5}), 1.f, {}); });
  refuses({"attention_scores", "3 heads", "2 key heads"}, [&] {
    attention_scores(cx, x({1, 3, 3, 4}), x({1, 3, 2, 4}), 1.f, {});
  });
  refuses({"weighted_values", "7 keys", "6 values"}, [&] { weighted_values(cx, x({1, 1, 2, 7}), x({1, 6, 1, 4})); });
  refuses({"take_rows", "got 4"}, [&] { take_rows(cx, x({4, 2}), four); });
  refuses({"mean_pool", "[2, 3]"}, [&] { mean_pool(cx, x({2, 3}), one); });
  refuses({"cross_entropy", "2 labels", "got 1"}, [&] { cross_entropy(cx, x({2, 3}), one); });
  refuses({"cross_entropy", "0 to 2", "got 4", "row 0"}, [&] { cross_entropy(cx, x({1, 3}), four); });
  refuses({"cross_entropy", "got -1"}, [&] { cross_entropy(cx, x({1, 3}), minus); });
  refuses({"labelSmoothing", "got 1.5"}, [&] { cross_entropy(cx, x({1, 3}), one, 1.5f); });
}

}  // namespace
}  // namespace glass
