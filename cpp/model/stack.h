// A stack: the embeddings of one side and its layers. An encoder is one, a decoder is one, an encoder–decoder has two.
#pragma once

#include <string>
#include <vector>

#include "model/batch.h"
#include "model/config.h"
#include "model/layers.h"

namespace glass {

class Stack {
 public:
  // `prefix` begins the names of its parameters: "", "encoder." or "decoder.". The word table is shared by all stacks.
  Stack(const Config& config, const StackShape& shape, bool is_decoder, const Parameter& word, const AskParameter& ask,
        const std::string& prefix);

  // tokens → hidden states after the last norm, [B, T, D]. `memory` is the encoder's output for a decoder that reads one, and
  // `state` what is kept from earlier tokens, null for none. `recompute_every` > 0 keeps the activations of every n-th layer
  // only and recomputes the rest in the backward pass.
  Tensor forward(const Context& cx, const Config& config, const Tokens& tokens, const Tensor& memory,
                 const std::vector<int32_t>& memory_real, DecoderState* state, int recompute_every) const;

 private:
  Tensor embed(const Context& cx, const Config& config, const Tokens& tokens, const std::vector<int32_t>& positions) const;
  Tensor add_positions(const Context& cx, const Config& config, Tensor x, const std::vector<int32_t>& positions) const;
  Tensor run_layers(const Context& cx, Tensor x, const Surroundings& around, int recompute_every) const;

  bool is_decoder_ = false;
  const Parameter* word_ = nullptr;      // [V, E]
  const Parameter* position_ = nullptr;  // [rows, E] where learned
  const Parameter* type_ = nullptr;      // [types, E] where there are segments
  Norm embedding_norm_;                  // of width E, may be absent
  Linear project_in_, project_out_;      // E → D and D → E where they differ
  const Parameter* relative_ = nullptr;  // [buckets, H] where positions are relative
  std::vector<Layer> layers_;            // distinct ones
  std::vector<size_t> order_;            // which of them each layer is: layers may share weights
  Norm final_norm_;
};

}  // namespace glass
