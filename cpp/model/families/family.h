// A checkpoint family: what its config keys mean and what its tensors are called. One small file each, nothing else in it.
#pragma once

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

extern const Family kBert, kElectra, kGlassformer;

// Throws Error(unsupported) naming the families there are.
const Family& family_of(std::string_view model_type);

// ---- What the encoder families' configs have in common (families/common.cpp) ---------------------------------------

// architectures: ["BertForMaskedLM"] → the task. `names` pairs an architecture with its task; none given: the plain model.
struct Architecture {
  std::string_view name;
  Task task;
};
Task read_task(const JsonObject& json, std::span<const Architecture> names);

// The keys that BERT-like configs share, with the given defaults. Refuses settings that change what is computed and are not
// implemented: decoders, relative positions, untied tables, pruned heads, quantised weights.
struct Defaults {
  int64_t vocab_size, hidden_size, n_layers, n_heads, feed_forward_size, max_positions, n_types;
};
Config read_encoder(const JsonObject& json, std::string_view family, const Defaults& defaults);

// whole / parts. Throws Error(bad_config) naming both keys where there is a rest.
int64_t divided(const JsonObject& json, std::string_view whole_key, int64_t whole, std::string_view parts_key, int64_t parts);

// An activation's name, as transformers spells it. Throws Error(unsupported) listing those computed here.
Activation read_activation(const JsonObject& json, std::string_view key, std::string_view fallback);

// position_embedding_type may only be "absolute" in checkpoints of transformers.
void refuse_relative_positions(const JsonObject& json);

// Layers and heads as BERT names them, shared by the families derived from it.
extern const std::span<const NameRule> kBertBody;
std::span<const NameRule> bert_head(Task task);

}  // namespace glass
