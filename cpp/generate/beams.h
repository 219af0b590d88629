// Beam search over scores that somebody else computes: which texts go on, which are finished, when it ends. The rules,
// heuristic stop included, are those of transformers 5.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generate/endings.h"
#include "generate/options.h"
#include "tensor/random.h"

namespace glass {

struct Beam {
  std::vector<int32_t> ids;  // generated so far
  float score = 0.f;         // Σ log p, or of a finished text that over length^length_penalty
  int32_t parent = 0;        // the beam before this step that it goes on from
};

class BeamSearch {
 public:
  // `most`: how many tokens may be generated. `endings` must outlive it.
  BeamSearch(const GenerationOptions& options, const Endings& endings, int64_t most);

  // Of the scores log p of the next token, one row of the vocabulary's size for each running beam. `random` draws the
  // candidates (without replacement, by their probabilities) where it is not null.
  void advance(std::span<const std::vector<float>> rows, Random* random = nullptr);

  const std::vector<Beam>& running() const { return running_; }
  // The finished texts, best first; at most as many as beams.
  std::vector<Beam> finished() const;
  bool done() const { return done_; }

 private:
  struct Candidate : Beam {
    bool ends = false;
  };
  struct Finished : Beam {
    bool is_text = false;  // otherwise it keeps a place
  };
  std::vector<Candidate> candidates(std::span<const std::vector<float>> rows, Random* random) const;
  void finish(std::span<const Candidate> candidates);
  bool all_places_taken() const;

  const GenerationOptions options_;
  const Endings& endings_;
  int64_t most_, length_ = 0;  // generated so far
  std::vector<Beam> running_;
  std::vector<Finished> finished_;
  bool improvable_ = true;  // a running beam may still enter the finished texts
  bool done_ = false;
};

}  // namespace glass
