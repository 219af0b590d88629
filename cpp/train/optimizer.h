// AdamW with decoupled weight decay, and clipping by the norm of all gradients together.
#pragma once

#include <vector>

#include "kernels/kernels.h"
#include "tensor/parameter.h"
#include "train/options.h"

namespace glass {

// √Σg². Scales the gradients so that it is at most `most` (with PyTorch's 1e-6 in the denominator) where most > 0.
float clip_gradient_norm(float* gradients, size_t count, float most);

// The constants of update number `step` (from 1).
AdamWStep adamw_step(float lr, double beta1, double beta2, float eps, float weight_decay, int64_t step);

// Running moments for all parameters of a model, at the offsets of their gradients.
class AdamW {
 public:
  explicit AdamW(size_t size) : m_(size, 0.f), v_(size, 0.f) {}

  // Update number `step` of a parameter that lies in rows. Norms and biases do not decay.
  void update(Parameter& parameter, const float* gradient, const TrainOptions& options, float lr, int64_t step);

  std::vector<float>& first_moments() { return m_; }
  const std::vector<float>& first_moments() const { return m_; }
  std::vector<float>& second_moments() { return v_; }
  const std::vector<float>& second_moments() const { return v_; }

 private:
  std::vector<float> m_, v_;
};

}  // namespace glass
