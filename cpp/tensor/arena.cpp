#include "tensor/arena.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tensor/error.h"

namespace glass {
namespace {

// Capacities come in four steps per power of two: lengths that differ a little share blocks, at most a quarter is wasted.
size_t capacity_for(size_t n) {
  if (n <= 16) return 16;
  const size_t step = std::bit_floor(n - 1) / 4;
  return (n + step - 1) / step * step;
}

// Half of what can be addressed: capacities above would wrap around in bytes.
constexpr size_t kMostFloats = SIZE_MAX / (2 * sizeof(float));

}  // namespace

Arena::~Arena() { trim(); }

float* Arena::take(size_t n) {
  if (n > kMostFloats) throw_error(ErrorCode::out_of_memory, {"no memory for ", n, " values of 4 bytes in one block"});
  const size_t capacity = capacity_for(n);
  Blocks& blocks = blocks_[capacity];
  float* block = nullptr;
  if (!blocks.idle.empty()) {
    block = blocks.idle.back();
    blocks.idle.pop_back();
  } else {
    const size_t bytes = (capacity * sizeof(float) + 63) / 64 * 64;
    block = static_cast<float*>(std::aligned_alloc(64, bytes));
    if (!block) {
      trim();
      block = static_cast<float*>(std::aligned_alloc(64, bytes));
    }
    if (!block) throw_error(ErrorCode::out_of_memory, {"no memory left for ", bytes, " more bytes of activations"});
    blocks.idle.reserve(++blocks.made);  // so that giving it back cannot fail
  }
  in_use_ += capacity * sizeof(float);
  if (in_use_ > peak_) peak_ = in_use_;
  return block;
}

void Arena::give_back(float* block, size_t n) noexcept {
  const size_t capacity = capacity_for(n);
  in_use_ -= capacity * sizeof(float);
  blocks_[capacity].idle.push_back(block);
}

void Arena::trim() noexcept {
  for (auto& [capacity, blocks] : blocks_) {
    for (float* block : blocks.idle) std::free(block);
    blocks.made -= blocks.idle.size();
    blocks.idle.clear();
  }
}

}  // namespace glass
