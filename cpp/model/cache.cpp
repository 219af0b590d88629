#include "model/cache.h"

#include <algorithm>
#include <string>

#include "tensor/error.h"

namespace glass {
namespace {

// The first `length` positions of each of the chosen sequences.
Tensor select_rows(Arena& arena, const Tensor& x, int64_t length, std::span<const int32_t> parents) {
  Tensor y(arena, {static_cast<int64_t>(parents.size()), x.dim(1), x.dim(2), x.dim(3)});
  const size_t row = static_cast<size_t>(x.dim(2) * x.dim(3)), step = static_cast<size_t>(x.dim(1)) * row;
  for (size_t i = 0; i < parents.size(); ++i)
    std::copy_n(x.data() + static_cast<size_t>(parents[i]) * step, static_cast<size_t>(length) * row, y.data() + i * step);
  return y;
}

}  // namespace

void LayerCache::append(const Tensor& new_keys, const Tensor& new_values) {
  const int64_t B = keys.dim(0), N = new_keys.dim(1);
  if (new_keys.dim(0) != B || length + N > keys.dim(1))
    throw_error(ErrorCode::bad_input, {"the key/value cache has room for ", B, " × ", keys.dim(1), " tokens, ", length,
                                       " are taken, ", new_keys.dim(0), " × ", N, " came"});
  const size_t row = static_cast<size_t>(keys.dim(2) * keys.dim(3)), count = static_cast<size_t>(N) * row;
  for (const auto& [from, to] : {std::pair{&new_keys, &keys}, std::pair{&new_values, &values}})
    for (int64_t b = 0; b < B; ++b)
      std::copy_n(from->data() + static_cast<size_t>(b) * count, count,
                  to->data() + static_cast<size_t>(b * keys.dim(1) + length) * row);
  length += N;
}

DecoderState::DecoderState(Arena& arena, int64_t layers, int64_t key_heads, int64_t head_size, int64_t capacity)
    : arena_(arena), capacity_(capacity), cross_(static_cast<size_t>(layers)) {
  for (int64_t l = 0; l < layers; ++l) {
    const Shape shape{1, capacity, key_heads, head_size};
    self_.push_back({Tensor(arena, shape), Tensor(arena, shape), 0});
  }
}

size_t DecoderState::bytes() const {
  size_t values = memory ? memory.size() : 0;
  for (const std::vector<LayerCache>* layers : {&self_, &cross_})
    for (const LayerCache& layer : *layers)
      if (layer.keys) values += layer.keys.size() + layer.values.size();
  return values * sizeof(float);
}

void DecoderState::select(std::span<const int32_t> parents) {
  for (LayerCache& layer : self_) {
    layer.keys = select_rows(arena_, layer.keys, layer.length, parents);
    layer.values = select_rows(arena_, layer.values, layer.length, parents);
  }
}

size_t decoder_state_bytes(int64_t layers, int64_t key_heads, int64_t head_size, int64_t capacity, int64_t sequences) {
  return static_cast<size_t>(layers) * 2 * Shape{sequences, capacity, key_heads, head_size}.size() * sizeof(float);
}

}  // namespace glass
