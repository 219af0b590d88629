#include "generate/beams.h"

#include <algorithm>
#include <cmath>

#include "generate/logits.h"

namespace glass {
namespace {

// Stands for "never chosen" and is finite, as in transformers: with few tokens allowed such a beam may have to stay.
constexpr float kNever = -1e9f;

float with_penalty(float sum, int64_t length, float penalty) {
  return sum / static_cast<float>(std::pow(static_cast<double>(length), static_cast<double>(penalty)));
}

// The highest score first, equals in their order. By insertion: lists are short and mostly in order already.
template <class T, class Score>
void sort_by_score(std::vector<T>& list, Score&& score) {
  const auto before = [&](const T& a, const T& b) { return score(a) > score(b); };
  for (auto at = list.begin(); at != list.end(); ++at) std::rotate(std::upper_bound(list.begin(), at, *at, before), at, at + 1);
}

float score_of(const Beam& beam) { return beam.score; }

}  // namespace

BeamSearch::BeamSearch(const GenerationOptions& options, const Endings& endings, int64_t most)
    : options_(options), endings_(endings), most_(most) {
  running_.resize(static_cast<size_t>(options.beams));
  finished_.resize(static_cast<size_t>(options.beams));
  // All beams begin with the same text: only the first may branch.
  for (size_t b = 1; b < running_.size(); ++b) running_[b].score = kNever;
  for (Finished& place : finished_) place.score = kNever;
}

bool BeamSearch::all_places_taken() const {
  return std::all_of(finished_.begin(), finished_.end(), [](const Finished& place) { return place.is_text; });
}

// So many that as many as there are beams go on even where every beam's best tokens are its end tokens.
std::vector<BeamSearch::Candidate> BeamSearch::candidates(std::span<const std::vector<float>> rows, Random* random) const {
  const size_t vocabulary = rows[0].size();
  const size_t count = std::max<size_t>(2, 1 + options_.eos_token_id.size()) * running_.size();
  std::vector<float> sums;
  sums.reserve(rows.size() * vocabulary);
  for (size_t b = 0; b < rows.size(); ++b)
    for (const float score : rows[b]) sums.push_back(running_[b].score + score);
  std::vector<size_t> chosen;
  if (random) {
    // The highest of log p + Gumbel noise are a draw without replacement (Kool et al. 2019).
    std::vector<float> noisy = sums;
    for (float& sum : noisy) sum -= static_cast<float>(std::log(-std::log(static_cast<double>(random->uniform()) + 0x1p-25)));
    chosen = highest(noisy, count);
    sort_by_score(chosen, [&](size_t index) { return sums[index]; });
  } else {
    chosen = highest(sums, count);
  }
  std::vector<Candidate> list;
  for (const size_t index : chosen) {
    Candidate& next = list.emplace_back();
    next.parent = static_cast<int32_t>(index / vocabulary);
    next.ids = running_[static_cast<size_t>(next.parent)].ids;
    next.ids.push_back(static_cast<int32_t>(index % vocabulary));
    next.score = sums[index];
    next.ends = length_ + 1 >= most_ || endings_.of(next.ids) != Ending::none;
  }
  return list;
}

// Only a candidate among the first `beams` may finish; the others are there to go on.
void BeamSearch::finish(std::span<const Candidate> candidates) {
  const bool closed = (all_places_taken() && options_.early_stopping == EarlyStopping::yes) || !improvable_;
  std::vector<Finished> all = finished_;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Finished& entry = all.emplace_back();
    static_cast<Beam&>(entry) = candidates[i];
    entry.is_text = candidates[i].ends && i < finished_.size();
    entry.score = with_penalty(candidates[i].score, length_ + 1, options_.length_penalty);
    if (closed) entry.score += kNever;
    if (!entry.is_text) entry.score += kNever;
  }
  sort_by_score(all, score_of);
  all.resize(finished_.size());
  finished_ = std::move(all);
}

void BeamSearch::advance(std::span<const std::vector<float>> rows, Random* random) {
  std::vector<Candidate> next = candidates(rows, random);
  finish(next);

  const bool all_end = std::all_of(next.begin(), next.end(), [](const Candidate& c) { return c.ends; });
  for (Candidate& candidate : next)
    if (candidate.ends) candidate.score += kNever;
  sort_by_score(next, score_of);
  for (size_t b = 0; b < running_.size() && b < next.size(); ++b) running_[b] = std::move(next[b]);
  ++length_;

  // The best that the first beam could still reach, against the worst of the finished texts.
  const bool to_the_end = options_.early_stopping == EarlyStopping::never && options_.length_penalty > 0.f;
  const float reachable = with_penalty(running_[0].score, to_the_end ? most_ : length_, options_.length_penalty);
  const float worst = finished_.back().score;
  improvable_ = improvable_ && std::any_of(finished_.begin(), finished_.end(),
                                           [&](const Finished& place) { return reachable > (place.is_text ? worst : kNever); });
  done_ = !improvable_ || (all_places_taken() && options_.early_stopping == EarlyStopping::yes) || all_end;
}

std::vector<Beam> BeamSearch::finished() const {
  std::vector<Beam> texts;
  for (const Finished& place : finished_)
    if (place.is_text) texts.push_back(place);
  return texts;
}

}  // namespace glass
