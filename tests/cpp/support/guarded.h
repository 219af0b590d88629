// Arrays that notice what a kernel does outside them.
//
// Neither sanitizers nor wasm itself see a read or write past an array that stays inside linear memory. So the values lie
// between guards of one particular NaN: a read that matters turns a result into NaN, and a write changes a guard's bits.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace glass::testing {

class Guarded {
 public:
  // n values, `offset` floats away from the allocation's alignment, all guards until written.
  explicit Guarded(size_t n, size_t offset = 0) : all_(n + 2 * kGuard + offset, guard()), begin_(kGuard + offset), size_(n) {}
  Guarded(const std::vector<float>& values, size_t offset = 0) : Guarded(values.size(), offset) {
    if (!values.empty()) std::memcpy(data(), values.data(), values.size() * sizeof(float));
  }

  float* data() { return all_.data() + begin_; }
  const float* data() const { return all_.data() + begin_; }
  size_t size() const { return size_; }
  float& operator[](size_t i) { return data()[i]; }
  float operator[](size_t i) const { return data()[i]; }

  // True while no guard has been written to.
  bool intact() const {
    for (size_t i = 0; i < all_.size(); ++i) {
      if (i == begin_ && size_ > 0) i += size_;
      if (std::memcmp(&all_[i], &kGuardBits, sizeof kGuardBits) != 0) return false;
    }
    return true;
  }

 private:
  static constexpr size_t kGuard = 64;  // more than a tile is wide or a vector is long
  static constexpr uint32_t kGuardBits = 0x7fc0dead;
  static float guard() {
    float f;
    std::memcpy(&f, &kGuardBits, sizeof f);
    return f;
  }

  std::vector<float> all_;
  size_t begin_, size_;
};

// The same values for a seed on every platform (std::uniform_real_distribution does not promise that).
inline std::vector<float> random_values(size_t n, uint32_t seed, float low = -1.0f, float high = 1.0f) {
  std::mt19937 engine(seed);
  std::vector<float> values(n);
  for (float& v : values) v = low + (high - low) * static_cast<float>(engine() >> 8) * 0x1p-24f;
  return values;
}

// Every size from 0 to past three vectors of `lanes`, where tails and unrolled loops begin and end, and a few larger ones.
inline std::vector<size_t> sizes_around(size_t lanes) {
  std::vector<size_t> sizes;
  for (size_t n = 0; n <= 3 * lanes + 3; ++n) sizes.push_back(n);
  for (size_t n : {4 * lanes - 1, 4 * lanes, 4 * lanes + 1, 8 * lanes + 5, size_t{257}, size_t{1000}}) sizes.push_back(n);
  return sizes;
}

}  // namespace glass::testing
