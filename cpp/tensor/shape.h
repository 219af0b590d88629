// The extents of a tensor, row-major, up to five of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace glass {

class Shape {
 public:
  static constexpr int kMaxRank = 5;

  Shape() = default;
  Shape(std::initializer_list<int64_t> extents) : Shape(std::span<const int64_t>(extents.begin(), extents.size())) {}
  // Throws Error(bad_input) for more than kMaxRank extents or a negative one, Error(out_of_memory) for more values than can
  // be addressed.
  explicit Shape(std::span<const int64_t> extents);

  int rank() const { return rank_; }
  // Extent i; a negative i counts from the back.
  int64_t operator[](int i) const { return extents_[static_cast<size_t>(i < 0 ? i + rank_ : i)]; }
  // Number of values; 1 for a scalar's empty shape.
  size_t size() const;
  // Number of rows when all but the last axis are joined.
  size_t rows() const {
    return rank_ == 0 || extents_[static_cast<size_t>(rank_ - 1)] == 0 ? 0 : size() / static_cast<size_t>((*this)[-1]);
  }
  std::span<const int64_t> extents() const { return {extents_.data(), static_cast<size_t>(rank_)}; }
  bool operator==(const Shape& other) const { return rank_ == other.rank_ && extents_ == other.extents_; }

 private:
  std::array<int64_t, kMaxRank> extents_{};
  int rank_ = 0;
};

// "[2, 3, 8]", for messages.
std::string to_string(const Shape& shape);

// Throws Error(bad_input) "<where>: expected shape [..], got [..]" where they differ.
void check_shape(const char* where, const Shape& expected, const Shape& got);

}  // namespace glass
