#include "tensor/tensor.h"

#include <algorithm>
#include <memory>

#include "tensor/error.h"

namespace glass {

Tensor::Tensor(Arena& arena, Shape shape) : shape_(shape) {
  auto storage = std::make_unique<Storage>(Storage{&arena, nullptr, shape.size(), 1, false, nullptr});
  storage->data = arena.take(storage->size);
  storage_ = storage.release();
}

void Tensor::release() noexcept {
  if (!storage_ || --storage_->handles > 0) return;
  drop_gradient();
  storage_->arena->give_back(storage_->data, storage_->size);
  delete std::exchange(storage_, nullptr);
}

Tensor Tensor::reshaped(const Shape& shape) const {
  if (shape.size() != size()) throw_error(ErrorCode::bad_input, {"cannot give ", shape_, " the shape ", shape});
  Tensor view = *this;
  view.shape_ = shape;
  return view;
}

float* Tensor::gradient() const {
  if (!storage_->gradient) {
    storage_->gradient = storage_->arena->take(storage_->size);
    std::fill_n(storage_->gradient, storage_->size, 0.f);
  }
  return storage_->gradient;
}

void Tensor::drop_gradient() const noexcept {
  if (storage_->gradient) storage_->arena->give_back(std::exchange(storage_->gradient, nullptr), storage_->size);
}

}  // namespace glass
