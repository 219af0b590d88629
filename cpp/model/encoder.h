// The encoder: embeddings, a stack of layers, and the head that its task asks for.
#pragma once

#include <vector>

#include "model/batch.h"
#include "model/config.h"
#include "model/layers.h"

namespace glass {

struct Embeddings {
  const Parameter* word = nullptr;      // [V, E]
  const Parameter* position = nullptr;  // [positions, E] where learned
  const Parameter* type = nullptr;      // [types, E] where there are segments
  Norm norm;                            // of width E, may be absent
  Linear project;                       // E → D where they differ (ELECTRA)
};

// dense → activation → norm → the word table again (Devlin et al. 2019, appendix A.2, as released)
struct MaskedLmHead {
  Linear dense;  // D → E
  Norm norm;
  const Parameter* bias = nullptr;  // [V]
};

struct Classifier {
  Linear dense;   // D → D before it, where the pooling has one
  Linear logits;  // D → labels
};

class Encoder {
 public:
  Encoder(const Config& config, const AskParameter& ask);

  // The one forward. `recompute_every` > 0 keeps the activations of every n-th layer only and recomputes the rest in the
  // backward pass. Throws Error(bad_input) where the batch does not fit, see check().
  Output forward(const Context& cx, const Config& config, const Batch& batch, int recompute_every = 0) const;

 private:
  Tensor embed(const Context& cx, const Config& config, const Batch& batch) const;
  Tensor run_layers(const Context& cx, Tensor x, const AttentionMask& mask, int recompute_every) const;
  Tensor masked_lm_logits(const Context& cx, const Config& config, const Tensor& x) const;
  Tensor classify(const Context& cx, const Config& config, const Batch& batch, const Tensor& x, Output& output) const;

  Embeddings embeddings_;
  std::vector<EncoderLayer> layers_;
  Norm final_norm_;
  Linear pooler_;
  MaskedLmHead masked_lm_;
  Classifier classifier_;
};

}  // namespace glass
