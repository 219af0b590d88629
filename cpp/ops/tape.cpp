#include "ops/tape.h"

#include <algorithm>
#include <utility>

namespace glass {

void Tape::record(Tensor output, std::function<void(const Tensor&)> step) {
  output.set_tracked(true);
  steps_.push_back({std::move(output), std::move(step)});
}

void Tape::backward(Tensor root, const float* upstream) {
  float* gradient = root.gradient();
  for (size_t i = 0; i < root.size(); ++i) gradient[i] += upstream ? upstream[i] : 1.f;
  while (!steps_.empty()) {
    Step step = std::move(steps_.back());
    steps_.pop_back();  // its tensors go when this step is done, so memory falls as the pass goes on
    if (step.output.has_gradient()) step.run(step.output);
  }
}

}  // namespace glass
