// Reference: one AdamW step, Loshchilov & Hutter 2019, algorithm 2, lines 6 to 12.
#include <cmath>

#include "kernels/implementations.h"

namespace glass::scalar_impl {

void adamw(const AdamWStep& step, float* w, const float* g, float* m, float* v, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    m[i] = step.beta1 * m[i] + step.rest1 * g[i];
    v[i] = step.beta2 * v[i] + step.rest2 * g[i] * g[i];
    const float m_hat = m[i] / step.correction1;
    const float v_hat = v[i] / step.correction2;
    w[i] -= step.lr * (m_hat / (std::sqrt(v_hat) + step.eps) + step.weight_decay * w[i]);
  }
}

}  // namespace glass::scalar_impl
