// What is done to the scores of the next token before one is chosen: functions on one row of the vocabulary's size. A token
// at −inf cannot be chosen. The meanings are those of transformers' processors, in its order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generate/options.h"

namespace glass {

// scores − log Σ exp(scores), in place; rows of −inf stay.
void log_softmax(std::span<float> scores);

// Scores of tokens that `tokens` holds: divided by the penalty where positive, times it where negative (Keskar et al. 2019).
void penalize_repetition(std::span<float> scores, std::span<const int32_t> tokens, float penalty);
// Bans what would complete a run of n tokens that is there already.
void ban_repeated_ngrams(std::span<float> scores, std::span<const int32_t> tokens, int64_t n);
// Bans the last token of each word whose other tokens stand at the end of `tokens`.
void ban_words(std::span<float> scores, std::span<const int32_t> tokens, const std::vector<std::vector<int32_t>>& words,
               std::span<const int32_t> end_tokens);
void ban(std::span<float> scores, std::span<const int32_t> ids);
// All but these are banned; these score 0.
void force(std::span<float> scores, std::span<const int32_t> ids);

// Where a text is: how many tokens the prompt had and how many it may have in all.
struct Extent {
  int64_t prompt, most;
};
// All of the above that the options ask for. `tokens`: the prompt's (beside an encoder, the decoder's) and what has been
// generated.
void process_logits(std::span<float> scores, std::span<const int32_t> tokens, Extent extent, const GenerationOptions& options);

// ---- for sampling --------------------------------------------------------------------------------------------------
// All but the k highest are banned; what ties with the lowest of them stays.
void keep_top_k(std::span<float> scores, int64_t k);
// Keeps the fewest tokens whose probabilities sum to p or more (Holtzman et al. 2020), at least `least`.
void keep_top_p(std::span<float> scores, float p, int64_t least);
// Temperature, top-k, top-p. `least` tokens stay, whatever they say.
void process_for_sampling(std::span<float> scores, int64_t least, const GenerationOptions& options);

// The indices of the k highest, highest first, the lower index first among equals; −inf may be among them.
std::vector<size_t> highest(std::span<const float> scores, size_t k);

}  // namespace glass
