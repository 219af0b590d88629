// Rows of a table out and in, and the AdamW step.
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

class TablesTest : public testing::KernelsTest {};
GLASS_BOTH_TABLES(TablesTest);

TEST_P(TablesTest, GatherCopiesRows) {
  const std::vector<int32_t> ids = {3, 0, 3, 6, 1};
  for (const size_t width : sizes_around(vec::kLanes)) {
    SCOPED_TRACE(width);
    const Guarded table(random_values(7 * width, 51), 1);
    Guarded y(ids.size() * width, 2);
    kernels().gather_rows(table.data(), ids.data(), y.data(), ids.size(), width);
    EXPECT_TRUE(y.intact());
    for (size_t i = 0; i < ids.size(); ++i) {
      for (size_t j = 0; j < width; ++j) ASSERT_EQ(y[i * width + j], table[static_cast<size_t>(ids[i]) * width + j]);
    }
  }
}

TEST_P(TablesTest, ScatterAddsRepeatedRowsInOrder) {
  const std::vector<int32_t> ids = {2, 0, 2, 2, 4};
  for (const size_t width : sizes_around(vec::kLanes)) {
    SCOPED_TRACE(width);
    const Guarded dy(random_values(ids.size() * width, 52), 1);
    Guarded table(random_values(5 * width, 53), 2);
    std::vector<float> expected(table.data(), table.data() + 5 * width);
    for (size_t i = 0; i < ids.size(); ++i) {
      for (size_t j = 0; j < width; ++j) expected[static_cast<size_t>(ids[i]) * width + j] += dy[i * width + j];
    }
    kernels().scatter_add_rows(dy.data(), ids.data(), table.data(), ids.size(), width);
    EXPECT_TRUE(table.intact());
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(table[i], expected[i]);  // equal bits: the same order of additions
  }
}

TEST_P(TablesTest, AdamWFollowsThePaperForSomeSteps) {
  const double lr = 0.01, beta1 = 0.9, beta2 = 0.99, eps = 1e-8, decay = 0.1;
  for (const size_t n : sizes_around(vec::kLanes)) {
    SCOPED_TRACE(n);
    Guarded w(random_values(n, 54), 1), m(std::vector<float>(n, 0.0f), 2), v(std::vector<float>(n, 0.0f), 3);
    std::vector<double> w_exact(w.data(), w.data() + n), m_exact(n, 0.0), v_exact(n, 0.0);
    for (int t = 1; t <= 3; ++t) {
      const Guarded g(random_values(n, 54 + static_cast<uint32_t>(t)), 1);
      const double c1 = 1 - std::pow(beta1, t), c2 = 1 - std::pow(beta2, t);
      const AdamWStep step{static_cast<float>(lr),  static_cast<float>(beta1), static_cast<float>(beta2),
                           static_cast<float>(eps), static_cast<float>(decay), static_cast<float>(c1),
                           static_cast<float>(c2)};
      kernels().adamw(step, w.data(), g.data(), m.data(), v.data(), n);
      EXPECT_TRUE(w.intact() && m.intact() && v.intact());
      for (size_t i = 0; i < n; ++i) {
        m_exact[i] = beta1 * m_exact[i] + (1 - beta1) * g[i];
        v_exact[i] = beta2 * v_exact[i] + (1 - beta2) * g[i] * g[i];
        w_exact[i] -= lr * (m_exact[i] / c1 / (std::sqrt(v_exact[i] / c2) + eps) + decay * w_exact[i]);
        // 1 − 0.99 in floats is off by 6e-6 of itself, a step of at most lr · 1.1 by half of that; w is rounded at 1.
        ASSERT_NEAR(w[i], w_exact[i], 3e-7 * t + 1e-5 * lr * t) << "step " << t << " at " << i;
        ASSERT_NEAR(m[i], m_exact[i], 2e-7 * t);
        ASSERT_NEAR(v[i], v_exact[i], 1e-5 * v_exact[i] + 1e-10);
      }
    }
  }
}

TEST_P(TablesTest, AdamWWithoutAGradientOnlyDecays) {
  const AdamWStep step{0.5f, 0.9f, 0.999f, 1e-8f, 0.25f, 0.1f, 0.001f};
  float w = 2.0f, m = 0.0f, v = 0.0f;
  const float g = 0.0f;
  kernels().adamw(step, &w, &g, &m, &v, 1);
  EXPECT_EQ(w, 2.0f - 0.5f * 0.25f * 2.0f);
  EXPECT_EQ(m, 0.0f);
  EXPECT_EQ(v, 0.0f);
}

}  // namespace
}  // namespace glass
