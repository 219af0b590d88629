// Rotations, buckets, and who attends to whom by them.
#include <algorithm>
#include <limits>

#include "kernels/gemm.h"
#include "ops/lsh.h"
#include "tensor/error.h"

namespace glass {

std::vector<float> lsh_rotations(uint64_t seed, const LshOptions& options, int64_t heads, int64_t width) {
  std::vector<float> rotations(static_cast<size_t>(heads * options.rounds * (options.buckets / 2) * width));
  Random random(seed);
  std::generate(rotations.begin(), rotations.end(), [&] { return random.normal(); });
  return rotations;
}

Tensor lsh_buckets(const Context& cx, const Tensor& k, int64_t count, std::span<const float> rotations,
                   const LshOptions& options, std::span<const uint8_t> hidden) {
  const int64_t B = k.dim(0), H = k.dim(2), K = k.dim(3), half = options.buckets / 2, columns = options.rounds * half;
  if (static_cast<int64_t>(rotations.size()) != H * columns * K || count > k.dim(1) ||
      (!hidden.empty() && static_cast<int64_t>(hidden.size()) != B * count))
    throw_error(ErrorCode::bad_input,
                {"lsh_buckets: ", rotations.size(), " rotations and ", count, " keys do not fit keys ", k.shape()});
  cx.count(static_cast<size_t>(count), static_cast<size_t>(K), static_cast<size_t>(columns), static_cast<size_t>(B * H));
  Tensor buckets = cx.zeros({B, H, options.rounds, count});
  Tensor turned = cx.make({count, columns});
  Tensor panels = cx.make({static_cast<int64_t>(packed_size(static_cast<size_t>(K), static_cast<size_t>(columns)))});
  for (int64_t h = 0; h < H; ++h) {
    if (half > 0)
      pack({rotations.data() + h * columns * K, 1, static_cast<ptrdiff_t>(K)}, static_cast<size_t>(K),
           static_cast<size_t>(columns), panels.data());
    for (int64_t b = 0; b < B; ++b) {
      if (half > 0)
        gemm(static_cast<size_t>(count), static_cast<size_t>(columns), static_cast<size_t>(K),
             {k.data() + (b * k.dim(1) * H + h) * K, static_cast<ptrdiff_t>(H * K), 1}, panels.data(), nullptr, turned.data(),
             static_cast<size_t>(columns));
      float* out = buckets.data() + (b * H + h) * options.rounds * count;
      for (int64_t r = 0; r < options.rounds; ++r)
        for (int64_t s = 0; s < count; ++s, ++out) {
          if (!hidden.empty() && hidden[static_cast<size_t>(b * count + s)]) {
            *out = static_cast<float>(options.buckets);
          } else if (half > 0) {
            const float* values = turned.data() + s * columns + r * half;
            const float *top = std::max_element(values, values + half), *low = std::min_element(values, values + half);
            *out = static_cast<float>(*top >= -*low ? top - values : half + (low - values));
          }
        }
    }
  }
  return buckets;
}

LshPlan::LshPlan(const Tensor& buckets, const LshOptions& options, std::vector<uint8_t> hidden, bool causal)
    : batch_(buckets.dim(0)),
      heads_(buckets.dim(1)),
      rounds_(buckets.dim(2)),
      length_(buckets.dim(3)),
      bucket_(buckets.size()),
      chunk_(buckets.size()),
      order_(buckets.size()),
      hidden_(std::move(hidden)),
      causal_(causal) {
  const int32_t last = static_cast<int32_t>(options.buckets);
  for (size_t i = 0; i < bucket_.size(); ++i) {  // an edit may have written anything
    const float given = buckets.data()[i];
    bucket_[i] = !(given >= 0.f) ? 0 : given >= static_cast<float>(last) ? last : static_cast<int32_t>(given);
  }
  std::vector<int32_t> next(static_cast<size_t>(last) + 2);
  for (int64_t b = 0; b < batch_; ++b) {
    int64_t real = length_;
    for (int32_t s = 0; s < length_; ++s) real -= this->hidden(b, s);
    const int64_t twice_mean = (2 * real + options.buckets - 1) / options.buckets;  // so padding changes nothing
    const int64_t m = std::clamp<int64_t>(options.chunk_length > 0 ? options.chunk_length : twice_mean, 1, length_);
    chunk_lengths_.push_back(m);
    for (int64_t rest = 0; rest < heads_ * rounds_; ++rest) {
      const size_t at = row(b, rest / rounds_, rest % rounds_);
      std::fill(next.begin(), next.end(), 0);  // counting sort: where each bucket begins
      for (int64_t s = 0; s < length_; ++s) ++next[static_cast<size_t>(bucket_[at + static_cast<size_t>(s)]) + 1];
      for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
      for (int64_t s = 0; s < length_; ++s) {
        const size_t token = at + static_cast<size_t>(s);
        const int32_t place = next[static_cast<size_t>(bucket_[token])]++;
        order_[at + static_cast<size_t>(place)] = static_cast<int32_t>(s);
        chunk_[token] = place / static_cast<int32_t>(m);
      }
    }
  }
}

bool LshPlan::finds(int64_t b, int64_t h, int64_t r, int32_t i, int32_t j) const {
  if (i == j || (causal_ && j > i) || hidden(b, j)) return false;
  const size_t at = row(b, h, r), query = at + static_cast<size_t>(i), key = at + static_cast<size_t>(j);
  const int32_t back = chunk_[query] - chunk_[key];
  return bucket_[query] == bucket_[key] && (back == 0 || back == 1);
}

int LshPlan::found(int64_t b, int64_t h, int32_t i, int32_t j) const {
  int times = 0;
  for (int64_t r = 0; r < rounds_; ++r) times += finds(b, h, r, i, j);
  return times;
}

Tensor lsh_mask(const Context& cx, const LshPlan& plan, int64_t queries) {
  const int64_t S = plan.length();
  Tensor mask = cx.make({plan.batch(), plan.heads(), queries, S});
  float* row = mask.data();
  for (int64_t b = 0; b < plan.batch(); ++b)
    for (int64_t h = 0; h < plan.heads(); ++h)
      for (int64_t t = S - queries; t < S; ++t, row += S) {
        const int32_t i = static_cast<int32_t>(t);
        bool alone = true;
        for (int32_t j = 0; j < S; ++j) {
          const bool sees = plan.found(b, h, i, j) > 0;
          alone = alone && !sees;
          row[j] = sees ? 0.f : -std::numeric_limits<float>::infinity();
        }
        if (alone && !plan.hidden(b, i)) row[i] = 0.f;
      }
  return mask;
}

}  // namespace glass
