// Layer norm and RMS norm: forward against formulas in double, backward against difference quotients of those formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "cpp/kernels/tables_of_kernels.h"
#include "cpp/support/guarded.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using testing::Guarded;
using testing::random_values;
using testing::sizes_around;

class NormsTest : public testing::KernelsTest {};
GLASS_BOTH_TABLES(NormsTest);

constexpr float kEps = 1e-5f;
constexpr size_t kRows = 3;

// A normalised value of at most √n after n roundings in each of two sums; weights and values here are at most 1.
double bound(size_t n) { return 6e-8 * (static_cast<double>(n) / 8 + 12) * std::sqrt(static_cast<double>(n) + 1); }

// What both norms need: rows of x, parameters, and an upstream gradient.
struct Inputs {
  explicit Inputs(size_t n)
      : x(random_values(kRows * n, 41, -1.0f, 3.0f), 1),
        weight(random_values(n, 42), 2),
        bias(random_values(n, 43), 3),
        dy(random_values(kRows * n, 44), 1) {}
  Guarded x, weight, bias, dy;
};

struct Moments {
  double mean = 0, rstd = 0;
};
Moments moments(const std::vector<double>& x, bool centred) {
  Moments m;
  const double n = static_cast<double>(x.size());
  if (centred) {
    for (const double v : x) m.mean += v / n;
  }
  double squares = 0;
  for (const double v : x) squares += (v - m.mean) * (v - m.mean) / n;
  m.rstd = 1 / std::sqrt(squares + kEps);
  return m;
}

// ⟨dy, norm(x) · weight⟩ of one row: the loss whose gradient the backward kernels give.
double loss(const std::vector<double>& x, const float* weight, const float* dy, bool centred) {
  const Moments m = moments(x, centred);
  double total = 0;
  for (size_t j = 0; j < x.size(); ++j) total += dy[j] * (x[j] - m.mean) * m.rstd * (weight ? weight[j] : 1.0f);
  return total;
}

void expect_input_gradient(const Inputs& in, const Guarded& dx, const Guarded& start, const float* weight, size_t n,
                           bool centred) {
  EXPECT_TRUE(dx.intact());
  for (size_t i = 0; i < kRows; ++i) {
    std::vector<double> row(in.x.data() + i * n, in.x.data() + (i + 1) * n);
    const double rstd = moments(row, centred).rstd;
    for (size_t j = 0; j < n; ++j) {
      const double x = row[j], h = 1e-3 / rstd;  // steps in units of the row's spread
      const auto at = [&](double shift) {
        row[j] = x + shift * h;
        return loss(row, weight, in.dy.data() + i * n, centred);
      };
      // Fourth order: off by about h⁴, 1e-12 in these units.
      const double slope = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
      row[j] = x;
      ASSERT_NEAR(dx[i * n + j], start[i * n + j] + slope, (2 * bound(n) + 1e-9) * (1 + rstd)) << i << ", " << j;
    }
  }
}

TEST_P(NormsTest, LayerNormForward) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    if (n == 0) continue;
    SCOPED_TRACE(n);
    const Inputs in(n);
    Guarded y(kRows * n, 1), plain(kRows * n, 2), in_place = in.x, mean(kRows), rstd(kRows);
    kernels().layer_norm(in.x.data(), in.weight.data(), in.bias.data(), kEps, y.data(), mean.data(), rstd.data(), kRows, n);
    kernels().layer_norm(in.x.data(), nullptr, nullptr, kEps, plain.data(), nullptr, nullptr, kRows, n);
    kernels().layer_norm(in_place.data(), in.weight.data(), in.bias.data(), kEps, in_place.data(), nullptr, nullptr, kRows, n);
    EXPECT_TRUE(y.intact() && plain.intact() && in_place.intact() && mean.intact() && rstd.intact());
    for (size_t i = 0; i < kRows; ++i) {
      const Moments m = moments({in.x.data() + i * n, in.x.data() + (i + 1) * n}, true);
      EXPECT_NEAR(mean[i], m.mean, bound(n));
      EXPECT_NEAR(rstd[i], m.rstd, bound(n) * m.rstd);
      for (size_t j = 0; j < n; ++j) {
        const double normalized = (in.x[i * n + j] - m.mean) * m.rstd;
        ASSERT_NEAR(y[i * n + j], normalized * in.weight[j] + in.bias[j], bound(n)) << i << ", " << j;
        ASSERT_NEAR(plain[i * n + j], normalized, bound(n)) << i << ", " << j;
        ASSERT_EQ(in_place[i * n + j], y[i * n + j]);
      }
    }
  }
}

TEST_P(NormsTest, LayerNormOfAConstantRowIsTheBias) {
  const size_t n = 3 * vec::kLanes + 2;
  const std::vector<float> x(n, 7.0f), weight = random_values(n, 45), bias = random_values(n, 46);
  std::vector<float> y(n);
  float rstd = 0;
  kernels().layer_norm(x.data(), weight.data(), bias.data(), kEps, y.data(), nullptr, &rstd, 1, n);
  EXPECT_NEAR(rstd, 1 / std::sqrt(kEps), 1e-4f);
  for (size_t j = 0; j < n; ++j) EXPECT_NEAR(y[j], bias[j], 1e-6f);
}

// The mean is far larger than the spread: summing squares first and subtracting the mean's square would lose everything.
TEST_P(NormsTest, LayerNormFarFromZero) {
  const size_t n = 64;
  std::vector<float> x(n), y(n);
  for (size_t j = 0; j < n; ++j) x[j] = 4096.0f + (j % 2 ? 0.5f : -0.5f);
  kernels().layer_norm(x.data(), nullptr, nullptr, kEps, y.data(), nullptr, nullptr, 1, n);
  for (size_t j = 0; j < n; ++j) EXPECT_NEAR(y[j], j % 2 ? 1.0f : -1.0f, 1e-4f);
}

TEST_P(NormsTest, LayerNormBackward) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    if (n == 0 || n > 257) continue;  // difference quotients cost n² here
    const Inputs in(n);
    std::vector<float> y(kRows * n);
    Guarded mean(kRows), rstd(kRows);
    kernels().layer_norm(in.x.data(), nullptr, nullptr, kEps, y.data(), mean.data(), rstd.data(), kRows, n);
    const Guarded start(random_values(kRows * n, 47), 3), row_start(random_values(n, 48), 1);
    for (const float* weight : {in.weight.data(), static_cast<const float*>(nullptr)}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " weight " << (weight != nullptr));
      Guarded dx = start, dweight = row_start, dbias = row_start;
      kernels().layer_norm_backward(in.x.data(), weight, mean.data(), rstd.data(), in.dy.data(), dx.data(), dweight.data(),
                                    dbias.data(), kRows, n);
      expect_input_gradient(in, dx, start, weight, n, true);
      EXPECT_TRUE(dweight.intact() && dbias.intact());
      for (size_t j = 0; j < n; ++j) {
        double dw = row_start[j], db = row_start[j];
        for (size_t i = 0; i < kRows; ++i) {
          dw += static_cast<double>(in.dy[i * n + j]) * y[i * n + j];
          db += in.dy[i * n + j];
        }
        ASSERT_NEAR(dweight[j], dw, kRows * bound(n)) << j;
        ASSERT_NEAR(dbias[j], db, 1e-6) << j;  // four roundings of at most 4
      }
      kernels().layer_norm_backward(in.x.data(), weight, mean.data(), rstd.data(), in.dy.data(), nullptr, nullptr, nullptr,
                                    kRows, n);  // nothing asked for, nothing written
    }
  }
}

TEST_P(NormsTest, RmsNormForwardAndBackward) {
  for (const size_t n : sizes_around(vec::kLanes)) {
    if (n == 0 || n > 257) continue;
    const Inputs in(n);
    const Guarded start(random_values(kRows * n, 47), 3), row_start(random_values(n, 48), 1);
    for (const float* weight : {in.weight.data(), static_cast<const float*>(nullptr)}) {
      SCOPED_TRACE(::testing::Message() << "n " << n << " weight " << (weight != nullptr));
      Guarded y(kRows * n, 1), rrms(kRows), dx = start, dweight = row_start;
      kernels().rms_norm(in.x.data(), weight, kEps, y.data(), rrms.data(), kRows, n);
      kernels().rms_norm_backward(in.x.data(), weight, rrms.data(), in.dy.data(), dx.data(), dweight.data(), kRows, n);
      EXPECT_TRUE(y.intact() && rrms.intact() && dweight.intact());
      expect_input_gradient(in, dx, start, weight, n, false);
      std::vector<double> expected_dweight(row_start.data(), row_start.data() + n);
      for (size_t i = 0; i < kRows; ++i) {
        const Moments m = moments({in.x.data() + i * n, in.x.data() + (i + 1) * n}, false);
        EXPECT_NEAR(rrms[i], m.rstd, bound(n) * m.rstd);
        for (size_t j = 0; j < n; ++j) {
          const double normalized = in.x[i * n + j] * m.rstd;
          ASSERT_NEAR(y[i * n + j], normalized * (weight ? weight[j] : 1.0f), bound(n)) << i << ", " << j;
          expected_dweight[j] += in.dy[i * n + j] * normalized;
        }
      }
      for (size_t j = 0; j < n; ++j) ASSERT_NEAR(dweight[j], expected_dweight[j], kRows * bound(n)) << j;
    }
  }
}

}  // namespace
}  // namespace glass
