// Positions: which one each token has, and the waves that stand for them.
#pragma once

#include <span>
#include <vector>

#include "model/batch.h"
#include "model/config.h"
#include "tensor/tensor.h"

namespace glass {

// Of every token, [B·T], the first after `past` earlier ones. Where they come from the mask or the ids, padding has −1.
std::vector<int32_t> position_ids(const Tokens& tokens, const Config& config, int64_t past);

// Sines and cosines of position / 10000^(2i/width), Vaswani et al. 2017, section 3.5: on even and odd columns in turn, or all
// sines before all cosines. Any width. → [positions, width]
Tensor sinusoidal_rows(Arena& arena, std::span<const int32_t> positions, int64_t width, bool halves);
// Of positions 0 … length − 1, in turn. → [length, width]
Tensor sinusoidal_positions(Arena& arena, int64_t length, int64_t width);
// How many positions one wave of a column of these is long: 2π · 10000^(2i/width).
double wavelength(int64_t column, int64_t width, bool halves);

}  // namespace glass
