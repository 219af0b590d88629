#include "train/optimizer.h"

#include <cmath>

namespace glass {

float clip_gradient_norm(float* gradients, size_t count, float most) {
  const double norm = std::sqrt(simd.sum_of_squares(gradients, count));
  const double factor = static_cast<double>(most) / (norm + 1e-6);
  if (most > 0.f && factor < 1) simd.scale(static_cast<float>(factor), gradients, gradients, count);
  return static_cast<float>(norm);
}

AdamWStep adamw_step(float lr, double beta1, double beta2, float eps, float weight_decay, int64_t step) {
  const double t = static_cast<double>(step);
  return {lr,
          static_cast<float>(beta1),
          static_cast<float>(beta2),
          eps,
          weight_decay,
          static_cast<float>(1 - std::pow(beta1, t)),
          static_cast<float>(1 - std::pow(beta2, t)),
          static_cast<float>(1 - beta1),
          static_cast<float>(1 - beta2)};
}

void AdamW::update(Parameter& p, const float* gradient, const TrainOptions& o, float lr, int64_t step) {
  const AdamWStep constants = adamw_step(lr, o.beta1, o.beta2, o.eps, p.decays ? o.weight_decay : 0.f, step);
  simd.adamw(constants, p.data, gradient, m_.data() + p.offset, v_.data() + p.offset, p.size());
}

}  // namespace glass
