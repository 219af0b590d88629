// Tensor: a shape over shared storage from an Arena. Copying one copies a handle, reshaping one shares the values.
// Handles are counted without locks: a tensor, its arena and its tape belong to one thread.
#pragma once

#include <cstddef>
#include <utility>

#include "tensor/arena.h"
#include "tensor/shape.h"

namespace glass {

// A block of values, and what a tape needs to know of it.
struct Storage {
  Arena* arena;
  float* data;
  size_t size;
  int handles;
  bool tracked;     // a gradient with respect to these values is wanted
  float* gradient;  // as many values, null until one has been added
};

class Tensor {
 public:
  Tensor() = default;                 // holds nothing
  Tensor(Arena& arena, Shape shape);  // uninitialised values
  Tensor(const Tensor& other) : shape_(other.shape_), storage_(other.storage_) { retain(); }
  Tensor(Tensor&& other) noexcept : shape_(other.shape_), storage_(std::exchange(other.storage_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(shape_, other.shape_);
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Tensor() { release(); }

  explicit operator bool() const { return storage_ != nullptr; }
  const Shape& shape() const { return shape_; }
  int64_t dim(int i) const { return shape_[i]; }
  size_t size() const { return shape_.size(); }
  size_t rows() const { return shape_.rows(); }
  size_t width() const { return static_cast<size_t>(shape_[-1]); }

  float* data() { return storage_->data; }
  const float* data() const { return storage_->data; }

  // The same values under another shape. Throws Error(bad_input) where the sizes differ.
  Tensor reshaped(const Shape& shape) const;
  // No other handle reads these values, so they may be overwritten.
  bool unique() const { return storage_->handles == 1; }

  // For the tape. The gradient belongs to the storage, so all handles share it and adding to it leaves the tensor as it is.
  bool tracked() const { return storage_ && storage_->tracked; }
  void set_tracked(bool on) const { storage_->tracked = on; }
  float* gradient() const;  // zeros at first use
  bool has_gradient() const { return storage_->gradient != nullptr; }
  void drop_gradient() const noexcept;

 private:
  void retain() {
    if (storage_) ++storage_->handles;
  }
  void release() noexcept;

  Shape shape_;
  Storage* storage_ = nullptr;
};

}  // namespace glass
