// Config: what a model is, read from a checkpoint's config.json and validated once. Everything below trusts it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"

namespace glass {

// What sits on the last hidden states.
enum class Task {
  none,                     // plain model: hidden states only (and the pooler's output where there is one)
  masked_lm,                // logits over the vocabulary at every position
  sequence_classification,  // logits over the labels, one row a text
  token_classification,     // logits over the labels at every position
};

enum class Positions {
  learned,     // a table, as BERT has it
  sinusoidal,  // sines on even, cosines on odd columns, Vaswani et al. 2017, section 3.5
};

// How a text becomes one vector for classification.
enum class Pooling {
  first,        // token 0 as it is
  first_dense,  // token 0 through dense + activation
  mean,         // mean over the real tokens
};

struct Config {
  std::string family;  // "bert", "electra", "glassformer"
  Task task = Task::none;

  int64_t vocab_size = 0, embedding_size = 0, hidden_size = 0, n_layers = 0, n_heads = 0, feed_forward_size = 0;
  int64_t max_positions = 0, n_types = 0;  // n_types 0: no segment embeddings
  Activation activation = Activation::gelu;
  float norm_eps = 1e-12f;

  bool norm_first = false;       // pre-norm: x + f(norm(x)); otherwise post-norm: norm(x + f(x))
  bool final_norm = false;       // a norm after the last layer
  bool embedding_norm = true;    // a norm on the sum of embeddings
  bool embedding_scale = false;  // word embeddings times √hidden_size, Vaswani et al. 2017, section 3.4
  Positions positions = Positions::learned;

  bool pooler = false;  // the plain model also gives a pooled output: tanh(dense(token 0))
  Pooling pooling = Pooling::first;
  Activation pooling_activation = Activation::tanh;  // of first_dense
  Activation head_activation = Activation::gelu;     // of the masked-LM head's dense layer
  std::vector<std::string> labels;                   // names of the classes

  float hidden_dropout = 0.f, attention_dropout = 0.f, classifier_dropout = 0.f;
  float initializer_range = 0.02f;  // standard deviation of a new model's matrices and tables
  int32_t pad_id = 0;

  int64_t head_size() const { return hidden_size / n_heads; }
  int64_t n_labels() const { return static_cast<int64_t>(labels.size()); }
};

// By the names that transformers uses; nothing for one that is not computed here.
std::optional<Activation> activation_of_name(std::string_view name);

// Reads a config.json. Throws Error(bad_config) for a missing, ill-typed or impossible value and Error(unsupported) for a
// setting that is not computed here, naming the key, what was expected and what came.
Config parse_config(std::string_view json);

}  // namespace glass
