// Positions inside the attention: rotary embeddings and the bias by relative distance.
#include <cmath>
#include <limits>
#include <vector>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {
namespace {

// Sines and cosines of every position's angles, in double before they are rounded. [N, n] each
struct Angles {
  std::vector<float> sin, cos;

  Angles(std::span<const float> frequencies, std::span<const int32_t> positions) {
    sin.reserve(frequencies.size() * positions.size());
    cos.reserve(sin.capacity());
    for (const int32_t position : positions)
      for (const float frequency : frequencies) {
        const double angle = static_cast<double>(position) * static_cast<double>(frequency);
        sin.push_back(static_cast<float>(std::sin(angle)));
        cos.push_back(static_cast<float>(std::cos(angle)));
      }
  }
};

// y += x turned by the angles (`sign` 1) or back (−1); the rest of each head is copied. Heads of width K, n pairs in each.
void turn(const Angles& angles, size_t positions, size_t n, float sign, const Shape& shape, const float* x, float* y) {
  const size_t heads = static_cast<size_t>(shape[2]), K = static_cast<size_t>(shape[3]), rows = shape.rows() / heads;
  for (size_t row = 0; row < rows; ++row) {
    const float* sin = angles.sin.data() + row % positions * n;
    const float* cos = angles.cos.data() + row % positions * n;
    for (size_t h = 0; h < heads; ++h, x += K, y += K) {
      for (size_t i = 0; i < n; ++i) {
        y[i] += x[i] * cos[i] - sign * x[i + n] * sin[i];
        y[i + n] += x[i + n] * cos[i] + sign * x[i] * sin[i];
      }
      for (size_t i = 2 * n; i < K; ++i) y[i] += x[i];
    }
  }
}

// Half of the buckets are for exact distances, the other half grow to max_distance as logarithms do.
int64_t bucket_of(int64_t distance, int64_t buckets, bool both_directions, int64_t max_distance) {
  int64_t first = 0;
  if (both_directions) {
    buckets /= 2;
    if (distance > 0) first = buckets;
    distance = std::abs(distance);
  } else {
    distance = std::max<int64_t>(-distance, 0);
  }
  const int64_t exact = buckets / 2;
  if (distance < exact) return first + distance;
  // In float, as every implementation has it: at a border the rounding decides the bucket.
  const float share = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                      static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
  const int64_t far = exact + static_cast<int64_t>(share * static_cast<float>(buckets - exact));
  return first + std::min(far, buckets - 1);
}

}  // namespace

Tensor rotate(const Context& cx, const Tensor& x, std::span<const float> frequencies, std::span<const int32_t> positions) {
  const size_t n = frequencies.size();
  if (x.shape().rank() != 4 || 2 * n > x.width() || positions.empty() ||
      (x.rows() / static_cast<size_t>(x.dim(2))) % positions.size() != 0)
    throw_error(ErrorCode::bad_input, {"rotate: expected [B, N, H, K] with K of ", 2 * n, " or more and N or B·N of ",
                                       positions.size(), " positions, got ", x.shape()});
  Angles angles(frequencies, positions);
  Tensor y = cx.zeros(x.shape());
  turn(angles, positions.size(), n, 1.f, x.shape(), x.data(), y.data());
  if (cx.tracks(x))
    cx.tape->record(y, [x, angles = std::move(angles), count = positions.size(), n](const Tensor& y) {
      turn(angles, count, n, -1.f, x.shape(), y.gradient(), x.gradient());
    });
  return y;
}

Tensor relative_bias(const Context& cx, const Parameter& table, int64_t queries, int64_t keys, bool both_directions,
                     int64_t max_distance) {
  const int64_t buckets = table.shape[0], H = table.shape[1];
  std::vector<float> values(table.size());
  copy_out(table, values.data());
  std::vector<int32_t> chosen;  // [T, S]
  for (int64_t t = 0; t < queries; ++t)
    for (int64_t s = 0; s < keys; ++s)
      chosen.push_back(static_cast<int32_t>(bucket_of(s - (t + keys - queries), buckets, both_directions, max_distance)));

  const size_t pairs = chosen.size();
  Tensor y = cx.make({H, queries, keys});
  for (size_t h = 0; h < static_cast<size_t>(H); ++h)
    for (size_t i = 0; i < pairs; ++i) y.data()[h * pairs + i] = values[static_cast<size_t>(chosen[i] * H) + h];
  if (cx.tracks(&table))
    cx.tape->record(y, [chosen, H, pairs, grad = cx.tape->gradient(table)](const Tensor& y) {
      for (size_t h = 0; h < static_cast<size_t>(H); ++h)
        for (size_t i = 0; i < pairs; ++i) grad[static_cast<size_t>(chosen[i] * H) + h] += y.gradient()[h * pairs + i];
    });
  return y;
}

}  // namespace glass
