// Reading single config keys, with the limits and refusals that every family shares.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "io/text.h"
#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {

void refuse(const JsonObject& json, std::string_view key, std::string_view expected) {
  throw_error(ErrorCode::unsupported,
              {json.where(), ": ", key, " ", json.shown(key), " is not supported, expected ", expected});
}

void refuse_true(const JsonObject& json, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (json.boolean(key, false)) refuse(json, key, "false");
}

int64_t read_width(const JsonObject& json, std::string_view key, int64_t fallback) {
  return json.integer(key, {1, 1 << 20}, fallback);
}
int64_t read_entries(const JsonObject& json, std::string_view key, int64_t fallback, int64_t least) {
  return json.integer(key, {least, 1 << 24}, fallback);
}
int64_t read_layers(const JsonObject& json, std::string_view key, int64_t fallback) {
  return json.integer(key, {1, 1024}, fallback);
}
float read_rate(const JsonObject& json, std::string_view key, double fallback) {
  return static_cast<float>(json.number(key, {0, 0.999}, fallback));
}
float read_eps(const JsonObject& json, std::string_view key, double fallback) {
  return static_cast<float>(json.number(key, {0, 1}, fallback));
}
float read_spread(const JsonObject& json, std::string_view key, double fallback) {
  return static_cast<float>(json.number(key, {0, 10}, fallback));
}
int32_t read_token(const JsonObject& json, std::string_view key, int64_t vocab_size, int64_t fallback) {
  return static_cast<int32_t>(json.integer(key, {0, vocab_size - 1}, fallback));
}
int32_t read_pad_token(const JsonObject& json, int64_t vocab_size, int64_t fallback) {
  return static_cast<int32_t>(json.integer("pad_token_id", {-1, vocab_size - 1}, fallback));
}

bool is_null(const JsonObject& json, std::string_view key) {
  const std::vector<std::string> keys = json.keys();
  return !json.has(key) && std::find(keys.begin(), keys.end(), key) != keys.end();
}

int64_t divided(const JsonObject& json, std::string_view whole_key, int64_t whole, std::string_view parts_key, int64_t parts) {
  if (whole % parts == 0) return whole / parts;
  throw_error(ErrorCode::bad_config,
              {json.where(), ": ", whole_key, " ", whole, " is not a multiple of ", parts_key, " ", parts});
}

Task read_task(const JsonObject& json, std::span<const Architecture> names) {
  const std::vector<std::string> given = json.strings("architectures");
  if (given.empty()) return Task::none;
  const auto found = std::find_if(names.begin(), names.end(), [&](const Architecture& a) { return a.name == given.front(); });
  if (found != names.end()) return found->task;
  std::vector<std::string> known;
  for (const Architecture& a : names) known.emplace_back(a.name);
  refuse(json, "architectures", join_names(known));
}

std::optional<Activation> activation_of_name(std::string_view name) {
  static constexpr std::pair<std::string_view, Activation> kKnown[] = {
      {"relu", Activation::relu},          {"gelu", Activation::gelu},
      {"gelu_new", Activation::gelu_tanh}, {"gelu_pytorch_tanh", Activation::gelu_tanh},
      {"silu", Activation::silu},          {"swish", Activation::silu},
      {"tanh", Activation::tanh},
  };
  for (const auto& [known, activation] : kKnown)
    if (known == name) return activation;
  return std::nullopt;
}

Activation read_activation(const JsonObject& json, std::string_view key, std::string_view fallback) {
  if (const std::optional<Activation> known = activation_of_name(json.string(key, fallback))) return *known;
  refuse(json, key, "\"relu\", \"gelu\", \"gelu_new\", \"gelu_pytorch_tanh\", \"silu\", \"swish\" or \"tanh\"");
}

std::vector<std::string> read_labels(const JsonObject& json) {
  const std::map<std::string, std::string> named = json.string_map("id2label");
  const int64_t count = named.empty() ? json.integer("num_labels", {1, 1 << 16}, 2) : static_cast<int64_t>(named.size());
  std::vector<std::string> labels;
  for (int64_t i = 0; i < count; ++i) {
    if (named.empty()) {
      labels.push_back("LABEL_" + std::to_string(i));
      continue;
    }
    const auto found = named.find(std::to_string(i));
    if (found == named.end())
      throw_error(ErrorCode::bad_config,
                  {json.where(), ": id2label: expected the keys \"0\" to \"", count - 1, "\", \"", i, "\" is missing"});
    labels.push_back(found->second);
  }
  return labels;
}

void refuse_relative_positions(const JsonObject& json) {
  if (json.string("position_embedding_type", "absolute") != "absolute") refuse(json, "position_embedding_type", "\"absolute\"");
}

void refuse_changed_weights(const JsonObject& json) {
  for (const std::string_view key : {"pruned_heads", "quantization_config"})
    if (json.has(key) && !json.object(key).keys().empty()) refuse(json, key, "none");
}

namespace {

// Old configs keep the kind and its factors in rope_scaling and the base beside it, new ones all in rope_parameters.
struct Rope {
  JsonObject parameters;
  std::string kind;
  double base, part;
};

// Families whose heads are turned as a whole have no key for a part: a config that names one means another computation.
Rope read_rope(const JsonObject& json, double default_part) {
  const bool is_new = json.has("rope_parameters");
  const JsonObject parameters = json.object(is_new ? "rope_parameters" : "rope_scaling");
  const std::string kind = parameters.string("rope_type", parameters.string("type", "default"));
  double base = json.number("rotary_emb_base", {1, 1e12}, 10000);
  base = json.number("rope_theta", {1, 1e12}, base);
  base = parameters.number("rope_theta", {1, 1e12}, base);
  double part = json.number("rotary_pct", {0, 1}, default_part);
  part = json.number("partial_rotary_factor", {0, 1}, part);
  part = parameters.number("partial_rotary_factor", {0, 1}, part);
  if (default_part == 1 && part != 1)
    refuse(parameters.has("partial_rotary_factor") ? parameters : json,
           json.has("rotary_pct") && !json.has("partial_rotary_factor") ? "rotary_pct" : "partial_rotary_factor", "1");
  return {parameters, kind, base, part};
}

}  // namespace

std::vector<float> read_rotary(const JsonObject& json, int64_t head_size, double part) {
  const Rope rope = read_rope(json, part);
  if (rope.kind != "default" && rope.kind != "linear" && rope.kind != "llama3")
    throw_error(ErrorCode::unsupported, {rope.parameters.where(), ": rope_type ", in_quotes(rope.kind),
                                         " is not supported, expected \"default\", \"linear\" or \"llama3\""});
  const int64_t turned = static_cast<int64_t>(static_cast<double>(head_size) * rope.part);
  if (turned % 2 != 0 || turned == 0)
    throw_error(ErrorCode::bad_config,
                {json.where(), ": expected an even number of dimensions to turn, got ", turned, " of ", head_size});
  const double factor = rope.kind == "default" ? 1 : rope.parameters.number("factor", {1e-3, 1e6});
  std::vector<float> frequencies;
  for (int64_t i = 0; i < turned; i += 2) {
    double frequency = 1 / std::pow(rope.base, static_cast<double>(i) / static_cast<double>(turned));
    if (rope.kind == "linear") frequency /= factor;
    if (rope.kind == "llama3") {  // slow waves are stretched, fast ones kept, those between blended
      const double low = rope.parameters.number("low_freq_factor", {1e-6, 1e6}),
                   high = rope.parameters.number("high_freq_factor", {1e-6, 1e6}),
                   context = rope.parameters.number("original_max_position_embeddings", {1, 1e9});
      if (low >= high)
        throw_error(ErrorCode::bad_config, {rope.parameters.where(), ": expected low_freq_factor below high_freq_factor"});
      const double waves = context * frequency / (2 * std::numbers::pi);  // in the original context
      const double kept = std::clamp((waves - low) / (high - low), 0.0, 1.0);
      frequency = (1 - kept) * frequency / factor + kept * frequency;
    }
    frequencies.push_back(static_cast<float>(frequency));
  }
  return frequencies;
}

}  // namespace glass
