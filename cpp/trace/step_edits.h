// Edits at a step of a generation, which computes the newest tokens only.
#pragma once

#include <span>
#include <vector>

#include "trace/trace.h"

namespace glass {

// Of edits whose positions count from the text's beginning, those that apply while its tokens past … past + length − 1 are
// computed, their positions counted from `past`, so that a text generated with and without a cache is edited alike. Shifted
// are query and pos; keys are all there at every step, and so is what comes from an encoder. Negative positions count from the
// end of what a step computes: −1 is the newest token. An edit of a later beam waits until there are so many `sequences`.
std::vector<Edit> edits_of_step(std::span<const Edit> edits, int64_t past, int64_t length, int64_t sequences, int64_t beams);

}  // namespace glass
