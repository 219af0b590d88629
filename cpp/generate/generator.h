// Generation: a model goes on with a text, one forward a step, with keys and values of earlier tokens kept.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "generate/beams.h"
#include "generate/endings.h"
#include "generate/logits.h"
#include "generate/options.h"
#include "model/model.h"

namespace glass {

// What is gone on with.
struct Prompt {
  std::vector<int32_t> ids;        // the prompt, or the source for an encoder–decoder
  std::vector<int32_t> mask = {};  // of the source: 1 = real, 0 = padding; empty: all real
  std::vector<int32_t> decoder_ids =
      {};  // what an encoder–decoder's text begins with; its start token is put before it if missing
};

struct TokenChance {
  int32_t id = 0;
  float log_probability = 0.f;  // in the distribution it was chosen from: after all that the options do to it
};

struct Step {
  Tokens read;                   // what the decoder read: the prompt at first, then one token of each beam; [beams, T]
  int64_t past;                  // how many tokens of each text came before those
  Output output;                 // of the forward; logits: [beams, V] for the last token
  TokenChance chosen;            // without beams
  std::vector<TokenChance> top;  // the most probable tokens, without beams
  std::vector<Beam> beams;       // the running ones after this step
};

// The generated text, an end token included, without prompt and start token.
struct Generated {
  std::vector<int32_t> ids;
  float score = 0.f;             // Σ log p / n^length_penalty over its n tokens, of beams and single texts
  std::string_view behind = {};  // bytes of the last token behind the stop string that it completes; the generator has them
};

class Generator {
 public:
  // The model and the arena must outlive it. `texts`: of the model's tokens, where there are stop strings. Throws
  // Error(bad_input) for a prompt that does not fit the model or leaves no room and for stop strings without texts,
  // Error(out_of_memory) with an estimate where keys and values would not fit, before they are allocated, and
  // Error(unsupported) for a model without a language model's head.
  Generator(const Model& model, Arena& arena, GenerationOptions options, Prompt prompt, TokenTexts texts = {});
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  // One forward and one token more. `cx.arena` is the generator's. After an error, and once it has ended, no step follows.
  Step step(const Context& cx);

  Ending ending() const { return ending_; }
  bool done() const { return ending_ != Ending::none; }
  Generated result() const;  // so far: of beams the best finished text, or the best running one
  size_t cache_bytes() const { return state_.bytes(); }
  const GenerationOptions& options() const { return options_; }
  int64_t past() const { return state_.length(); }  // tokens of each text that are kept; 0 without a cache
  int64_t reading() const {                         // tokens of each text that the next step reads
    return past() == 0 ? static_cast<int64_t>(tokens_.size()) : 1;
  }

 private:
  Batch next_batch() const;
  void choose(std::span<float> scores, Step& step);
  void search(const Tensor& logits, Step& step);
  Ending at_last() const { return by_positions_ ? Ending::positions : Ending::length; }  // where no room is left
  bool searches() const { return options_.beams > 1; }
  std::span<const int32_t> generated() const;  // without beams

  const Model& model_;
  const GenerationOptions options_;
  Prompt prompt_;              // decoder_ids: what the decoder reads first, for both kinds
  bool by_positions_ = false;  // the positions end before what the options allow
  Extent extent_;
  Endings endings_;
  DecoderState state_;  // stays empty without a cache
  Random random_;
  BeamSearch search_;
  std::vector<int32_t> tokens_;  // prompt and text, without beams
  double sum_ = 0;               // Σ log p
  Ending ending_ = Ending::none;
};

}  // namespace glass
