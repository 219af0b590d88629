// One seeded generator per trainer or new model: SplitMix64 (Steele, Lea & Flood 2014). Its whole state is one number, so it
// can be saved, and put back to draw the same dropout masks again when a segment is recomputed.
#pragma once

#include <cmath>
#include <cstdint>

namespace glass {

class Random {
 public:
  explicit Random(uint64_t seed = 0) : state_(seed) {}

  uint64_t state() const { return state_; }

  uint64_t bits() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // In [0, 1), 24 bits: every value is exact in a float.
  float uniform() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }
  // Standard normal, Box & Muller 1958.
  float normal() {
    const double radius = std::sqrt(-2.0 * std::log((static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53));
    return static_cast<float>(radius * std::cos(6.283185307179586 * static_cast<double>(uniform())));
  }

 private:
  uint64_t state_;
};

}  // namespace glass
