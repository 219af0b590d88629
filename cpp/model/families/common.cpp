#include <algorithm>
#include <map>

#include "io/text.h"
#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {
namespace {

// More than any model of these families, little enough that products stay far from overflow.
constexpr int64_t kMostWidth = 1 << 20, kMostEntries = 1 << 24, kMostLayers = 1024;

[[noreturn]] void refuse(const JsonObject& json, std::string_view key, const std::string& expected) {
  throw Error(ErrorCode::unsupported,
              json.where() + ": " + std::string(key) + " " + json.shown(key) + " is not supported, expected " + expected);
}

void refuse_true(const JsonObject& json, std::string_view key) {
  if (json.boolean(key, false)) refuse(json, key, "false");
}

// Class names in order of their ids, from id2label or num_labels.
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
      throw Error(ErrorCode::bad_config, json.where() + ": id2label: expected the keys \"0\" to \"" +
                                             std::to_string(count - 1) + "\", \"" + std::to_string(i) + "\" is missing");
    labels.push_back(found->second);
  }
  return labels;
}

}  // namespace

int64_t divided(const JsonObject& json, std::string_view whole_key, int64_t whole, std::string_view parts_key, int64_t parts) {
  if (whole % parts == 0) return whole / parts;
  throw Error(ErrorCode::bad_config, json.where() + ": " + std::string(whole_key) + " " + std::to_string(whole) +
                                         " is not a multiple of " + std::string(parts_key) + " " + std::to_string(parts));
}

void refuse_relative_positions(const JsonObject& json) {
  if (json.string("position_embedding_type", "absolute") != "absolute") refuse(json, "position_embedding_type", "\"absolute\"");
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
  refuse(json, key, "\"relu\", \"gelu\", \"gelu_new\", \"gelu_pytorch_tanh\", \"silu\" or \"tanh\"");
}

Config read_encoder(const JsonObject& json, std::string_view family, const Defaults& d) {
  for (const std::string_view key : {"is_decoder", "add_cross_attention", "is_encoder_decoder"}) refuse_true(json, key);
  if (!json.boolean("tie_word_embeddings", true)) refuse(json, "tie_word_embeddings", "true");
  for (const std::string_view key : {"pruned_heads", "quantization_config"})
    if (json.has(key) && !json.object(key).keys().empty()) refuse(json, key, "none");

  Config c;
  c.family = family;
  c.vocab_size = json.integer("vocab_size", {1, kMostEntries}, d.vocab_size);
  c.hidden_size = json.integer("hidden_size", {1, kMostWidth}, d.hidden_size);
  c.embedding_size = c.hidden_size;
  c.encoder.n_layers = json.integer("num_hidden_layers", {1, kMostLayers}, d.n_layers);
  c.encoder.n_heads = c.encoder.n_key_heads = json.integer("num_attention_heads", {1, kMostWidth}, d.n_heads);
  c.encoder.feed_forward_size = json.integer("intermediate_size", {1, kMostWidth}, d.feed_forward_size);
  c.max_positions = json.integer("max_position_embeddings", {1, kMostEntries}, d.max_positions);
  c.n_types = json.integer("type_vocab_size", {0, kMostEntries}, d.n_types);
  c.encoder.head_size = divided(json, "hidden_size", c.hidden_size, "num_attention_heads", c.encoder.n_heads);
  c.activation = read_activation(json, "hidden_act", "gelu");
  c.norm_eps = static_cast<float>(json.number("layer_norm_eps", {0, 1}, 1e-12));
  c.hidden_dropout = static_cast<float>(json.number("hidden_dropout_prob", {0, 0.999}, 0.1));
  c.attention_dropout = static_cast<float>(json.number("attention_probs_dropout_prob", {0, 0.999}, 0.1));
  c.classifier_dropout = static_cast<float>(json.number("classifier_dropout", {0, 0.999}, c.hidden_dropout));
  c.initializer_range = static_cast<float>(json.number("initializer_range", {0, 10}, 0.02));
  c.pad_id = static_cast<int32_t>(json.integer("pad_token_id", {0, c.vocab_size - 1}, 0));
  c.labels = read_labels(json);
  return c;
}

namespace {
constexpr NameRule kBertRules[] = {
    {"embed.word", "embeddings.word_embeddings"},
    {"embed.position", "embeddings.position_embeddings"},
    {"embed.type", "embeddings.token_type_embeddings"},
    {"embed.norm", "embeddings.LayerNorm"},
    {"embed.project", "embeddings_project"},
    {"blocks.{l}.attn.q", "encoder.layer.{l}.attention.self.query"},
    {"blocks.{l}.attn.k", "encoder.layer.{l}.attention.self.key"},
    {"blocks.{l}.attn.v", "encoder.layer.{l}.attention.self.value"},
    {"blocks.{l}.attn.out", "encoder.layer.{l}.attention.output.dense"},
    {"blocks.{l}.norm1", "encoder.layer.{l}.attention.output.LayerNorm"},
    {"blocks.{l}.mlp.in", "encoder.layer.{l}.intermediate.dense"},
    {"blocks.{l}.mlp.out", "encoder.layer.{l}.output.dense"},
    {"blocks.{l}.norm2", "encoder.layer.{l}.output.LayerNorm"},
    {"final_norm", "encoder.norm"},
    {"pooler", "pooler.dense"},
};
}  // namespace

const std::span<const NameRule> kBertBody = kBertRules;

std::span<const NameRule> bert_head(Task) {
  static constexpr NameRule kRules[] = {
      {"head.dense", "cls.predictions.transform.dense"},
      {"head.norm", "cls.predictions.transform.LayerNorm"},
      {"head.bias", "cls.predictions.bias"},
      {"head.logits", "classifier"},
  };
  return kRules;
}

const Family& family_of(std::string_view model_type) {
  for (const Family* family : {&kBert, &kElectra, &kGlassformer})
    if (family->name == model_type) return *family;
  throw Error(ErrorCode::unsupported, "config.json: model_type " + in_quotes(model_type) +
                                          " is not supported, expected \"bert\", \"electra\" or \"glassformer\"");
}

Config parse_config(std::string_view text) {
  const JsonObject json = JsonObject::parse(text, "config.json");
  return family_of(json.string("model_type")).parse(json);
}

}  // namespace glass
