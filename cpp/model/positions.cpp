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

// Which frequency a column has: i of the formula, and whether it is that one's sine or its cosine.
struct Frequency {
  bool is_sine;
  double power;  // 10000^(2i/width), positions a radian
};

Frequency frequency_of(int64_t column, int64_t width, bool halves) {
  const int64_t sines = (width + 1) / 2;
  const bool is_sine = halves ? column < sines : column % 2 == 0;
  const int64_t i = halves ? (is_sine ? column : column - sines) : column / 2;
  return {is_sine, std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(width))};
}

void fill_row(float* row, int64_t position, int64_t width, bool halves) {
  for (int64_t column = 0; column < width; ++column) {
    const auto [is_sine, power] = frequency_of(column, width, halves);
    const double angle = static_cast<double>(position) / power;
    row[column] = static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle));
  }
}

}  // namespace

double wavelength(int64_t column, int64_t width, bool halves) {
  return 2 * std::acos(-1.0) * frequency_of(column, width, halves).power;
}

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
