// The public ops of training, and with them all public ops: what the bindings call.
#pragma once

#include "model/functional.h"

namespace glass {

// kModelOps, and:
//   noamRate(step, { dModel, warmup }) → rate, a number
//   clipGradNorm(grads, max) → norm before clipping, a number, and grads.0, grads.1 …
//   average(tensors, { weights }) → output, their mean; weights: numbers, such as how many tokens each is the mean of
//   adamW(state, grads, { lr, betas, eps, weightDecay }), state { step, parameters, m, v } with tensors by name; m and v may be
//     absent, then they are zeros, and step, then 0 → step, and parameters.NAME, m.NAME, v.NAME after the update. All decay.
const std::vector<Op>& public_ops();

}  // namespace glass
