// The transformer: an encoder, a decoder or both, and the head that its task asks for.
#pragma once

#include <optional>

#include "model/stack.h"

namespace glass {

// dense → activation → norm → the word table again (Devlin et al. 2019, appendix A.2, as released)
struct MaskedLmHead {
  Linear dense;  // D → E
  Norm norm;
  const Parameter* bias = nullptr;  // [V]
};

// The word table or one of its own, and a bias where there is one.
struct LanguageHead {
  const Parameter* table = nullptr;  // [V, E]
  const Parameter* bias = nullptr;   // [V]
};

struct Classifier {
  Linear dense;   // D → D before it, where the pooling has one
  Linear logits;  // D → labels
};

class Transformer {
 public:
  Transformer(const Config& config, const AskParameter& ask);

  // The one forward, of inference, tracing, training and generation. `recompute_every` > 0 keeps the activations of every
  // n-th layer only and recomputes the rest in the backward pass. With `state` the batch's tokens (an encoder–decoder's
  // target) go on after those that the state has seen; an encoder runs only while the state has no memory yet. Throws
  // Error(bad_input) where the batch does not fit, see check().
  Output forward(const Context& cx, const Config& config, const Batch& batch, int recompute_every = 0,
                 DecoderState* state = nullptr) const;

 private:
  Tensor masked_lm_logits(const Context& cx, const Config& config, const Tensor& x) const;
  Tensor language_logits(const Context& cx, const Config& config, Tensor x) const;
  Tensor classify(const Context& cx, const Config& config, const Batch& batch, const Tensor& x, Output& output) const;

  const Parameter* word_;  // [V, E], shared by embeddings and tied heads
  std::optional<Stack> encoder_, decoder_;
  Linear pooler_;
  MaskedLmHead masked_lm_;
  LanguageHead language_;
  Classifier classifier_;
};

}  // namespace glass
