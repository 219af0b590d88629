#include "generate/logits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/kernels.h"

namespace glass {
namespace {

constexpr float kBanned = -std::numeric_limits<float>::infinity();

bool contains(std::span<const int32_t> ids, int32_t id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

// Ids that a file names and the model lacks are passed over.
bool is_token(std::span<const float> scores, int32_t id) { return id >= 0 && static_cast<size_t>(id) < scores.size(); }

bool ends_with(std::span<const int32_t> tokens, std::span<const int32_t> end) {
  return tokens.size() >= end.size() && std::equal(end.begin(), end.end(), tokens.end() - static_cast<ptrdiff_t>(end.size()));
}

}  // namespace

void log_softmax(std::span<float> scores) {
  const float total = simd.log_sum_exp(scores.data(), scores.size());
  if (total == kBanned) return;
  for (float& score : scores) score -= total;
}

void penalize_repetition(std::span<float> scores, std::span<const int32_t> tokens, float penalty) {
  std::vector<bool> done(scores.size());
  for (const int32_t id : tokens) {
    if (!is_token(scores, id) || done[static_cast<size_t>(id)]) continue;
    done[static_cast<size_t>(id)] = true;
    float& score = scores[static_cast<size_t>(id)];
    score = score < 0 ? score * penalty : score / penalty;
  }
}

void ban_repeated_ngrams(std::span<float> scores, std::span<const int32_t> tokens, int64_t n) {
  const size_t run = static_cast<size_t>(n);
  if (tokens.size() < run) return;
  const std::span<const int32_t> end = tokens.last(run - 1);
  for (size_t i = 0; i + run <= tokens.size(); ++i)
    if (std::equal(end.begin(), end.end(), tokens.begin() + static_cast<ptrdiff_t>(i)))
      ban(scores, tokens.subspan(i + run - 1, 1));
}

void ban_words(std::span<float> scores, std::span<const int32_t> tokens, const std::vector<std::vector<int32_t>>& words,
               std::span<const int32_t> end_tokens) {
  for (const std::vector<int32_t>& word : words) {
    const std::span<const int32_t> all = word, last = all.last(1);
    if (word.size() == 1 && contains(end_tokens, word[0])) continue;
    if (ends_with(tokens, all.first(word.size() - 1))) ban(scores, last);
  }
}

void ban(std::span<float> scores, std::span<const int32_t> ids) {
  for (const int32_t id : ids)
    if (is_token(scores, id)) scores[static_cast<size_t>(id)] = kBanned;
}

void force(std::span<float> scores, std::span<const int32_t> ids) {
  std::fill(scores.begin(), scores.end(), kBanned);
  for (const int32_t id : ids)
    if (is_token(scores, id)) scores[static_cast<size_t>(id)] = 0.f;
}

void process_logits(std::span<float> scores, std::span<const int32_t> tokens, Extent extent, const GenerationOptions& o) {
  const int64_t length = static_cast<int64_t>(tokens.size());
  if (o.repetition_penalty != 1.f) penalize_repetition(scores, tokens, o.repetition_penalty);
  if (o.no_repeat_ngram_size > 0) ban_repeated_ngrams(scores, tokens, o.no_repeat_ngram_size);
  if (!o.bad_words_ids.empty()) ban_words(scores, tokens, o.bad_words_ids, o.eos_token_id);
  const int64_t least = o.min_new_tokens > 0 ? extent.prompt + o.min_new_tokens : o.min_length;
  if (length < least) ban(scores, o.eos_token_id);
  if (o.forced_bos_token_id >= 0 && length == 1) force(scores, std::span(&o.forced_bos_token_id, 1));
  if (!o.forced_eos_token_id.empty() && length == extent.most - 1) force(scores, o.forced_eos_token_id);
  ban(scores, o.suppress_tokens);
  const int64_t begin = extent.prompt > 1 || o.forced_bos_token_id < 0 ? extent.prompt : extent.prompt + 1;
  if (length == begin) ban(scores, o.begin_suppress_tokens);
}

void keep_top_k(std::span<float> scores, int64_t k) {
  if (static_cast<size_t>(k) >= scores.size()) return;
  const float lowest = scores[highest(scores, static_cast<size_t>(k)).back()];
  for (float& score : scores)
    if (score < lowest) score = kBanned;
}

void keep_top_p(std::span<float> scores, float p, int64_t least) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] < scores[b]; });
  std::vector<float> probabilities(scores.size());
  simd.softmax_rows(scores.data(), nullptr, 0, probabilities.data(), 1, scores.size());
  // From the least probable on, those that all together are within 1 − p.
  double sum = 0;
  for (size_t i = 0; i + static_cast<size_t>(least) < order.size(); ++i) {
    sum += static_cast<double>(probabilities[order[i]]);
    if (sum > 1.0 - static_cast<double>(p)) break;
    scores[order[i]] = kBanned;
  }
}

void process_for_sampling(std::span<float> scores, int64_t least, const GenerationOptions& o) {
  if (o.temperature != 1.f)
    for (float& score : scores) score /= o.temperature;
  if (o.top_k > 0) keep_top_k(scores, std::max(o.top_k, least));
  if (o.top_p < 1.f) keep_top_p(scores, o.top_p, least);
}

std::vector<size_t> highest(std::span<const float> scores, size_t k) {
  const auto before = [&](size_t a, size_t b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); };
  // A heap of the best so far, its worst on top.
  std::vector<size_t> best;
  k = std::min(k, scores.size());
  best.reserve(k + 1);
  for (size_t i = 0; i < scores.size() && k > 0; ++i) {
    if (best.size() == k && !before(i, best.front())) continue;
    best.push_back(i);
    std::push_heap(best.begin(), best.end(), before);
    if (best.size() > k) {
      std::pop_heap(best.begin(), best.end(), before);
      best.pop_back();
    }
  }
  std::sort_heap(best.begin(), best.end(), before);
  return best;
}

}  // namespace glass
