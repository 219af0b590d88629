#include "model/positions.h"

#include <cmath>

namespace glass {

std::vector<int32_t> position_ids(const Tokens& tokens, const Config& c, int64_t past) {
  std::vector<int32_t> positions(tokens.ids.size());
  for (int64_t b = 0; b < tokens.size; ++b) {
    int32_t next = static_cast<int32_t>(past);
    for (int64_t t = 0; t < tokens.length; ++t) {
      const size_t i = static_cast<size_t>(b * tokens.length + t);
      const bool counts = c.position_ids == PositionIds::index  ? true
                          : c.position_ids == PositionIds::mask ? tokens.mask.empty() || tokens.mask[i] != 0
                                                                : tokens.ids[i] != c.pad_id;
      positions[i] = counts ? next++ : -1;
    }
  }
  return positions;
}

namespace {

void fill_row(float* row, int64_t position, int64_t width, bool halves) {
  const int64_t sines = (width + 1) / 2;
  for (int64_t column = 0; column < width; ++column) {
    const bool is_sine = halves ? column < sines : column % 2 == 0;
    const int64_t i = halves ? (is_sine ? column : column - sines) : column / 2;
    const double wavelength = std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(width));
    const double angle = static_cast<double>(position) / wavelength;
    row[column] = static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle));
  }
}

}  // namespace

Tensor sinusoidal_rows(Arena& arena, std::span<const int32_t> positions, int64_t width, bool halves) {
  Tensor table(arena, {static_cast<int64_t>(positions.size()), width});
  for (size_t i = 0; i < positions.size(); ++i)
    fill_row(table.data() + i * static_cast<size_t>(width), positions[i], width, halves);
  return table;
}

Tensor sinusoidal_positions(Arena& arena, int64_t length, int64_t width) {
  Tensor table(arena, {length, width});
  for (int64_t p = 0; p < length; ++p) fill_row(table.data() + p * width, p, width, false);
  return table;
}

}  // namespace glass
