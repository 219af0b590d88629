#include "generate/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "io/text.h"
#include "tensor/error.h"

namespace glass {
namespace {

// Settings of generation_config.json that change what comes out and are not computed here, with the JSON texts at which they
// change nothing.
struct Refused {
  std::string_view key;
  std::array<std::string_view, 2> harmless;
};
constexpr Refused kRefused[] = {
    {"num_return_sequences", {"1"}},
    {"num_beam_groups", {"1"}},
    {"diversity_penalty", {"0.0", "0"}},
    {"penalty_alpha", {"0.0", "0"}},
    {"guidance_scale", {"1.0", "1"}},
    {"encoder_repetition_penalty", {"1.0", "1"}},
    {"encoder_no_repeat_ngram_size", {"0"}},
    {"typical_p", {"1.0", "1"}},
    {"min_p", {"0.0", "0"}},
    {"epsilon_cutoff", {"0.0", "0"}},
    {"eta_cutoff", {"0.0", "0"}},
    {"top_h", {}},
    {"sequence_bias", {}},
    {"exponential_decay_length_penalty", {}},
    {"constraints", {}},
    {"force_words_ids", {}},
    {"watermarking_config", {}},
    {"remove_invalid_values", {"false"}},
    {"token_healing", {"false"}},
    {"dola_layers", {}},
    {"max_time", {}},
};

// Settings that change nothing here: of the cache, of assistants and of what transformers returns.
constexpr std::string_view kIgnored[] = {
    "_from_model_config",
    "_commit_hash",
    "transformers_version",
    "use_cache",
    "cache_implementation",
    "cache_config",
    "max_cache_len",
    "low_memory",
    "output_attentions",
    "output_hidden_states",
    "output_scores",
    "output_logits",
    "return_dict_in_generate",
    "is_assistant",
    "num_assistant_tokens",
    "num_assistant_tokens_schedule",
    "assistant_confidence_threshold",
    "assistant_early_exit",
    "assistant_lookbehind",
    "target_lookbehind",
    "assistant_ensemble_weight",
    "prompt_lookup_num_tokens",
    "max_matching_ngram_size",
    "speculation_type",
    "use_mtp",
    "compile_config",
    "disable_compile",
    "prefill_chunk_size",
    "continuous_batching_config",
};

// Reads settings from a file, under transformers' names, or from a call, under the public interface's.
class Reader {
 public:
  Reader(const JsonObject& json, const Config& config, bool is_call)
      : json_(json),
        is_call_(is_call),
        // Files name tokens that their model lacks (tiny ones made from large ones do): such a token never comes.
        ids_{0, is_call ? config.vocab_size - 1 : std::numeric_limits<int32_t>::max()},
        keys_(json.keys()) {}

  void integer(std::string_view name, int64_t& value, IntegerRange range) const {
    value = json_.integer(key(name), range, value);
  }
  void number(std::string_view name, float& value, NumberRange range) const {
    value = static_cast<float>(json_.number(key(name), range, static_cast<double>(value)));
  }
  void boolean(std::string_view name, bool& value) const { value = json_.boolean(key(name), value); }
  void id(std::string_view name, int32_t& value) const { id(name, value, ids_); }
  // Files may say −1 for none, as the first LLaMA's do; a call has null for that.
  void padding(int32_t& value) const { id("pad_token_id", value, {is_call_ ? 0 : -1, ids_.max}); }
  void ids(std::string_view name, std::vector<int32_t>& value) const {
    if (turned_off(name)) value.clear();
    if (!json_.has(key(name))) return;
    const std::vector<int64_t> read = json_.integers(key(name), ids_);
    value.assign(read.begin(), read.end());
  }
  void lists(std::string_view name, std::vector<std::vector<int32_t>>& value) const {
    if (turned_off(name)) value.clear();
    if (!json_.has(key(name))) return;
    value.clear();
    for (const std::vector<int64_t>& run : json_.integer_lists(key(name), ids_)) value.emplace_back(run.begin(), run.end());
  }
  // A list of texts or a single one.
  void texts(std::string_view name, std::vector<std::string>& value) const {
    const std::string given = key(name);
    if (turned_off(name)) value.clear();
    if (!json_.has(given)) return;
    const bool is_one = json_.shown(given).starts_with('"');
    value = is_one ? std::vector<std::string>{json_.string(given)} : json_.strings(given);
  }
  void early_stopping(EarlyStopping& value) const {
    const std::string name = key("early_stopping");
    if (!json_.has(name)) return;
    const std::string shown = json_.shown(name);
    if (shown != "true" && shown != "false" && shown != "\"never\"")
      throw_error(is_call_ ? ErrorCode::bad_input : ErrorCode::bad_config,
                  {json_.where(), ": ", in_quotes(name), ": expected true, false or \"never\", got ", shown});
    value = shown == "true" ? EarlyStopping::yes : shown == "false" ? EarlyStopping::no : EarlyStopping::never;
  }
  void seed(uint64_t& value) const { value = static_cast<uint64_t>(json_.integer("seed", {0, int64_t{1} << 53}, 0)); }

 private:
  void id(std::string_view name, int32_t& value, IntegerRange range) const {
    if (turned_off(name)) value = -1;
    value = static_cast<int32_t>(json_.integer(key(name), range, value));
  }
  // "max_new_tokens" → "maxNewTokens" in a call.
  std::string key(std::string_view name) const {
    if (!is_call_) return std::string(name);
    if (name == "num_beams") return "beams";
    if (name == "stop_strings") return "stop";
    std::string camel;
    for (size_t i = 0; i < name.size(); ++i)
      camel += name[i] == '_' ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[++i]))) : name[i];
    return camel;
  }
  // In a call null says something: not what the files say.
  bool turned_off(std::string_view name) const {
    const std::string given = key(name);
    return is_call_ && std::find(keys_.begin(), keys_.end(), given) != keys_.end() && !json_.has(given);
  }

  const JsonObject& json_;
  bool is_call_;
  IntegerRange ids_;
  std::vector<std::string> keys_;
};

constexpr double kSmallest = 1e-6;  // of what must be positive

void read(const Reader& r, GenerationOptions& o) {
  constexpr IntegerRange kLengths{0, 1 << 24};
  r.integer("max_new_tokens", o.max_new_tokens, {1, 1 << 24});
  r.integer("min_new_tokens", o.min_new_tokens, kLengths);
  r.boolean("do_sample", o.do_sample);
  r.number("temperature", o.temperature, {kSmallest, 1e6});
  r.integer("top_k", o.top_k, {0, 1 << 30});
  r.number("top_p", o.top_p, {0, 1});
  r.integer("num_beams", o.beams, {1, 1024});
  r.number("length_penalty", o.length_penalty, {-100, 100});
  r.early_stopping(o.early_stopping);
  r.number("repetition_penalty", o.repetition_penalty, {kSmallest, 1e6});
  r.integer("no_repeat_ngram_size", o.no_repeat_ngram_size, kLengths);
  r.ids("suppress_tokens", o.suppress_tokens);
  r.ids("begin_suppress_tokens", o.begin_suppress_tokens);
  r.lists("bad_words_ids", o.bad_words_ids);
  r.boolean("renormalize_logits", o.renormalize_logits);
  r.id("forced_bos_token_id", o.forced_bos_token_id);
  r.ids("forced_eos_token_id", o.forced_eos_token_id);
  r.ids("eos_token_id", o.eos_token_id);
  r.id("bos_token_id", o.bos_token_id);
  r.padding(o.pad_token_id);
  r.id("decoder_start_token_id", o.decoder_start_token_id);
  r.texts("stop_strings", o.stop_strings);
  r.integer("max_length", o.max_length, {1, 1 << 24});
  r.integer("min_length", o.min_length, kLengths);
}

void refuse_unsupported(const JsonObject& json) {
  for (const Refused& refused : kRefused) {
    if (!json.has(refused.key)) continue;
    const std::string shown = json.shown(refused.key);
    if (std::find(refused.harmless.begin(), refused.harmless.end(), shown) != refused.harmless.end()) continue;
    throw_error(ErrorCode::unsupported,
                {json.where(), ": ", refused.key, " ", shown, " is not supported in generation, expected none"});
  }
}

void read_file(std::string_view text, std::string_view name, const Config& config, bool only_settings, GenerationOptions& o) {
  const JsonObject json = JsonObject::parse(text, name);
  read(Reader(json, config, false), o);
  refuse_unsupported(json);
  if (!only_settings) return;
  for (const std::string& key : json.unread())
    if (std::find(std::begin(kIgnored), std::end(kIgnored), key) == std::end(kIgnored))
      throw_error(ErrorCode::unsupported, {json.where(), ": ", in_quotes(key), " is not known as a setting of generation"});
}

// Tokens that come whatever the model says.
std::vector<int32_t> tokens_put(const Config& config, const GenerationOptions& o) {
  std::vector<int32_t> ids = o.forced_eos_token_id;
  ids.push_back(o.forced_bos_token_id);
  if (config.kind == Kind::encoder_decoder) ids.push_back(o.decoder_start_token_id);
  return ids;
}

// What is wrong with a call is bad input to whoever called.
template <typename Body>
decltype(auto) as_input(Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_config) throw;
    throw_error(ErrorCode::bad_input, {error.what()});
  }
}

}  // namespace

GenerationOptions read_generation_options(const Config& config, std::string_view config_json,
                                          std::string_view generation_config_json, const JsonObject& call) {
  GenerationOptions o;
  const bool has_own = !generation_config_json.empty();
  read_file(has_own ? generation_config_json : config_json, has_own ? "generation_config.json" : "config.json", config, has_own,
            o);
  as_input([&] {
    const Reader reader(call, config, true);
    const int64_t new_tokens = o.max_new_tokens;
    read(reader, o);
    if (call.has("maxLength") && !call.has("maxNewTokens") && new_tokens > 0) o.max_new_tokens = 0;  // the call goes first
    reader.seed(o.seed);
    o.top = call.integer("top", {0, 1 << 20}, o.top);
    o.cache = call.boolean("cache", o.cache);
    if (!o.cache && o.beams > 1)
      throw_error(ErrorCode::bad_input, {"cache: expected true with beams, got false with ", o.beams});
  });
  if (config.kind == Kind::encoder_decoder && o.decoder_start_token_id < 0)
    o.decoder_start_token_id = o.bos_token_id >= 0 ? o.bos_token_id : config.decoder_start_id;
  if (config.kind == Kind::encoder_decoder && o.decoder_start_token_id < 0)
    throw_error(ErrorCode::bad_config, {"generation: expected a decoder_start_token_id or a bos_token_id, there is none"});
  for (const int32_t id : tokens_put(config, o))
    if (id >= config.vocab_size)
      throw_error(ErrorCode::bad_config, {"generation: expected start tokens and forced tokens below ", config.vocab_size,
                                          ", the vocabulary's size, got ", id});
  return o;
}

JsonObject parse_call(std::string_view text) {
  return as_input([&] { return JsonObject::parse(text, "options"); });
}

void refuse_unknown(const JsonObject& call) {
  const std::vector<std::string> unread = call.unread();
  if (!unread.empty())
    throw_error(ErrorCode::bad_input, {call.where(), ": ", in_quotes(unread.front()), " is not an option of generate"});
}

GenerationOptions parse_generation_options(const Config& config, std::string_view config_json,
                                           std::string_view generation_config_json, std::string_view call_text) {
  const JsonObject call = parse_call(call_text);
  GenerationOptions options = read_generation_options(config, config_json, generation_config_json, call);
  refuse_unknown(call);
  return options;
}

}  // namespace glass
