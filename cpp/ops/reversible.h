// Reversible layers: Gomez et al. 2017, "The reversible residual network", section 3.2; Kitaev et al. 2020, section 3. Two
// streams of activations, each step adding to one what it makes of the other, so that every step can be undone.
#pragma once

#include <functional>
#include <vector>

#include "ops/context.h"

namespace glass {

// What a step adds to a stream, made of the other stream: attention with its norm and dropout, or a feed-forward. It may depend
// on nothing that changes before the backward pass except cx.random.
using ReversibleStep = std::function<Tensor(const Context&, const Tensor&)>;

// Both streams begin as x; step i does first += step(second), and the two change places. With two steps a layer that is
// y1 = x1 + attention(x2), y2 = x2 + feed_forward(y1). Gives the mean of both streams.
// With a tape nothing is kept of the steps but the last two streams and a generator's state each: the backward pass takes each
// step back by subtraction, which in F32 returns its inputs to within rounding, and repeats it with the same random numbers.
// x: any shape → the same
Tensor reversible(const Context& cx, const Tensor& x, std::vector<ReversibleStep> steps);

}  // namespace glass
