// Config: what a model is, read from a checkpoint's config.json and validated once. Everything below trusts it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"

namespace glass {

enum class Kind {
  encoder,          // every token sees every other
  decoder,          // a token sees itself and what came before
  encoder_decoder,  // a decoder that also reads an encoder's output
};

// What sits on the last hidden states.
enum class Task {
  none,                     // plain model: hidden states only (and the pooler's output where there is one)
  masked_lm,                // logits over the vocabulary at every position
  sequence_classification,  // logits over the labels, one row a text
  token_classification,     // logits over the labels at every position
  language_model,           // logits over the vocabulary for the token that follows each position
};

enum class Positions {
  learned,            // a table, as BERT has it
  sinusoidal,         // sines on even, cosines on odd columns, Vaswani et al. 2017, section 3.5
  sinusoidal_halves,  // sines on the first half of the columns, cosines on the second, as Marian has it
  rotary,             // queries and keys turned by angles that grow with the position, Su et al. 2021, section 3.2
  relative,           // a bias on the scores by the distance of key and query, Raffel et al. 2020, section 2.1
};

// Where a token's position comes from.
enum class PositionIds {
  index,  // its place in the sequence
  mask,   // how many real tokens stand before it, by the mask (OPT)
  ids,    // the same by ids that are not the padding's (RoBERTa); padding has `pad_id` as its position
};

enum class NormKind {
  layer,  // Ba et al. 2016
  rms,    // Zhang & Sennrich 2019: no mean is taken off, no bias
};

// What a layer's self-attention is.
enum class AttentionKind {
  full,       // Vaswani et al. 2017
  lsh,        // among tokens of one bucket, keys being queries of unit length: Kitaev et al. 2020, section 2
  linformer,  // through keys and values whose positions are projected: Wang et al. 2020
};

// Which parts of a Linformer share a projection; heads always do (Wang et al. 2020, section 4).
enum class LinformerShare { headwise, key_value, layerwise };

// How a text becomes one vector for classification.
enum class Pooling {
  first,        // token 0 as it is
  first_dense,  // token 0 through dense + activation
  mean,         // mean over the real tokens
};

// The sizes of a stack of layers.
struct StackShape {
  int64_t n_layers = 0, n_heads = 0, head_size = 0, feed_forward_size = 0;
  int64_t n_key_heads = 0;  // fewer than n_heads where heads share keys and values (Ainslie et al. 2023)
};

struct Config {
  std::string family;  // "bert", "gpt2", …
  Kind kind = Kind::encoder;
  Task task = Task::none;

  int64_t vocab_size = 0, embedding_size = 0, hidden_size = 0;
  StackShape encoder, decoder;             // those that the kind has
  int64_t max_positions = 0, n_types = 0;  // n_types 0: no segment embeddings
  Activation activation = Activation::gelu;
  float norm_eps = 1e-12f;

  // ---- layers
  NormKind norm = NormKind::layer;
  bool norm_affine = true;         // norms have weights, and biases where they are layer norms
  bool attention_bias = true;      // of the projections to queries, keys and values
  bool attention_out_bias = true;  // of the projection of the joined heads
  bool feed_forward_bias = true;
  bool gated = false;                             // activation(gate(x)) · in(x), Shazeer 2020
  bool parallel_residual = false;                 // attention and feed-forward both read the layer's input
  int64_t n_layer_groups = 0;                     // layers of a group share their weights (ALBERT); 0: none do
  bool scale_attention = true;                    // scores times 1/√head_size
  bool scale_by_layer = false;                    // and times 1/(l + 1) (GPT-2's scale_attn_by_inverse_layer_idx)
  AttentionKind attention = AttentionKind::full;  // of tokens to their own sequence
  int64_t lsh_rounds = 4, lsh_buckets = 16, lsh_chunk_length = 0;  // chunk length 0: by the text's length, see ops/lsh.h
  uint64_t attention_seed = 0;                                     // of the rotations: layer l draws from attention_seed + l
  int64_t linformer_k = 0;                                         // rows that keys and values are projected to
  LinformerShare linformer_share = LinformerShare::headwise;
  bool reversible = false;  // layers on two streams: Gomez et al. 2017, Kitaev et al. 2020, section 3
  // How the projections to queries, keys and values lie in a checkpoint.
  enum class Projections {
    apart,       // three matrices
    joined,      // one, all queries before all keys before all values (GPT-2)
    interleaved  // one, head by head (GPT-NeoX)
  } projections = Projections::apart;

  // ---- positions
  PositionIds position_ids = PositionIds::index;
  int64_t position_offset = 0;                 // rows of the table before that of position 0
  bool late_positions = false;                 // added after the projection to hidden_size (OPT)
  std::vector<float> rotary_frequencies;       // radians a token, one for each pair of turned dimensions
  int64_t n_buckets = 32, max_distance = 128;  // of relative positions
  int64_t sliding_window = 0;                  // a token sees so many tokens, itself among them; 0: all

  bool norm_first = false;       // pre-norm: x + f(norm(x)); otherwise post-norm: norm(x + f(x))
  bool final_norm = false;       // a norm after the last layer
  bool embedding_norm = true;    // a norm on the sum of embeddings
  bool embedding_scale = false;  // word embeddings times √hidden_size, Vaswani et al. 2017, section 3.4
  Positions positions = Positions::learned;
  bool projected = false;       // a projection from embedding_size to hidden_size even where they are equal (ALBERT)
  bool projection_bias = true;  // of it
  bool project_out = false;     // and back again after the last layer (OPT)

  // ---- heads
  bool tied = true;          // logits from the word table; otherwise from a table of their own
  bool logits_bias = false;  // added to a language model's logits (Marian, BART)
  float logits_scale = 1.f;  // of the decoder's output before the word table (T5)
  bool pooler = false;       // the plain model also gives a pooled output: tanh(dense(token 0))
  Pooling pooling = Pooling::first;
  Activation pooling_activation = Activation::tanh;  // of first_dense
  Activation head_activation = Activation::gelu;     // of the masked-LM head's dense layer
  std::vector<std::string> labels;                   // names of the classes

  float hidden_dropout = 0.f, attention_dropout = 0.f, classifier_dropout = 0.f;
  float activation_dropout = 0.f;   // inside the feed-forward
  float initializer_range = 0.02f;  // standard deviation of a new model's matrices and tables
  int32_t pad_id = 0;               // −1: none
  int32_t decoder_start_id = 0;     // what an encoder–decoder's target begins with

  // The stack that a model of one stack has, and the one that gives an encoder–decoder's output.
  const StackShape& stack() const { return kind == Kind::encoder ? encoder : decoder; }
  int64_t n_labels() const { return static_cast<int64_t>(labels.size()); }
};

// By the names that transformers uses; nothing for one that is not computed here.
std::optional<Activation> activation_of_name(std::string_view name);

// Reads a config.json. Throws Error(bad_config) for a missing, ill-typed or impossible value and Error(unsupported) for a
// setting that is not computed here, naming the key, what was expected and what came.
Config parse_config(std::string_view json);

}  // namespace glass
