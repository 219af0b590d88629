// The table of the public ops, each from its named arguments; attention is in functional_attention.cpp, what is read off other
// results in functional_readings.cpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "io/text.h"
#include "model/functional_attention.h"
#include "model/functional_parts.h"
#include "model/functional_readings.h"
#include "model/positions.h"
#include "ops/recompute.h"
#include "tensor/error.h"

namespace glass {

using namespace calls;

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

Outputs padding_mask_op(Call& call) {
  const TensorArgument& given = call.args.tensor("ids");
  if (given.shape.rank() != 2) call.args.refuse("ids", "shape [B, S]", to_string(given.shape));
  const int32_t pad = call.args.id("padId", 0);
  const std::vector<int32_t> ids = call.args.ids("ids");
  Tensor mask = call.cx.make({given.shape[0], 1, 1, given.shape[1]});
  std::transform(ids.begin(), ids.end(), mask.data(), [&](int32_t id) { return id == pad ? kHidden : 0.f; });
  return only(mask);
}

Outputs look_ahead_mask_op(Call& call) {
  const int64_t length = call.args.integer("length", 1);
  Tensor mask = call.cx.zeros({length, length});
  for (int64_t t = 0; t < length; ++t) std::fill(mask.data() + t * length + t + 1, mask.data() + (t + 1) * length, kHidden);
  return only(mask);
}

// ---- layers ---------------------------------------------------------------------------------------------------------

Outputs encoder_layer_op(Call& call) {
  LayerInputs in(call, false);
  return only(transformer_layer(call.cx, in.layer, 0, std::move(in.x), in.around));
}

Outputs decoder_layer_op(Call& call) {
  LayerInputs in(call, true);
  return only(transformer_layer(call.cx, in.layer, 0, std::move(in.x), in.around));
}

Outputs encoder_op(Call& call) {
  EncoderInputs in(call);
  const size_t n = in.layers.size(), step = in.recompute_every > 0 ? static_cast<size_t>(in.recompute_every) : n;
  for (size_t first = 0; first < n; first += step) {
    const auto segment = [layers = in.layers, around = in.around, first, end = std::min(n, first + step)](const Context& cx,
                                                                                                          Tensor x) {
      for (size_t l = first; l < end; ++l) x = transformer_layer(cx, layers[l], l, std::move(x), around[l]);
      return x;
    };
    in.x = in.recompute_every > 0 ? recompute(call.cx, in.x, segment) : segment(call.cx, std::move(in.x));
  }
  return only(in.norm ? in.norm(call.cx, std::move(in.x)) : std::move(in.x));
}

// ---- single ops -----------------------------------------------------------------------------------------------------

Outputs softmax_op(Call& call) { return only(softmax(call.cx, call.input("x"))); }

Outputs layer_norm_op(Call& call) {
  Tensor x = call.input("x");
  const Norm norm = norm_from(call, call.args, last(x), "", call.args.eps(1e-5));
  return only(norm(call.cx, std::move(x)));
}

Outputs rms_norm_op(Call& call) {
  Tensor x = call.input("x");
  const double eps = call.args.eps(static_cast<double>(std::numeric_limits<float>::epsilon()));
  const Parameter* weight = call.find_parameter(call.args, "weight", {last(x)});
  return only(rms_norm(call.cx, weight, static_cast<float>(eps), std::move(x)));
}

Outputs linear_op(Call& call) {
  const Tensor x = call.input("x");
  const Parameter& weight = call.parameter(call.args, "weight", {kAny, last(x)});
  return only(linear(call.cx, weight, call.find_parameter(call.args, "bias", {weight.shape[0]}), x));
}

Outputs feed_forward_op(Call& call) {
  const Tensor x = call.input("x");
  FeedForward layer = feed_forward_from(call, call.args, last(x), kAny, "weight1", "bias1", "weight2", "bias2");
  const int64_t inner = layer.in.weight->shape[0];
  layer.gate.weight = call.find_parameter(call.args, "gateWeight", {inner, last(x)});
  if (layer.gate) layer.gate.bias = call.find_parameter(call.args, "gateBias", {inner});
  return only(feed_forward(call.cx, layer, x));
}

Outputs activation_op(Call& call) {
  const Tensor x = call.input("x");
  return only(activate(call.cx, activation_named(call.args, "name", ""), x));
}

// b may have fewer axes: it is added to every part of a that has its shape.
Outputs add_op(Call& call) {
  const Tensor a = call.input("a"), b = call.input("b");
  const auto extents = a.shape().extents();
  const size_t rank = static_cast<size_t>(b.shape().rank());
  if (rank > extents.size() || Shape(extents.last(rank)) != b.shape())
    call.args.refuse("b", "shape " + to_string(a.shape()) + " or its last axes", to_string(b.shape()));
  return only(add(call.cx, a, b));
}

// Inverted dropout as in training. The same numbers are drawn for what is kept, so that it can be shown.
Outputs dropout_op(Call& call) {
  const Tensor x = call.input("x");
  const double p = call.args.number("p");
  if (!(p >= 0 && p < 1)) call.args.refuse("p", "a number from 0 to below 1", shown(p));
  Random random(static_cast<uint64_t>(call.args.integer("seed", 0, 0))), again = random;
  const bool training = call.args.boolean("training", true);
  Context cx = call.cx;
  cx.random = training ? &random : nullptr;
  Tensor kept = call.cx.make(x.shape());
  std::generate_n(kept.data(), kept.size(), [&] { return training && again.uniform() < static_cast<float>(p) ? 0.f : 1.f; });
  return {{"output", dropout(cx, static_cast<float>(p), x)}, {"kept", kept}};
}

Outputs positional_encoding_op(Call& call) {
  const int64_t length = call.args.integer("length", 1), width = call.args.integer("dModel", 1);
  if (!convention_is_halves(call)) return only(sinusoidal_positions(call.cx.arena, length, width));
  Shape{length, width}.size();  // is refused where there cannot be so many
  std::vector<int32_t> positions(static_cast<size_t>(length));
  std::iota(positions.begin(), positions.end(), 0);
  return only(sinusoidal_rows(call.cx.arena, positions, width, true));
}

Outputs embedding_op(Call& call) {
  const Shape& ids = call.args.tensor("ids").shape;
  const Parameter& weight = call.parameter(call.args, "weight", {kAny, kAny});
  std::vector<int64_t> extents(ids.extents().begin(), ids.extents().end());
  extents.push_back(weight.shape[1]);
  return only(embedding(call.cx, weight, call.args.ids("ids")).reshaped(Shape(extents)));
}

Outputs mean_pool_op(Call& call) {
  const Tensor x = input_of_rank(call, "x", 3, "[B, T, D]");
  check_shape("meanPool: mask", {x.dim(0), x.dim(1)}, call.args.tensor("mask").shape);
  return only(mean_pool(call.cx, x, call.args.ids("mask")));
}

Outputs cross_entropy_op(Call& call) {
  const Tensor logits = call.input("logits");
  const Shape items(logits.shape().extents().first(static_cast<size_t>(logits.shape().rank() - 1)));
  check_shape("crossEntropy: labels", items, call.args.tensor("labels").shape);
  const Loss loss = cross_entropy(call.cx, logits, call.args.ids("labels"),
                                  static_cast<float>(call.args.number("labelSmoothing", 0)), call.args.id("ignoreIndex", -100));
  if (loss.counted == 0) call.args.refuse("labels", "at least one label that counts", "none");
  const Tensor mean = scale(call.cx, 1.f / static_cast<float>(loss.counted), loss.sum);
  return {{"loss", mean.reshaped({})}, {"perItem", loss.per_row.reshaped(items)}};
}

Outputs label_smoothing_op(Call& call) {
  const Shape& labels = call.args.tensor("labels").shape;
  const int64_t classes = call.args.integer("classes", 1);
  std::vector<int64_t> extents(labels.extents().begin(), labels.extents().end());
  extents.push_back(classes);
  const float smoothing = static_cast<float>(call.args.number("smoothing"));
  return only(smoothed_labels(call.cx, call.args.ids("labels"), classes, smoothing).reshaped(Shape(extents)));
}

constexpr Op kTable[] = {
    {"softmax", "x", true, softmax_op},
    {"attention", "q k v", true, attention_op},
    {"multiHeadAttention", "query key value", true, multi_head_attention_op},
    {"layerNorm", "x", true, layer_norm_op},
    {"rmsNorm", "x", true, rms_norm_op},
    {"linear", "x", true, linear_op},
    {"feedForward", "x", true, feed_forward_op},
    {"activation", "x name", true, activation_op},
    {"positionalEncoding", "length dModel", false, positional_encoding_op},
    {"paddingMask", "ids padId", false, padding_mask_op},
    {"lookAheadMask", "length", false, look_ahead_mask_op},
    {"encoderLayer", "x layer", true, encoder_layer_op},
    {"decoderLayer", "x memory layer", true, decoder_layer_op},
    {"encoder", "x stack", true, encoder_op},
    {"embedding", "ids weight", true, embedding_op},
    {"meanPool", "x mask", true, mean_pool_op},
    {"crossEntropy", "logits labels", true, cross_entropy_op},
    {"add", "a b", true, add_op},
    {"dropout", "x", true, dropout_op},
    {"splitHeads", "x heads", true, split_heads_op},
    {"joinHeads", "x", true, join_heads_op},
    {"labelSmoothing", "labels classes smoothing", false, label_smoothing_op},
    {"lshBuckets", "qk", false, lsh_buckets_op},
    {"lshAttention", "qk v", true, lsh_attention_op},
    {"linformerAttention", "q k v", true, linformer_attention_op},
    {"moments", "x", false, moments_op},
    {"largestDifference", "a b", false, largest_difference_op},
    {"wavelengths", "dModel", false, wavelengths_op},
};

}  // namespace

const std::span<const Op> kModelOps = kTable;

}  // namespace glass
