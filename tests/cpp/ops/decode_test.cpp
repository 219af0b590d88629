// What a step of generation does in other ways than a pass over a text: few queries, weights of eight bits.
#include <gtest/gtest.h>

#include <cmath>

#include "cpp/support/golden.h"
#include "kernels/int8.h"
#include "ops/ops.h"

namespace glass {
namespace {

Tensor filled(Arena& arena, Shape shape, uint64_t seed) {
  Tensor x(arena, shape);
  Random random(seed);
  std::generate_n(x.data(), x.size(), [&] { return random.normal(); });
  return x;
}

// The last `count` of the queries [B, T, H, K].
Tensor last_queries(Arena& arena, const Tensor& x, int64_t count) {
  Tensor y(arena, {x.dim(0), count, x.dim(2), x.dim(3)});
  const size_t row = static_cast<size_t>(x.dim(2) * x.dim(3)), rows = static_cast<size_t>(count) * row;
  for (int64_t b = 0; b < x.dim(0); ++b)
    std::copy_n(x.data() + static_cast<size_t>((b + 1) * x.dim(1)) * row - rows, rows,
                y.data() + static_cast<size_t>(b) * rows);
  return y;
}

TEST(FewQueries, GiveTheLastRowsOfMany) {
  for (const int64_t key_sequences : {1, 2}) {
    for (const int64_t key_heads : {1, 2, 4}) {
      for (const int64_t width : {1, 3, 16, 21}) {
        Arena arena;
        const Context cx{arena};
        constexpr int64_t kKeys = 7, kRoom = 9;  // what lies past the keys of a cache counts for nothing
        const Tensor q = filled(arena, {2, 5, 4, width}, 1), k = filled(arena, {key_sequences, kRoom, key_heads, width}, 2),
                     v = filled(arena, {key_sequences, kRoom, key_heads, width}, 3);
        AttentionMask mask{.values = cx.zeros({2, kKeys}), .batch = kKeys, .causal = true, .keys = kKeys};
        mask.values.data()[3] = -INFINITY;
        const Tensor pattern = softmax(cx, attention_scores(cx, q, k, 0.3f, mask)), z = weighted_values(cx, pattern, v);
        for (const int64_t count : {1, 2}) {
          SCOPED_TRACE(::testing::Message() << key_sequences << " sequences of keys, " << key_heads << " key heads, width "
                                            << width << ", " << count << " queries");
          const Tensor few = softmax(cx, attention_scores(cx, last_queries(arena, q, count), k, 0.3f, mask));
          const Tensor few_z = weighted_values(cx, few, v);
          const Tensor expected = last_queries(arena, z, count);
          for (size_t i = 0; i < few_z.size(); ++i) ASSERT_NEAR(few_z.data()[i], expected.data()[i], 5e-6f);  // other sums
          const size_t rows = static_cast<size_t>(count * kKeys);
          for (size_t head = 0; head < 2 * 4; ++head)
            for (size_t i = 0; i < rows; ++i)
              ASSERT_NEAR(few.data()[head * rows + i], pattern.data()[(head + 1) * 5 * kKeys - rows + i], 1e-6f);
        }
      }
    }
  }
}

TEST(FewQueries, HaveTheirGradients) {
  // The backward pass is that of many queries: compared through the sum of both.
  const auto gradients = [](int64_t queries) {
    Arena arena;
    Tape tape(nullptr);
    const Context cx{.arena = arena, .tape = &tape};
    const Tensor q = filled(arena, {1, 4, 2, 5}, 1), k = filled(arena, {1, 4, 2, 5}, 2), v = filled(arena, {1, 4, 2, 5}, 3);
    for (const Tensor& x : {k, v}) x.set_tracked(true);
    const Tensor asked = last_queries(arena, q, queries);
    const Tensor z = weighted_values(cx, softmax(cx, attention_scores(cx, asked, k, 0.5f, {})), v);
    std::vector<float> upstream(z.size(), 0.f);
    std::fill(upstream.end() - 2 * 10, upstream.end(), 1.f);  // of the last two queries only
    tape.backward(z, upstream.data());
    std::vector<float> all(k.gradient(), k.gradient() + k.size());
    all.insert(all.end(), v.gradient(), v.gradient() + v.size());
    return all;
  };
  const std::vector<float> few = gradients(2), many = gradients(4);
  for (size_t i = 0; i < few.size(); ++i) EXPECT_NEAR(few[i], many[i], 2e-6f);
}

// A matrix of eight bits and the same numbers as floats.
struct Rounded {
  explicit Rounded(Shape shape) {
    for (Parameter* p : {&bytes, &floats}) {
      p->name = "weight";
      p->shape = shape;
    }
    bytes.layout = Layout::int8;
    memory.resize(stored_size(bytes, Layout::int8));
    bytes.data = memory.data();
    std::vector<float> values(bytes.size());
    Random random(4);
    std::generate(values.begin(), values.end(), [&] { return random.normal(); });
    copy_in(bytes, values.data());
    plain.resize(bytes.size());
    copy_out(bytes, plain.data());
    floats.data = plain.data();
  }
  std::vector<float> memory, plain;
  Parameter bytes, floats;
};

TEST(Int8Weights, DifferFromTheirFloatsByTheRoundingOfInputs) {
  for (const int64_t rows : {1, 2, 5}) {
    Arena arena;
    const Context cx{arena};
    const Rounded w({50, 203});
    const Tensor x = filled(arena, {rows, 203}, 5), bias = filled(arena, {50}, 6);
    Parameter b{.name = "bias", .shape = {50}};
    b.data = const_cast<float*>(bias.data());
    const Tensor y = linear(cx, w.bytes, &b, x), expected = linear(cx, w.floats, &b, x);
    // An input is off by at most half a step, 4 / 32767 / 2, where 4 is more than any of them is; 203 of them against weights
    // of deviation 1 add up to √203 times that as a rule, and six times as much never.
    for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y.data()[i], expected.data()[i], 6 * 14.3f * 4 / 32767 / 2);
  }
}

TEST(Int8Weights, AreLookedUpAsTheyAreMultiplied) {
  Arena arena;
  const Context cx{arena};
  const Rounded w({9, 140});
  const std::vector<int32_t> ids = {8, 0, 5};
  const Tensor bytes = embedding(cx, w.bytes, ids), floats = embedding(cx, w.floats, ids);
  for (size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(bytes.data()[i], floats.data()[i]);
}

TEST(Int8Weights, PassGradientsOnToTheirInput) {
  Arena arena;
  Tape tape(nullptr);
  const Context cx{.arena = arena, .tape = &tape};
  const Rounded w({11, 17});
  const Tensor x = filled(arena, {3, 17}, 7);
  x.set_tracked(true);
  tape.backward(linear(cx, w.bytes, nullptr, x));
  const std::vector<float> gradient(x.gradient(), x.gradient() + x.size());
  x.drop_gradient();
  tape.backward(linear(cx, w.floats, nullptr, x));
  for (size_t i = 0; i < gradient.size(); ++i) EXPECT_EQ(gradient[i], x.gradient()[i]);
}

}  // namespace
}  // namespace glass
