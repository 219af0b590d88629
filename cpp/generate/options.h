// How a text is generated: transformers' settings with its defaults, from a model's files and from the call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "model/config.h"

namespace glass {

// When a beam search stops once it has as many finished texts as beams.
enum class EarlyStopping {
  no,     // when the best running beam, were it to end now, would not enter them
  yes,    // at once
  never,  // when no running beam could enter them, however long it grew
};

struct GenerationOptions {
  int64_t max_new_tokens = 0;  // 0: max_length says it
  int64_t max_length = 0;      // with the prompt's (or, beside an encoder, the decoder's given) tokens; 0: 20 new ones
  int64_t min_new_tokens = 0, min_length = 0;  // no end token before

  bool do_sample = false;
  float temperature = 1.f;  // the next three count where do_sample is on
  int64_t top_k = 50;       // 0: off
  float top_p = 1.f;
  uint64_t seed = 0;

  int64_t beams = 1;
  float length_penalty = 1.f;  // a finished text of n tokens scores Σ log p / n^length_penalty
  EarlyStopping early_stopping = EarlyStopping::no;

  float repetition_penalty = 1.f;
  int64_t no_repeat_ngram_size = 0;  // no run of so many tokens twice; 0: off
  std::vector<int32_t> suppress_tokens, begin_suppress_tokens;
  std::vector<std::vector<int32_t>> bad_words_ids;  // runs of tokens that must not appear
  bool renormalize_logits = false;                  // scores of beams are of probabilities that sum to 1 after all of this
  int32_t forced_bos_token_id = -1;                 // the token after the first one; −1: none
  std::vector<int32_t> forced_eos_token_id;         // the last one where the greatest length is reached

  std::vector<int32_t> eos_token_id;  // end tokens
  int32_t bos_token_id = -1;          // what an empty prompt begins with; −1: none
  int32_t pad_token_id = -1;          // read and checked; one sequence needs no padding
  int32_t decoder_start_token_id = -1;
  std::vector<std::string> stop_strings;  // end a text with the token that completes one

  int64_t top = 10;   // how many of the most probable tokens a step lists
  bool cache = true;  // false, without beams only: nothing is kept between steps, each computes the whole text anew
};

// From the texts of config.json and generation_config.json (empty where there is none, as in older checkpoints, whose
// config.json has these settings) and from the call, which has the public interface's names (maxNewTokens, beams …) and goes
// before the files; null there turns a setting off. Throws Error(bad_config) for ill-typed or impossible values in the files,
// Error(bad_input) for those in the call, and Error(unsupported) for settings that change results and are not computed here,
// naming them. Members of the call that are not options are left for the caller, see refuse_unknown.
GenerationOptions read_generation_options(const Config& config, std::string_view config_json,
                                          std::string_view generation_config_json, const JsonObject& call);
// The same for a call that holds nothing else.
GenerationOptions parse_generation_options(const Config& config, std::string_view config_json,
                                           std::string_view generation_config_json, std::string_view call);
// The JSON text of a call. Throws Error(bad_input).
JsonObject parse_call(std::string_view text);
// Throws Error(bad_input) naming a member of the call that nobody has read.
void refuse_unknown(const JsonObject& call);

}  // namespace glass
