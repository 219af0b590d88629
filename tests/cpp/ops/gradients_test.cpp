// Every op's backward against central differences of its own forward: a check that needs no other library.
//
// The objective is Σ w · y with random w, added up in double. In F32 the forward of size 1 to 10 carries some 1e-6 of
// rounding, which a step of 2^-6 turns into 1e-4 of slope; curvature adds step²/6 of a third derivative, as much again. So
// slopes are compared to within 3e-3 of the largest one: a wrong formula is off by its own size.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>

#include "ops/ops.h"
#include "ops/recompute.h"

namespace glass {
namespace {

constexpr float kStep = 0x1p-6f;
constexpr double kTolerance = 3e-3;

// Parameters and inputs of an op, drawn away from ReLU's kink at zero.
class Checked {
 public:
  explicit Checked(uint64_t seed = 1) : random_(seed) {}

  const Parameter& parameter(Shape shape) {
    Parameter& p = parameters_.emplace_back();
    values_.emplace_back(draw(shape.size()));
    p.name = "p" + std::to_string(parameters_.size());
    p.shape = shape;
    p.data = values_.back().data();
    p.offset = size_;
    size_ += p.size();
    return p;
  }
  // The index by which `run` gives it to the op.
  size_t input(Shape shape) {
    inputs_.emplace_back(shape, draw(shape.size()));
    return inputs_.size() - 1;
  }

  using Forward = std::function<Tensor(const Context&, const std::vector<Tensor>&)>;

  void expect_slopes(const Forward& forward) {
    forward_ = forward;
    Arena arena;
    {
      Gradients gradients(size_);
      Tape tape(&gradients);
      const std::vector<Tensor> x = tensors(arena, true);
      const Tensor y = run(Context{.arena = arena, .tape = &tape}, x);
      upstream_.clear();
      for (size_t i = 0; i < y.size(); ++i) upstream_.push_back(random_.normal());
      tape.backward(y, upstream_.data());

      double largest = 0;
      std::vector<std::pair<double, double>> pairs;  // gradient, slope
      const auto compare = [&](float gradient, float& value) {
        pairs.emplace_back(gradient, slope(value));
        largest = std::max(largest, std::abs(pairs.back().second));
      };
      for (size_t n = 0; n < inputs_.size(); ++n)
        for (size_t i = 0; i < inputs_[n].second.size(); ++i) compare(x[n].gradient()[i], inputs_[n].second[i]);
      for (Parameter& p : parameters_)
        for (size_t i = 0; i < p.size(); ++i) compare(gradients.of(p)[i], p.data[i]);
      ASSERT_GT(largest, 0.01);
      for (size_t i = 0; i < pairs.size(); ++i)
        EXPECT_NEAR(pairs[i].first, pairs[i].second, kTolerance * largest) << "value " << i;
    }
    EXPECT_EQ(arena.bytes_in_use(), 0u);
  }

 private:
  std::vector<float> draw(size_t n) {
    std::vector<float> values(n);
    for (float& value : values) {
      value = random_.normal();
      value += std::copysign(2 * kStep, value);
    }
    return values;
  }
  std::vector<Tensor> tensors(Arena& arena, bool tracked) const {
    std::vector<Tensor> x;
    for (const auto& [shape, values] : inputs_) {
      x.emplace_back(arena, shape);
      std::copy(values.begin(), values.end(), x.back().data());
      x.back().set_tracked(tracked);
    }
    return x;
  }
  Tensor run(Context cx, const std::vector<Tensor>& x) const {
    Random masks(77);  // the same dropout every time
    cx.random = &masks;
    return forward_(cx, x);
  }
  double objective() const {
    Arena arena;
    const Tensor y = run(Context{arena}, tensors(arena, false));
    double total = 0;
    for (size_t i = 0; i < y.size(); ++i) total += static_cast<double>(upstream_[i]) * static_cast<double>(y.data()[i]);
    return total;
  }
  double slope(float& value) const {
    const float kept = value;
    value = kept + kStep;
    const double up = objective();
    value = kept - kStep;
    const double down = objective();
    value = kept;
    return (up - down) / (2 * static_cast<double>(kStep));
  }

  Random random_;
  std::deque<Parameter> parameters_;
  std::deque<std::vector<float>> values_;
  std::vector<std::pair<Shape, std::vector<float>>> inputs_;
  size_t size_ = 0;
  Forward forward_;
  std::vector<float> upstream_;
};

TEST(Slopes, Embedding) {
  Checked c;
  const Parameter& table = c.parameter({5, 3});
  c.expect_slopes([&](const Context& cx, const auto&) { return embedding(cx, table, std::vector<int32_t>{4, 0, 4, 2}); });
}

TEST(Slopes, Linear) {
  for (const int64_t rows : {1, 5}) {
    Checked c;
    const Parameter &weight = c.parameter({4, 3}), &bias = c.parameter({4});
    c.input({rows, 3});
    c.expect_slopes([&](const Context& cx, const auto& x) { return linear(cx, weight, &bias, x[0]); });
    c.expect_slopes([&](const Context& cx, const auto& x) {
      return add(cx, linear(cx, weight, nullptr, x[0]), linear(cx, weight, &bias, x[0]));
    });
  }
}

TEST(Slopes, AddAndItsRepeats) {
  Checked c;
  c.input({2, 3, 4});
  c.input({2, 3, 4});
  c.input({4});
  c.expect_slopes([](const Context& cx, const auto& x) { return add(cx, add(cx, x[0], x[1]), x[2]); });
  c.expect_slopes([](const Context& cx, const auto& x) { return add(cx, x[0], x[0]); });  // one storage twice
}

TEST(Slopes, ScaleAndBlend) {
  Checked c;
  c.input({2, 3});
  c.expect_slopes([](const Context& cx, const auto& x) {
    const std::vector<float> keep = {0, 1, 2, -1, 0.5f, 0}, values = {7, 0, 1, 0, 0, -3};
    return blend(cx, scale(cx, -1.5f, x[0]), keep, values);
  });
}

TEST(Slopes, Norms) {
  for (const Shape shape : {Shape{4, 7}, Shape{2, 3, 16}}) {
    Checked c;
    const Parameter &weight = c.parameter({shape[-1]}), &bias = c.parameter({shape[-1]});
    c.input(shape);
    c.expect_slopes([&](const Context& cx, const auto& x) { return layer_norm(cx, &weight, &bias, 1e-2f, x[0]); });
    c.expect_slopes([&](const Context& cx, const auto& x) { return rms_norm(cx, &weight, 1e-2f, x[0]); });
    c.expect_slopes([&](const Context& cx, const auto& x) {
      return add(cx, layer_norm(cx, nullptr, nullptr, 1e-2f, x[0]), rms_norm(cx, nullptr, 1e-2f, x[0]));
    });
  }
}

TEST(Slopes, Activations) {
  for (const Activation f : {Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu, Activation::tanh}) {
    Checked c;
    c.input({3, 11});
    c.expect_slopes([&](const Context& cx, const auto& x) { return activate(cx, f, x[0]); });
  }
}

TEST(Slopes, Dropout) {
  Checked c;
  c.input({5, 8});
  c.expect_slopes([](const Context& cx, const auto& x) { return dropout(cx, 0.4f, x[0]); });
}

TEST(Slopes, Softmax) {
  Checked c;
  c.input({4, 9});
  c.expect_slopes([](const Context& cx, const auto& x) { return softmax(cx, x[0]); });
}

TEST(Slopes, AttentionWithGroupedHeadsAndMask) {
  for (const int64_t key_heads : {4, 2, 1}) {
    Checked c;
    c.input({2, 3, 4, 5});          // q
    c.input({2, 6, key_heads, 5});  // k
    c.input({2, 6, key_heads, 5});  // v
    c.expect_slopes([&](const Context& cx, const auto& x) {
      AttentionMask mask{cx.zeros({2, 6}), 6, 0, 0};
      mask.values.data()[4] = mask.values.data()[5] = -INFINITY;
      mask.values.data()[7] = 0.5f;
      const Tensor pattern = softmax(cx, attention_scores(cx, x[0], x[1], 0.4f, mask));
      return weighted_values(cx, pattern, x[2]);
    });
  }
}

TEST(Slopes, ValuesOfAnotherWidth) {
  Checked c;
  c.input({1, 2, 3, 4});  // pattern [B, H, T, S]
  c.input({1, 4, 2, 7});
  c.expect_slopes([](const Context& cx, const auto& x) { return weighted_values(cx, x[0], x[1]); });
}

TEST(Slopes, AttentionGuidance) {  // of linked weights only
  Checked c;
  c.input({2, 2, 3, 4});  // scores
  c.expect_slopes([](const Context& cx, const auto& x) {
    return attention_guidance(cx, softmax(cx, x[0]), 1, std::vector<int32_t>{0, -1, 3, 2, 2, -1});
  });
}

TEST(Slopes, RowsAndPooling) {
  Checked c;
  c.input({2, 4, 3});
  c.expect_slopes([](const Context& cx, const auto& x) { return take_rows(cx, x[0], std::vector<int32_t>{7, 0, 7}); });
  c.expect_slopes([](const Context& cx, const auto& x) {
    return mean_pool(cx, x[0], std::vector<int32_t>{1, 1, 0, 1, 0, 1, 0, 0});
  });
}

TEST(Slopes, CrossEntropy) {
  for (const float smoothing : {0.f, 0.2f}) {
    Checked c;
    c.input({4, 5});
    c.expect_slopes([&](const Context& cx, const auto& x) {
      return cross_entropy(cx, x[0], std::vector<int32_t>{4, -100, 0, 2}, smoothing).sum;
    });
  }
}

TEST(Slopes, RecomputedSegments) {
  Checked c;
  const Parameter &weight = c.parameter({4, 4}), &norm = c.parameter({4});
  c.input({3, 4});
  c.expect_slopes([&](const Context& cx, const auto& x) {
    const auto segment = [&](const Context& inner, Tensor y) {
      y = dropout(inner, 0.3f, linear(inner, weight, nullptr, y));
      return layer_norm(inner, &norm, nullptr, 1.f, add(inner, std::move(y), x[0]));  // a mild norm: two of them bend a lot
    };
    return recompute(cx, recompute(cx, x[0], segment), segment);
  });
}

}  // namespace
}  // namespace glass
