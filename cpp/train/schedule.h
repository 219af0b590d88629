// Learning rates by step.
#pragma once

#include "train/options.h"

namespace glass {

// D^−½ · min(step^−½, step · warmup^−1.5), steps from 1: Vaswani et al. 2017, equation 3. Throws Error(bad_input) for a step,
// width or warm-up below 1.
double noam_rate(int64_t step, int64_t d_model, int64_t warmup);

// The rate of step 1, 2, … `options.steps`.
float learning_rate(const TrainOptions& options, int64_t step, int64_t d_model);

}  // namespace glass
