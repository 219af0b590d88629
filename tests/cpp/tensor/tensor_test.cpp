// Shapes, memory, handles, and parameters in both layouts.
#include "tensor/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "cpp/io/expect_error.h"
#include "kernels/gemm.h"
#include "tensor/eigen.h"
#include "tensor/parameter.h"
#include "tensor/random.h"

namespace glass {
namespace {

TEST(ShapeTest, CountsValuesAndRows) {
  const Shape s{2, 3, 4};
  EXPECT_EQ(s.rank(), 3);
  EXPECT_EQ(s[0], 2);
  EXPECT_EQ(s[-1], 4);
  EXPECT_EQ(s[-3], 2);
  EXPECT_EQ(s.size(), 24u);
  EXPECT_EQ(s.rows(), 6u);
  EXPECT_EQ(Shape{}.size(), 1u);
  EXPECT_EQ(Shape{}.rank(), 0);
  EXPECT_EQ((Shape{5}.rows()), 1u);
  EXPECT_EQ((Shape{0, 4}.size()), 0u);
  EXPECT_EQ((Shape{0, 4}.rows()), 0u);
  EXPECT_EQ((Shape{4, 0}.rows()), 0u);
}

TEST(ShapeTest, ComparesByExtentsAndRank) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_FALSE((Shape{2, 3}) == (Shape{3, 2}));
  EXPECT_FALSE((Shape{2}) == (Shape{2, 1}));
  EXPECT_FALSE((Shape{0}) == (Shape{}));
  EXPECT_EQ(to_string(Shape{2, 3, 8}), "[2, 3, 8]");
  EXPECT_EQ(to_string(Shape{}), "[]");
}

TEST(ShapeTest, RefusesWhatCannotBe) {
  expect_error(ErrorCode::bad_input, {"at most 5 axes", "6"}, [] { Shape{1, 1, 1, 1, 1, 1}; });
  expect_error(ErrorCode::bad_input, {"negative", "-1"}, [] { Shape{2, -1}; });
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  expect_error(ErrorCode::out_of_memory, {"does not fit"}, [] { Shape{kMax}; });
  expect_error(ErrorCode::out_of_memory, {"does not fit"}, [] { Shape{1 << 21, 1 << 21}; });
  expect_error(ErrorCode::out_of_memory, {"does not fit"}, [] { Shape{1 << 16, 1 << 16, 1 << 16, 1 << 16}; });  // 2^64
  expect_error(ErrorCode::out_of_memory, {"does not fit"}, [] { Shape{0, kMax, kMax}; });
  expect_error(ErrorCode::bad_input, {"here: expected shape [2], got [3]"}, [] { check_shape("here", {2}, {3}); });
  check_shape("here", {2, 3}, {2, 3});
}

// ---- memory -------------------------------------------------------------------------------------------------------------

TEST(ArenaTest, HandsBlocksOutAgain) {
  Arena arena;
  float* first = arena.take(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
  std::fill_n(first, 1000, 1.f);
  const size_t used = arena.bytes_in_use();
  EXPECT_GE(used, 4000u);
  EXPECT_LE(used, 5000u);  // at most a quarter more than asked for
  arena.give_back(first, 1000);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  float* second = arena.take(990);  // a little shorter: the same block
  EXPECT_EQ(second, first);
  float* third = arena.take(1000);
  EXPECT_NE(third, first);
  EXPECT_EQ(arena.peak_bytes(), 2 * used);
  arena.give_back(second, 990);
  arena.give_back(third, 1000);
  arena.reset_peak();
  EXPECT_EQ(arena.peak_bytes(), 0u);
}

TEST(ArenaTest, WastesAtMostAQuarter) {
  Arena arena;
  for (size_t n = 1; n < 70000; n += n < 100 ? 1 : n / 37) {
    float* block = arena.take(n);
    block[0] = block[n - 1] = 1.f;
    EXPECT_GE(arena.bytes_in_use(), n * sizeof(float));
    if (n > 16) {
      EXPECT_LE(arena.bytes_in_use(), n * sizeof(float) * 5 / 4 + sizeof(float)) << n;
    }
    arena.give_back(block, n);
  }
  arena.trim();
  float* block = arena.take(0);
  EXPECT_NE(block, nullptr);
  arena.give_back(block, 0);
}

TEST(ArenaTest, SaysHowMuchIsMissing) {
  Arena arena;
  float* kept = arena.take(100);
  for (const size_t floats :
       {SIZE_MAX / 8 + 1, SIZE_MAX / 4, SIZE_MAX / 4 + 1, SIZE_MAX})  // whose bytes, rounded up, would wrap
    expect_error(ErrorCode::out_of_memory, {"memory", std::to_string(floats)}, [&] { arena.take(floats); });
  const size_t before = arena.bytes_in_use();
  arena.give_back(kept, 100);
  EXPECT_LT(arena.bytes_in_use(), before);
  arena.give_back(arena.take(100), 100);  // and goes on
}

// ---- tensors ------------------------------------------------------------------------------------------------------------

TEST(TensorTest, CopiesAreHandles) {
  Arena arena;
  {
    Tensor a(arena, {2, 3});
    std::iota(a.data(), a.data() + 6, 0.f);
    EXPECT_TRUE(a.unique());
    Tensor b = a, c = a.reshaped({3, 2});
    EXPECT_FALSE(a.unique());
    EXPECT_EQ(b.data(), a.data());
    EXPECT_EQ(c.data()[5], 5.f);
    EXPECT_EQ(c.shape(), (Shape{3, 2}));
    Tensor moved = std::move(b);
    EXPECT_FALSE(b);
    a = Tensor();
    c = moved;
    moved = Tensor();
    EXPECT_TRUE(c.unique());
    EXPECT_EQ(c.data()[5], 5.f);
    const Tensor& same = c;
    c = same;
    EXPECT_EQ(c.data()[4], 4.f);
    expect_error(ErrorCode::bad_input, {"[2, 3]", "[5]"}, [&] { (void)c.reshaped({5}); });
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}

TEST(TensorTest, GradientsBelongToTheStorage) {
  Arena arena;
  {
    Tensor a(arena, {4});
    const Tensor view = a.reshaped({2, 2});
    EXPECT_FALSE(a.tracked());
    a.set_tracked(true);
    EXPECT_TRUE(view.tracked());
    EXPECT_FALSE(view.has_gradient());
    view.gradient()[3] = 2.f;
    EXPECT_EQ(a.gradient()[3], 2.f);
    EXPECT_EQ(a.gradient()[0], 0.f);
    const size_t both = arena.bytes_in_use();
    a.drop_gradient();
    EXPECT_LT(arena.bytes_in_use(), both);
    a.gradient();
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  EXPECT_FALSE(Tensor().tracked());
}

TEST(TensorTest, IsAMatrixToEigen) {
  Arena arena;
  Tensor x(arena, {2, 2, 3});
  std::iota(x.data(), x.data() + 12, 0.f);
  EXPECT_EQ(as_matrix(x).rows(), 4);
  EXPECT_EQ(as_matrix(x)(3, 1), 10.f);
  as_matrix(x)(0, 0) = 5.f;
  EXPECT_EQ(x.data()[0], 5.f);
}

// ---- parameters -----------------------------------------------------------------------------------------------------------

class EachTile : public ::testing::Test {
 protected:
  void TearDown() override { set_tile(0); }
};
using ParameterTest = EachTile;

TEST_F(ParameterTest, LayoutsKeepEveryValue) {
  for (size_t tile = 0; tile < tiles().size(); ++tile) {
    set_tile(tile);
    for (const auto& [rows, width] : {std::pair<int64_t, int64_t>{1, 1}, {3, 5}, {8, 8}, {17, 4}, {4, 33}, {100, 7}}) {
      Parameter p;
      p.shape = {rows, width};
      std::vector<float> memory(std::max(stored_size(p, Layout::rows), stored_size(p, Layout::panels)), std::nanf(""));
      std::vector<float> values(p.size()), back(p.size());
      std::iota(values.begin(), values.end(), 1.f);
      p.data = memory.data();
      copy_in(p, values.data());
      for (const Layout layout : {Layout::panels, Layout::panels, Layout::rows, Layout::panels}) {
        set_layout(p, layout);
        EXPECT_EQ(p.layout, layout);
        copy_out(p, back.data());
        EXPECT_EQ(back, values);
        for (int64_t i = 0; i < rows; ++i) {
          std::vector<float> row(static_cast<size_t>(width));
          copy_row(p, static_cast<size_t>(i), row.data());
          EXPECT_TRUE(std::equal(row.begin(), row.end(), values.begin() + i * width)) << tiles()[tile].name << " row " << i;
        }
      }
      std::reverse(values.begin(), values.end());
      copy_in(p, values.data());  // into panels
      copy_out(p, back.data());
      EXPECT_EQ(back, values);
    }
  }
}

TEST_F(ParameterTest, VectorsHaveOneLayout) {
  Parameter p;
  p.shape = {5};
  EXPECT_EQ(stored_size(p, Layout::panels), 5u);
  set_layout(p, Layout::panels);
  EXPECT_EQ(p.layout, Layout::rows);
}

TEST(GradientsTest, FrozenParametersHaveNone) {
  Parameter a, b;
  a.shape = {3};
  b.shape = {2, 2};
  b.offset = 3;
  Gradients gradients(7);
  gradients.of(a)[2] = 1.f;
  gradients.of(b)[3] = 2.f;
  EXPECT_EQ(gradients.values(), (std::vector<float>{0, 0, 1, 0, 0, 0, 2}));
  gradients.clear();
  EXPECT_EQ(gradients.of(b)[3], 0.f);
  gradients.freeze(a);
  EXPECT_EQ(gradients.of(a), nullptr);
  EXPECT_NE(gradients.of(b), nullptr);
}

// ---- random numbers -------------------------------------------------------------------------------------------------------

TEST(RandomTest, IsSplitMix64) {  // the published generator's first outputs from state 0 and 1234567
  Random zero(0), other(1234567);
  EXPECT_EQ(zero.bits(), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(zero.bits(), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(other.bits(), 6457827717110365317u);
  EXPECT_EQ(other.bits(), 3203168211198807973u);
}

TEST(RandomTest, IsUniformAndNormal) {
  Random random(3);
  constexpr int n = 100000;
  double sum = 0, squares = 0, uniform = 0;
  float least = 1, most = 0;
  for (int i = 0; i < n; ++i) {
    const double x = static_cast<double>(random.normal());
    sum += x;
    squares += x * x;
    const float u = random.uniform();
    uniform += static_cast<double>(u);
    least = std::min(least, u);
    most = std::max(most, u);
  }
  // Five standard deviations of each mean: 5 / √n, 5 · √(2/n), 5 · √(1/12n).
  EXPECT_NEAR(sum / n, 0, 0.016);
  EXPECT_NEAR(squares / n, 1, 0.023);
  EXPECT_NEAR(uniform / n, 0.5, 0.0046);
  EXPECT_GE(least, 0.f);
  EXPECT_LT(most, 1.f);
}

TEST(RandomTest, ItsStateIsEverything) {
  Random a(9);
  a.bits();
  Random b(a.state());
  EXPECT_EQ(a.bits(), b.bits());
}

}  // namespace
}  // namespace glass
