// gemm and gemv: against the reference and Eigen, over every tile, stride form and tail; and the promise that a result's
// bits depend on nothing but its row of A, its column of B and what the sum starts from.
#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <string>

#include "cpp/support/guarded.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using testing::Guarded;
using testing::random_values;

class GemmTest : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override { set_tile(GetParam()); }
  void TearDown() override { set_tile(0); }
};
INSTANTIATE_TEST_SUITE_P(Tiles, GemmTest, ::testing::Range<size_t>(0, tiles().size()),
                         [](const auto& info) { return "Tile" + std::string(tiles()[info.param].name); });

// A matrix of random values with spare room: rows, columns or neither contiguous, what lies between being guards.
struct Matrix {
  enum Form { kRows, kColumns, kSpread };
  Matrix(Form form, size_t rows, size_t cols, uint32_t seed)
      : row(form == kRows      ? static_cast<ptrdiff_t>(cols) + 3
            : form == kColumns ? 1
                               : 2 * static_cast<ptrdiff_t>(cols) + 1),
        col(form == kRows      ? 1
            : form == kColumns ? static_cast<ptrdiff_t>(rows) + 5
                               : 2),
        values(static_cast<size_t>(row) * rows + static_cast<size_t>(col) * cols, 1) {
    const std::vector<float> random = random_values(rows * cols, seed);
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < cols; ++j) values[index(i, j)] = random[i * cols + j];
    }
  }
  size_t index(size_t i, size_t j) const { return i * static_cast<size_t>(row) + j * static_cast<size_t>(col); }
  float at(size_t i, size_t j) const { return values[index(i, j)]; }
  Strided strided() const { return {values.data(), row, col}; }

  ptrdiff_t row, col;
  Guarded values;
};

Guarded packed(const Matrix& b, size_t k, size_t n) {
  Guarded out(packed_size(k, n), 1);
  pack(b.strided(), k, n, out.data());
  EXPECT_TRUE(out.intact());
  return out;
}

// Rounding of a sum of k products of values in [−1, 1], each of k + 1 additions being off by half a unit of at most k + 1.
// Random signs keep real sums near √k, so this is generous by about √k, and still fails on one lost or doubled product.
float bound(size_t k) { return 6e-8f * static_cast<float>((k + 1)) * std::sqrt(static_cast<float>(k + 1)); }

struct Case {
  size_t m, n, k;
  Matrix::Form a, b;
  bool bias, accumulate;
};

void expect_product(const Case& t) {
  SCOPED_TRACE(::testing::Message() << current_tile().name << ": m " << t.m << " n " << t.n << " k " << t.k << " A form " << t.a
                                    << " B form " << t.b << " bias " << t.bias << " accumulate " << t.accumulate);
  const Matrix a(t.a, t.m, t.k, 1), b(t.b, t.k, t.n, 2);
  const Guarded bias(random_values(t.n, 3), 1);
  const size_t ldc = t.n + 2;
  Guarded c(t.m * ldc, 3);
  if (t.accumulate) {
    const std::vector<float> start = random_values(t.m * t.n, 4);
    for (size_t i = 0; i < t.m; ++i) {
      for (size_t j = 0; j < t.n; ++j) c[i * ldc + j] = start[i * t.n + j];
    }
  }
  Guarded expected = c;
  const Guarded panels = packed(b, t.k, t.n);
  const float* bias_or_null = t.bias ? bias.data() : nullptr;
  gemm(t.m, t.n, t.k, a.strided(), panels.data(), bias_or_null, c.data(), ldc, t.accumulate);
  gemm_reference(t.m, t.n, t.k, a.strided(), b.strided(), bias_or_null, expected.data(), ldc, t.accumulate);
  EXPECT_TRUE(c.intact());
  for (size_t i = 0; i < t.m; ++i) {
    for (size_t j = 0; j < t.n; ++j) ASSERT_NEAR(c[i * ldc + j], expected[i * ldc + j], bound(t.k)) << "at " << i << ", " << j;
    for (size_t j = t.n; j < ldc; ++j) ASSERT_TRUE(std::isnan(c[i * ldc + j])) << "written past row " << i;
  }
}

TEST_P(GemmTest, AgreesWithTheReferenceForEveryNumberOfRowsAndColumns) {
  const size_t rows = current_tile().rows, cols = current_tile().cols;
  for (size_t m = 0; m <= 2 * rows + 1; ++m) expect_product({m, cols + 3, 7, Matrix::kRows, Matrix::kRows, true, false});
  for (size_t n = 0; n <= 2 * cols + 1; ++n) expect_product({rows + 1, n, 5, Matrix::kRows, Matrix::kColumns, true, false});
  for (size_t k = 0; k <= 35; ++k) expect_product({rows + 2, cols + 1, k, Matrix::kColumns, Matrix::kColumns, false, true});
}

TEST_P(GemmTest, AgreesWithTheReferenceForEveryFormOfStrides) {
  for (const auto a : {Matrix::kRows, Matrix::kColumns, Matrix::kSpread}) {
    for (const auto b : {Matrix::kRows, Matrix::kColumns, Matrix::kSpread}) {
      for (const bool accumulate : {false, true}) {
        expect_product({19, 75, 37, a, b, !accumulate, accumulate});
        expect_product({1, 70, 21, a, b, !accumulate, accumulate});
        expect_product({3, 1, 18, a, b, false, accumulate});
      }
    }
  }
}

TEST_P(GemmTest, AgreesWithTheReferenceAcrossBlocksOfKAndGroupsOfPanels) {
  expect_product({9, 70, 1025, Matrix::kRows, Matrix::kRows, true, false});
  expect_product({5, 40, 1600, Matrix::kColumns, Matrix::kRows, false, true});
  expect_product({3, 300, 513, Matrix::kRows, Matrix::kColumns, true, false});
  expect_product({1, 300, 700, Matrix::kRows, Matrix::kColumns, true, false});
}

TEST_P(GemmTest, AgreesWithEigen) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const size_t m = 31, n = 67, k = 45;
  const std::vector<float> a = random_values(m * k, 5), b = random_values(n * k, 6);
  const auto ea = Eigen::Map<const RowMajor>(a.data(), m, k);
  const auto eb = Eigen::Map<const RowMajor>(b.data(), n, k);
  std::vector<float> panels(packed_size(k, n)), c(m * n);
  pack({b.data(), 1, static_cast<ptrdiff_t>(k)}, k, n, panels.data());  // Bᵀ
  gemm(m, n, k, {a.data(), static_cast<ptrdiff_t>(k), 1}, panels.data(), nullptr, c.data(), n);
  const RowMajor expected = ea * eb.transpose();
  EXPECT_LE((Eigen::Map<const RowMajor>(c.data(), m, n) - expected).cwiseAbs().maxCoeff(), 2 * bound(k));
}

TEST_P(GemmTest, WithoutStepsGivesTheBiasOrLeavesC) {
  const size_t m = 5, n = 21;
  const Guarded bias(random_values(n, 7));
  const float a = 0, b = 0;
  Guarded c(m * n);
  gemm(m, n, 0, {&a, 0, 1}, &b, bias.data(), c.data(), n);
  for (size_t i = 0; i < m * n; ++i) EXPECT_EQ(c[i], bias[i % n]);
  gemm(m, n, 0, {&a, 0, 1}, &b, nullptr, c.data(), n, true);
  for (size_t i = 0; i < m * n; ++i) EXPECT_EQ(c[i], bias[i % n]);
  gemm(m, n, 0, {&a, 0, 1}, &b, nullptr, c.data(), n);
  for (size_t i = 0; i < m * n; ++i) EXPECT_EQ(c[i], 0.0f);
  EXPECT_TRUE(c.intact());
}

TEST_P(GemmTest, ANaNStaysInItsRowAndColumn) {
  const size_t m = 7, n = 37, k = 9;
  Matrix a(Matrix::kRows, m, k, 1), b(Matrix::kRows, k, n, 2);
  a.values[a.index(2, 4)] = std::numeric_limits<float>::quiet_NaN();
  b.values[b.index(3, 5)] = std::numeric_limits<float>::infinity();
  Guarded c(m * n);
  gemm(m, n, k, a.strided(), packed(b, k, n).data(), nullptr, c.data(), n);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) EXPECT_EQ(std::isfinite(c[i * n + j]), i != 2 && j != 5) << i << ", " << j;
  }
}

// One product by tile 0 in one call; then the same by this tile, by rows, by transposed copies and by parts of B.
TEST_P(GemmTest, BitsDoNotDependOnTheWayThere) {
  const size_t m = 29, n = 131, k = 700;
  const Matrix a(Matrix::kRows, m, k, 1), b(Matrix::kRows, k, n, 2);
  const std::vector<float> bias = random_values(n, 3);
  const auto product = [&] {
    std::vector<float> c(m * n);
    gemm(m, n, k, a.strided(), packed(b, k, n).data(), bias.data(), c.data(), n);
    return c;
  };
  const std::vector<float> whole = product();
  set_tile(0);
  EXPECT_EQ(product(), whole) << "tile";
  set_tile(GetParam());

  const Guarded panels = packed(b, k, n);
  std::vector<float> c(m * n);
  for (size_t i = 0; i < m; ++i) gemv(n, k, a.values.data() + a.index(i, 0), panels.data(), bias.data(), c.data() + i * n);
  EXPECT_EQ(c, whole) << "gemv";

  for (size_t i = 0; i < m; i += 4) {
    gemm(std::min<size_t>(4, m - i), n, k, {a.values.data() + a.index(i, 0), a.row, 1}, panels.data(), bias.data(),
         c.data() + i * n, n);
  }
  EXPECT_EQ(c, whole) << "four rows at a time";

  Matrix columns(Matrix::kColumns, m, k, 1);  // the same seed, so the same values
  gemm(m, n, k, columns.strided(), panels.data(), bias.data(), c.data(), n);
  EXPECT_EQ(c, whole) << "A by columns";

  const size_t from = 13;
  std::vector<float> right(packed_size(k, n - from));
  pack({b.values.data() + from, b.row, 1}, k, n - from, right.data());
  std::vector<float> c_right(m * (n - from));
  gemm(m, n - from, k, a.strided(), right.data(), bias.data() + from, c_right.data(), n - from);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = from; j < n; ++j) ASSERT_EQ(c_right[i * (n - from) + j - from], whole[i * n + j]) << "panel";
  }
}

TEST_P(GemmTest, AccumulatingContinuesTheSum) {
  const size_t m = 6, n = 23, k = 40, cut = 15;
  const Matrix a(Matrix::kRows, m, k, 1), b(Matrix::kRows, k, n, 2);
  std::vector<float> once(m * n), twice(m * n);
  gemm(m, n, k, a.strided(), packed(b, k, n).data(), nullptr, once.data(), n);
  gemm(m, n, cut, a.strided(), packed(b, cut, n).data(), nullptr, twice.data(), n);
  std::vector<float> rest(packed_size(k - cut, n));
  pack({b.values.data() + b.index(cut, 0), b.row, 1}, k - cut, n, rest.data());
  gemm(m, n, k - cut, {a.values.data() + cut, a.row, 1}, rest.data(), nullptr, twice.data(), n, true);
  EXPECT_EQ(twice, once);
}

TEST_P(GemmTest, PackingRoundTripsAndPackedIndexAgrees) {
  for (const auto form : {Matrix::kRows, Matrix::kColumns, Matrix::kSpread}) {
    for (const size_t k : {1, 3, 4, 16, 17, 37}) {
      for (const size_t n : {1, 2, 5, 8, 31, 64, 101}) {
        const Matrix b(form, k, n, 9);
        const Guarded p = packed(b, k, n);
        size_t filled = 0;
        for (size_t i = 0; i < k; ++i) {
          for (size_t j = 0; j < n; ++j) ASSERT_EQ(p[packed_index(k, i, j)], b.at(i, j)) << i << ", " << j;
        }
        for (size_t i = 0; i < p.size(); ++i) filled += p[i] != 0.0f;
        EXPECT_LE(filled, k * n) << "columns past n are not zeros";
        Guarded rows(k * n), columns(k * n);
        unpack(p.data(), k, n, rows.data(), static_cast<ptrdiff_t>(n), 1);
        unpack(p.data(), k, n, columns.data(), 1, static_cast<ptrdiff_t>(k));
        EXPECT_TRUE(rows.intact() && columns.intact());
        for (size_t i = 0; i < k; ++i) {
          for (size_t j = 0; j < n; ++j) {
            ASSERT_EQ(rows[i * n + j], b.at(i, j));
            ASSERT_EQ(columns[j * k + i], b.at(i, j));
          }
        }
      }
    }
  }
}

TEST(ChooseTile, PicksOneThatThisBinaryHas) {
  choose_tile();
  bool found = false;
  for (const Tile& t : tiles()) found = found || &t == &current_tile();
  EXPECT_TRUE(found);
  EXPECT_EQ(current_tile().cols % vec::kLanes, 0u);
  set_tile(0);
}

}  // namespace
}  // namespace glass
