// Attention among tokens that fall into one bucket: Kitaev et al. 2020, "Reformer: The Efficient Transformer", section 2 and
// appendix A. Keys are queries of unit length, so near tokens have near vectors, and a random rotation sends near vectors to
// one bucket. Sorted by bucket, then by position, a sequence is cut into chunks; in each round a token attends to the tokens
// of its own bucket in its chunk and the one before. Which tokens those are is not differentiated through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/context.h"

namespace glass {

struct LshOptions {
  int64_t rounds = 1;        // independent hashings; a token attends to whatever any of them finds
  int64_t buckets = 2;       // of each round; 1 (everything in one bucket: full attention) or an even number
  int64_t chunk_length = 0;  // m of equation 5; 0: twice the mean size of a bucket, as the paper has it
};

// The rotations of a layer: [heads, rounds, buckets / 2, width] standard normal numbers, Random(seed).normal() in that order.
// Empty for one bucket.
std::vector<float> lsh_rotations(uint64_t seed, const LshOptions& options, int64_t heads, int64_t width);

// The bucket of each of the first `count` keys in each round: the number of the largest of [R k; −R k] (Andoni et al. 2015),
// the first of equals. Keys with hidden[b · count + s] ≠ 0 (empty: none) get a bucket of their own, number `buckets`.
// k: [B, count or more, H, K] → [B, H, rounds, count], whole numbers
Tensor lsh_buckets(const Context& cx, const Tensor& k, int64_t count, std::span<const float> rotations,
                   const LshOptions& options, std::span<const uint8_t> hidden);

// Who attends to whom.
class LshPlan {
 public:
  // buckets: as lsh_buckets gives them, values outside [0, buckets] are moved into it. `causal` hides what comes later.
  LshPlan(const Tensor& buckets, const LshOptions& options, std::vector<uint8_t> hidden, bool causal);

  int64_t batch() const { return batch_; }
  int64_t heads() const { return heads_; }
  int64_t rounds() const { return rounds_; }
  int64_t length() const { return length_; }
  int64_t chunk_length(int64_t b) const { return chunk_lengths_[static_cast<size_t>(b)]; }

  // Positions in the order of their buckets: [length].
  const int32_t* order(int64_t b, int64_t h, int64_t r) const { return order_.data() + row(b, h, r); }
  // In how many rounds token i finds another token j that it may see: N of appendix A, 0 where it never does.
  int found(int64_t b, int64_t h, int32_t i, int32_t j) const;
  bool finds(int64_t b, int64_t h, int64_t r, int32_t i, int32_t j) const;
  bool hidden(int64_t b, int32_t s) const { return !hidden_.empty() && hidden_[static_cast<size_t>(b * length_ + s)] != 0; }

 private:
  size_t row(int64_t b, int64_t h, int64_t r) const { return static_cast<size_t>(((b * heads_ + h) * rounds_ + r) * length_); }

  int64_t batch_, heads_, rounds_, length_;
  std::vector<int64_t> chunk_lengths_;           // [B]
  std::vector<int32_t> bucket_, chunk_, order_;  // [B, H, rounds, length]
  std::vector<uint8_t> hidden_;                  // [B, length], may be empty
  bool causal_;
};

// The same as a mask for the last `queries` tokens: 0 where a token attends, −inf elsewhere. A token that finds no other one
// attends to itself, unless it is hidden. → [B, H, queries, length]
Tensor lsh_mask(const Context& cx, const LshPlan& plan, int64_t queries);

// softmax over the tokens that the plan finds of q · k, times v, chunk by chunk: T × (2 · chunk length) products in each round,
// no T × T matrix. Rounds are joined by the log-sum-exp of their scores, a pair found n times counting 1/n in each (appendix
// A), so the result is what scores + lsh_mask would give. Dropout draws once for each pair and round. q, k, v: [B, T, H, K] →
// [B, T, H, K]
Tensor lsh_attention(const Context& cx, const Tensor& q, const Tensor& k, const Tensor& v, LshPlan plan, float dropout_rate);

}  // namespace glass
