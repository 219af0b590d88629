// Sinusoidal positions, Vaswani et al. 2017, section 3.5.
#pragma once

#include "tensor/tensor.h"

namespace glass {

// [length, width]: sin(p / 10000^(2i/width)) in column 2i, the cosine in column 2i + 1. An odd width ends on a sine.
Tensor sinusoidal_positions(Arena& arena, int64_t length, int64_t width);

}  // namespace glass
