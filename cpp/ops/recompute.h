// Gradient checkpointing (Chen et al. 2016, "Training deep nets with sublinear memory cost"): a segment of the forward whose
// activations are dropped and computed again when its backward is due.
#pragma once

#include <functional>

#include "ops/context.h"

namespace glass {

// y = segment(cx, x), keeping only x and y. The segment must depend on nothing that changes before the backward pass except
// cx.random, whose state is put back for the second time, so both draw the same dropout masks.
Tensor recompute(const Context& cx, const Tensor& x, std::function<Tensor(const Context&, Tensor)> segment);

}  // namespace glass
