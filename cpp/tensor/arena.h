// Memory for activations: blocks go back to the arena when their last reader is done and are handed out again, so a run
// needs no more than what is alive at once and a training loop stops calling malloc after its first step.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace glass {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();  // every block must have been given back

  // At least n floats, 64-byte aligned, uninitialised. Throws Error(out_of_memory) naming the bytes asked for.
  float* take(size_t n);
  void give_back(float* block, size_t n) noexcept;  // n as it was taken

  size_t bytes_in_use() const { return in_use_; }
  size_t peak_bytes() const { return peak_; }  // the most that was in use since reset_peak
  void reset_peak() { peak_ = in_use_; }
  void trim() noexcept;  // returns idle blocks to the system

 private:
  struct Blocks {
    std::vector<float*> idle;
    size_t made = 0;  // idle or not
  };
  std::map<size_t, Blocks> blocks_;  // by capacity in floats
  size_t in_use_ = 0, peak_ = 0;
};

}  // namespace glass
