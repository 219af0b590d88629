// A checkpoint family: what its config keys mean and what its tensors are called. One small file each, nothing else in it.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "model/config.h"
#include "model/names.h"

namespace glass {

// A tensor of files that is expected to be a copy of a parameter, both by their names without the prefix.
struct Tie {
  std::string_view copy, original;
  bool of_head = true;  // looked at only where the model has a tied head; otherwise always
  bool fills = false;   // of an untied head that a file lacks: begins as the original, as transformers fills it
};

struct Family {
  std::string_view name;    // `model_type` in config.json
  std::string_view prefix;  // before the body's tensors in files of models with a head: "bert."
  Config (*parse)(const JsonObject& json);
  std::span<const NameRule> body;                // names without the prefix
  std::span<const NameRule> (*head)(Task task);  // full names
  // Tensors that a config explains and a run does not need: copies of tied weights, buffers, heads of other tasks;
  // with * for any run of characters.
  std::span<const std::string_view> ignored;
  // Of those ignored, what must equal a parameter where the head is tied: one with a table of its own computes something else.
  std::span<const Tie> ties;
  bool transposed = false;  // matrices of the layers are stored [in, out]
  // Standard deviation of a new model's matrix or table by the name that layers ask for it; null: initializer_range for all.
  float (*spread)(const Config& config, std::string_view name) = nullptr;
};

extern const Family kBert, kDistilBert, kRoberta, kAlbert, kElectra;  // encoders
extern const Family kGpt2, kOpt, kGptNeoX, kLlama, kMistral, kQwen2;  // decoders
extern const Family kMarian, kBart, kT5;                              // encoder–decoders
extern const Family kGlassformer;                                     // our own

// Throws Error(unsupported) naming the families there are.
const Family& family_of(std::string_view model_type);

// ---- Single keys (families/keys.cpp). Out of range is Error(bad_config), not computed here Error(unsupported) -----------

[[noreturn]] void refuse(const JsonObject& json, std::string_view key, std::string_view expected);
void refuse_true(const JsonObject& json, std::initializer_list<std::string_view> keys);
// Sizes, none beyond what any model of these families has, so that products stay far from overflow.
int64_t read_width(const JsonObject& json, std::string_view key, int64_t fallback);
int64_t read_entries(const JsonObject& json, std::string_view key, int64_t fallback, int64_t least = 1);
int64_t read_layers(const JsonObject& json, std::string_view key, int64_t fallback);
float read_rate(const JsonObject& json, std::string_view key, double fallback);    // of dropout
float read_eps(const JsonObject& json, std::string_view key, double fallback);     // of norms
float read_spread(const JsonObject& json, std::string_view key, double fallback);  // standard deviation
// An id below vocab_size; the fallback may be −1 for none.
int32_t read_token(const JsonObject& json, std::string_view key, int64_t vocab_size, int64_t fallback);
// pad_token_id, where −1 says none, as in the first LLaMA's configs: it changes nothing that transformers computes.
int32_t read_pad_token(const JsonObject& json, int64_t vocab_size, int64_t fallback);
// There, and null: which a few keys tell from absent.
bool is_null(const JsonObject& json, std::string_view key);

// whole / parts. Throws Error(bad_config) naming both keys where there is a rest.
int64_t divided(const JsonObject& json, std::string_view whole_key, int64_t whole, std::string_view parts_key, int64_t parts);

// architectures: ["BertForMaskedLM"] → the task. `names` pairs an architecture with its task; none given: the plain model.
struct Architecture {
  std::string_view name;
  Task task;
};
Task read_task(const JsonObject& json, std::span<const Architecture> names);

// An activation's name, as transformers spells it. Throws Error(unsupported) listing those computed here.
Activation read_activation(const JsonObject& json, std::string_view key, std::string_view fallback);

// Class names in order of their ids, from id2label or num_labels.
std::vector<std::string> read_labels(const JsonObject& json);

// position_embedding_type may only be "absolute" in checkpoints of transformers.
void refuse_relative_positions(const JsonObject& json);
// Pruned heads and quantised weights.
void refuse_changed_weights(const JsonObject& json);

// Rotary frequencies for heads of that size, of which `part` is turned where the config does not say; the kinds "default",
// "linear" (Chen et al. 2023) and "llama3" (Llama 3.1), in old and new spelling. In double, rounded once. A config that turns
// only a part is refused where `part` is 1: those families turn whole heads.
std::vector<float> read_rotary(const JsonObject& json, int64_t head_size, double part = 1);

// ---- What families have in common --------------------------------------------------------------------------------------

// The keys that BERT-like configs share, with the given defaults. Refuses settings that change what is computed and are not
// implemented: decoders, untied tables, changed weights (families/common.cpp).
struct Defaults {
  int64_t vocab_size, hidden_size, n_layers, n_heads, feed_forward_size, max_positions, n_types;
  bool any_kind = false;  // is_decoder and is_encoder_decoder are the family's own
};
Config read_encoder(const JsonObject& json, std::string_view family, const Defaults& defaults);

// Layers and heads as BERT names them, shared by the families derived from it.
extern const std::span<const NameRule> kBertBody;
std::span<const NameRule> bert_head(Task task);
// The classifiers of RoBERTa's models, which ELECTRA's have too: of texts two layers, of tokens one.
std::span<const NameRule> roberta_classifier(Task task);

// Llama's keys, which Mistral's and Qwen2's models share, and its names (families/llama.cpp).
Config read_llama(const JsonObject& json, std::string_view family, int64_t key_heads, std::span<const Architecture> names);
extern const std::span<const NameRule> kLlamaBody;
std::span<const NameRule> llama_head(Task task);
extern const std::span<const std::string_view> kLlamaIgnored;
extern const std::span<const Tie> kLlamaTies;

// BART's keys, which Marian's models share, and its names (families/bart.cpp).
Config read_bart(const JsonObject& json, std::string_view family, const Defaults& defaults,
                 std::span<const Architecture> names);
extern const std::span<const NameRule> kBartBody;
std::span<const NameRule> bart_head(Task task);
extern const std::span<const Tie> kBartTies;

}  // namespace glass
