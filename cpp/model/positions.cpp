#include "model/positions.h"

#include <cmath>

namespace glass {

Tensor sinusoidal_positions(Arena& arena, int64_t length, int64_t width) {
  Tensor table(arena, {length, width});
  float* value = table.data();
  for (int64_t p = 0; p < length; ++p)
    for (int64_t i = 0; i < width; ++i) {
      const double wavelength = std::pow(10000.0, static_cast<double>(i / 2 * 2) / static_cast<double>(width));
      const double angle = static_cast<double>(p) / wavelength;
      *value++ = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return table;
}

}  // namespace glass
