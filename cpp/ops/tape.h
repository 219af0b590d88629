// The tape: backward steps in the order their ops ran, played from the end (reverse accumulation, Linnainmaa 1970).
// An op records a step only where a gradient is wanted; the step holds handles to the tensors that it needs.
#pragma once

#include <functional>
#include <vector>

#include "tensor/parameter.h"
#include "tensor/tensor.h"

namespace glass {

class Tape {
 public:
  // `parameters` collects gradients with respect to parameters; null where only those of tensors are wanted.
  explicit Tape(Gradients* parameters) : parameters_(parameters) {}

  // Where to add the gradient of a parameter, null where it is not wanted.
  float* gradient(const Parameter& parameter) const { return parameters_ ? parameters_->of(parameter) : nullptr; }
  Gradients* parameters() const { return parameters_; }

  // Marks `output` as depending on something whose gradient is wanted. The step runs once, when the gradient of `output`
  // is complete; it adds to the gradients of the op's inputs.
  void record(Tensor output, std::function<void(const Tensor& output)> step);

  // Runs the steps backwards from d(root)/d(root) = `upstream` (root's size; null: ones) and forgets them.
  void backward(Tensor root, const float* upstream = nullptr);

 private:
  struct Step {
    Tensor output;
    std::function<void(const Tensor&)> run;
  };
  Gradients* parameters_;
  std::vector<Step> steps_;
};

}  // namespace glass
