// What the public ops are made of: how masks, layers and their parts are read from named arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/functional.h"
#include "model/layers.h"

namespace glass::calls {

inline constexpr int64_t kAny = Call::kAny;

inline Outputs only(Tensor output) { return {{"output", std::move(output)}}; }
inline int64_t last(const Tensor& x) { return x.dim(-1); }

// An input with so many axes; `axes` names them in the message.
Tensor input_of_rank(Call& call, std::string_view name, int rank, const char* axes);
Activation activation_named(Fields& from, std::string_view key, std::string_view fallback);
// Which convention of sinusoids a call asks for; it may be left out.
bool convention_is_halves(Call& call);

// The mask of the arguments, broadcast over the scores as NumPy does, and the causal one where it is asked for.
class Masking {
 public:
  Masking(Call& call, bool may_be_causal, const char* name = "mask");
  // scores: […, T, S]. Strides are those of [B, H, T, S].
  AttentionMask operator()(const Shape& scores) const;

 private:
  void broadcast(const std::vector<int32_t>&, Tensor&) const;
  template <class T>
  void broadcast(const std::vector<T>& given, Tensor& values) const;

  Call& call_;
  const char* name_;
  const TensorArgument* mask_;
  bool causal_;
};

// q […, T, K], k […, S, K], v […, S, V] of a call, all leading axes joined into one.
struct AttentionInputs {
  Tensor q, k, v;  // [batch, N, 1, width]
  double scale;    // 1/√K unless given
  Shape leading;

  explicit AttentionInputs(Call& call);
  Shape matrix() const { return shape_of(q.dim(1), k.dim(1)); }  // of scores and weights
  Shape output() const { return shape_of(q.dim(1), v.dim(3)); }
  Shape shape_of(int64_t rows, int64_t width) const;
};

Norm norm_from(Call& call, Fields& from, int64_t width, const std::string& prefix, double eps);
FeedForward feed_forward_from(Call& call, Fields& from, int64_t width, int64_t out, const char* weight1, const char* bias1,
                              const char* weight2, const char* bias2);
// PyTorch's packed projections: queries, keys and values one after the other in one matrix.
Attention attention_from(Call& call, Fields& from, int64_t width, const std::string& in_weight, const std::string& in_bias,
                         const std::string& out_weight, const std::string& out_bias);

// `from` holds the parameters of PyTorch's nn.TransformerEncoderLayer or nn.TransformerDecoderLayer by their names, and heads,
// activation, normFirst, eps.
Layer layer_from(Call& call, Fields& from, int64_t width, bool of_decoder);

// The arguments of encoder: layers, the mask of each, and what is last.
struct EncoderInputs {
  Tensor x;  // [B, T, D]
  std::vector<Layer> layers;
  std::vector<Surroundings> around;
  Norm norm;                // may be absent
  int64_t recompute_every;  // 0: nothing is computed again

  explicit EncoderInputs(Call& call);
};

// The arguments of encoderLayer and decoderLayer.
struct LayerInputs {
  Tensor x;
  Layer layer;
  Surroundings around;

  LayerInputs(Call& call, bool of_decoder);
};

}  // namespace glass::calls
