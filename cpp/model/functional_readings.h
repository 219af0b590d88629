// Public ops that read something off other results, for pages that show it: for the table in functional_ops.cpp.
#pragma once

#include "model/functional.h"

namespace glass::calls {

// What layer_norm takes from each row and, with eps 0, divides it by. x: […, D] → mean, deviation […]
Outputs moments_op(Call& call);
// The largest |a − b| of each row; NaN where a row has one. a, b: […, D] → […]
Outputs largest_difference_op(Call& call);
// How many positions a wave of each column of positionalEncoding is long. dModel → [dModel]
Outputs wavelengths_op(Call& call);

}  // namespace glass::calls
