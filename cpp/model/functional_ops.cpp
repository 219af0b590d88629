// The table of the public ops, each from its named arguments.
#include <algorithm>
#include <cmath>
#include <limits>

#include "io/text.h"
#include "model/config.h"
#include "model/functional.h"
#include "model/layers.h"
#include "model/positions.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr int64_t kAny = Call::kAny;
constexpr float kHidden = -std::numeric_limits<float>::infinity();

Outputs only(Tensor output) { return {{"output", std::move(output)}}; }

int64_t last(const Tensor& x) { return x.dim(-1); }

Tensor input_of_rank(Call& call, std::string_view name, int rank, const char* axes) {
  Tensor x = call.input(name);
  if (x.shape().rank() != rank) call.args.refuse(name, std::string("shape ") + axes, to_string(x.shape()));
  return x;
}

Activation activation_named(Fields& from, std::string_view key, std::string_view fallback) {
  const std::string name = from.text(key, fallback);
  const std::optional<Activation> found = activation_of_name(name);
  if (!found) from.refuse(key, "relu, gelu, gelu_new, silu or tanh", in_quotes(name));
  return *found;
}

// ---- masks ----------------------------------------------------------------------------------------------------------

// The mask of the arguments, broadcast over the scores as NumPy does, and the causal one where it is asked for.
class Masking {
 public:
  Masking(Call& call, bool may_be_causal, const char* name = "mask")
      : call_(call), name_(name), mask_(call.args.find_tensor(name)) {
    causal_ = may_be_causal && call.args.boolean("causal", false);
  }

  // scores: […, T, S]. Strides are those of [B, H, T, S].
  AttentionMask operator()(const Shape& scores) const {
    if (!mask_ && !causal_) return {};
    const int64_t T = scores[-2], S = scores[-1];
    Tensor values = call_.cx.zeros(scores);
    if (mask_) std::visit([&](const auto& given) { broadcast(given, values); }, mask_->values);
    if (causal_)  // the last query sees every key
      for (int64_t i = 0; i < static_cast<int64_t>(values.size()); ++i)
        if (i % S > i / S % T + S - T) values.data()[i] = kHidden;
    const int64_t heads = scores.rank() == 4 ? scores[1] : 1;
    return {values, static_cast<ptrdiff_t>(heads * T * S), static_cast<ptrdiff_t>(T * S), static_cast<ptrdiff_t>(S)};
  }

 private:
  static float added(float value) { return value; }
  static float added(uint8_t visible) { return visible ? 0.f : kHidden; }

  void broadcast(const std::vector<int32_t>&, Tensor&) const {
    call_.args.refuse(name_, "floats that are added to the scores, or bytes, 1 = may be seen", "a tensor of ids");
  }
  template <class T>
  void broadcast(const std::vector<T>& given, Tensor& values) const {
    const Shape &from = mask_->shape, &to = values.shape();
    bool fits = from.rank() <= to.rank();
    for (int axis = 1; fits && axis <= from.rank(); ++axis) fits = from[-axis] == to[-axis] || from[-axis] == 1;
    if (!fits) call_.args.refuse(name_, "a shape that broadcasts to " + to_string(to), to_string(from));
    for (size_t i = 0; i < values.size(); ++i) {
      size_t at = 0, stride = 1, rest = i;
      for (int axis = 1; axis <= from.rank(); ++axis) {
        const size_t extent = static_cast<size_t>(to[-axis]);
        if (from[-axis] != 1) at += rest % extent * stride;
        rest /= extent;
        stride *= static_cast<size_t>(from[-axis]);
      }
      const float value = added(given[at]);
      if (std::isnan(value) || value == -kHidden)
        call_.args.refuse(name_, "finite values or -Infinity", shown(static_cast<double>(value)));
      values.data()[i] = value;
    }
  }

  Call& call_;
  const char* name_;
  const TensorArgument* mask_;
  bool causal_;
};

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

// ---- attention ------------------------------------------------------------------------------------------------------

Outputs attention_op(Call& call) {
  const Tensor q = call.input("q"), k = call.input("k"), v = call.input("v");  // […, T, K], […, S, K], […, S, V]
  const int rank = q.shape().rank();
  const auto leading = [&](const Tensor& x) { return x.shape().extents().first(static_cast<size_t>(x.shape().rank() - 2)); };
  for (const auto& [name, x] : {std::pair{"q", q}, std::pair{"k", k}, std::pair{"v", v}})
    if (x.shape().rank() != rank || rank < 2 || !std::equal(leading(x).begin(), leading(x).end(), leading(q).begin()))
      call.args.refuse(name, "at least two axes, all but the last two as q has them", to_string(x.shape()));
  if (last(q) != last(k) || k.dim(-2) != v.dim(-2))
    call.args.refuse("k", "the width of q and the length of v", to_string(k.shape()));

  int64_t batch = 1;
  for (const int64_t extent : leading(q)) batch *= extent;
  const auto one_head = [&](const Tensor& x) { return x.reshaped({batch, x.dim(-2), 1, last(x)}); };
  const auto shape_of = [&](int64_t rows, int64_t width) {
    std::vector<int64_t> extents(leading(q).begin(), leading(q).end());
    extents.insert(extents.end(), {rows, width});
    return Shape(extents);
  };
  const Shape matrix = shape_of(q.dim(-2), k.dim(-2));
  AttentionMask mask = Masking(call, true)(matrix);
  mask.batch = static_cast<ptrdiff_t>(q.dim(-2) * k.dim(-2));  // all leading axes are one here
  const double scale = call.args.number("scale", 1 / std::sqrt(static_cast<double>(std::max<int64_t>(last(q), 1))));
  const Tensor scores = attention_scores(call.cx, one_head(q), one_head(k), static_cast<float>(scale), mask);
  const Tensor pattern = softmax(call.cx, scores);
  const Tensor output = weighted_values(call.cx, pattern, one_head(v));
  return {{"output", output.reshaped(shape_of(q.dim(-2), last(v)))},
          {"weights", pattern.reshaped(matrix)},
          {"scores", scores.reshaped(matrix)}};
}

// PyTorch's packed projections: queries, keys and values one after the other in one matrix.
Attention attention_from(Call& call, Fields& from, int64_t width, const std::string& in_weight, const std::string& in_bias,
                         const std::string& out_weight, const std::string& out_bias) {
  const int64_t heads = from.integer("heads", 1);
  if (width % heads != 0) from.refuse("heads", "a divisor of the width " + std::to_string(width), std::to_string(heads));
  const Parameter* weight = &call.parameter(from, in_weight, {3 * width, width});
  const Parameter* bias = call.find_parameter(from, in_bias, {3 * width});
  Attention result;
  result.n_heads = result.n_key_heads = heads;
  result.scale = 1.f / std::sqrt(static_cast<float>(width / heads));
  int64_t next = 0;
  for (Linear* linear : {&result.q, &result.k, &result.v}) {
    linear->weight = call.part(weight, next, 3);
    linear->bias = call.part(bias, next++, 3);
  }
  result.out.weight = &call.parameter(from, out_weight, {width, width});
  result.out.bias = call.find_parameter(from, out_bias, {width});
  return result;
}

// Keeps the pattern that a layer announces.
struct PatternKeeper : Hooks {
  Tensor pattern;
  Tensor visit(const Context&, const std::string& name, std::string_view, Tensor value) override {
    if (name == "hook_pattern") pattern = value;
    return value;
  }
};

Outputs multi_head_attention_op(Call& call) {
  const Tensor query = input_of_rank(call, "query", 3, "[B, T, D]"), key = input_of_rank(call, "key", 3, "[B, S, D]"),
               value = input_of_rank(call, "value", 3, "[B, S, D]");
  check_shape("multiHeadAttention: value", key.shape(), value.shape());
  check_shape("multiHeadAttention: key", {query.dim(0), key.dim(1), last(query)}, key.shape());
  const Attention w =
      attention_from(call, call.args, last(query), "inProjWeight", "inProjBias", "outProjWeight", "outProjBias");
  const AttentionMask mask = Masking(call, true)({query.dim(0), w.n_heads, query.dim(1), key.dim(1)});
  PatternKeeper keeper;
  Context cx = call.cx;
  cx.hooks = &keeper;
  const Tensor output = attention(cx, w, query, key, value, mask);
  return {{"output", output}, {"weights", keeper.pattern}};
}

// ---- layers ---------------------------------------------------------------------------------------------------------

Norm norm_from(Call& call, Fields& from, int64_t width, const std::string& prefix, double eps) {
  Norm norm;
  norm.present = true;
  norm.weight = call.find_parameter(from, prefix + "weight", {width});
  norm.bias = call.find_parameter(from, prefix + "bias", {width});
  norm.eps = static_cast<float>(eps);
  return norm;
}

FeedForward feed_forward_from(Call& call, Fields& from, int64_t width, int64_t out, const char* weight1, const char* bias1,
                              const char* weight2, const char* bias2) {
  FeedForward result;
  result.in.weight = &call.parameter(from, weight1, {kAny, width});
  const int64_t inner = result.in.weight->shape[0];
  result.in.bias = call.find_parameter(from, bias1, {inner});
  result.out.weight = &call.parameter(from, weight2, {out, inner});
  result.out.bias = call.find_parameter(from, bias2, {result.out.weight->shape[0]});
  result.activation = activation_named(from, "activation", "relu");
  return result;
}

// nn.MultiheadAttention inside one of PyTorch's layers.
Attention attention_in(Call& call, Fields& from, int64_t width, const std::string& name) {
  return attention_from(call, from, width, name + ".in_proj_weight", name + ".in_proj_bias", name + ".out_proj.weight",
                        name + ".out_proj.bias");
}

// `from` holds the parameters of PyTorch's nn.TransformerEncoderLayer or nn.TransformerDecoderLayer by their names, and heads,
// activation, normFirst, eps.
Layer layer_from(Call& call, Fields& from, int64_t width, bool of_decoder) {
  Layer layer;
  const double eps = from.number("eps", 1e-5);
  layer.attn = attention_in(call, from, width, "self_attn");
  layer.mlp = feed_forward_from(call, from, width, width, "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias");
  layer.norm1 = norm_from(call, from, width, "norm1.", eps);
  layer.norm2 = norm_from(call, from, width, of_decoder ? "norm3." : "norm2.", eps);
  layer.has_cross = of_decoder;
  if (of_decoder) {
    layer.cross = attention_in(call, from, width, "multihead_attn");
    layer.norm_cross = norm_from(call, from, width, "norm2.", eps);
  }
  layer.norm_first = from.boolean("normFirst", false);
  from.refuse_unread();
  return layer;
}

Tensor run_layer(Call& call, Fields& from, const Masking& masking, Tensor x) {
  const Layer layer = layer_from(call, from, last(x), false);
  Surroundings around;
  around.mask = masking({x.dim(0), layer.attn.n_heads, x.dim(1), x.dim(1)});
  return transformer_layer(call.cx, layer, 0, std::move(x), around);
}

Outputs encoder_layer_op(Call& call) {
  const Tensor x = input_of_rank(call, "x", 3, "[B, T, D]");
  Fields layer = call.args.object("layer", "");
  return only(run_layer(call, layer, Masking(call, false), x));
}

Outputs decoder_layer_op(Call& call) {
  Tensor x = input_of_rank(call, "x", 3, "[B, T, D]");
  Surroundings around;
  around.memory = input_of_rank(call, "memory", 3, "[B, S, D]");
  if (around.memory.dim(0) != x.dim(0) || last(around.memory) != last(x))
    call.args.refuse("memory", "the batch and the width of x, " + to_string(x.shape()), to_string(around.memory.shape()));
  Fields from = call.args.object("layer", "");
  const Layer layer = layer_from(call, from, last(x), true);
  const int64_t B = x.dim(0), H = layer.attn.n_heads, T = x.dim(1);
  around.mask = Masking(call, true)({B, H, T, T});
  around.memory_mask = Masking(call, false, "memoryMask")({B, H, T, around.memory.dim(1)});
  return only(transformer_layer(call.cx, layer, 0, std::move(x), around));
}

Outputs encoder_op(Call& call) {
  Tensor x = input_of_rank(call, "x", 3, "[B, T, D]");
  const Masking masking(call, false);
  Fields stack = call.args.object("stack", "");
  int l = 0;
  for (const Argument& item : stack.list("layers")) {
    Fields layer = stack.object(item, "layers." + std::to_string(l++) + ".");
    x = run_layer(call, layer, masking, std::move(x));
  }
  if (stack.find("norm")) {
    Fields norm = stack.object("norm", "norm.");
    x = norm_from(call, norm, last(x), "", norm.number("eps", 1e-5))(call.cx, std::move(x));
    norm.refuse_unread();
  }
  stack.refuse_unread();
  return only(x);
}

// ---- single ops -----------------------------------------------------------------------------------------------------

Outputs softmax_op(Call& call) { return only(softmax(call.cx, call.input("x"))); }

Outputs layer_norm_op(Call& call) {
  Tensor x = call.input("x");
  const Norm norm = norm_from(call, call.args, last(x), "", call.args.number("eps", 1e-5));
  return only(norm(call.cx, std::move(x)));
}

Outputs rms_norm_op(Call& call) {
  Tensor x = call.input("x");
  const double eps = call.args.number("eps", static_cast<double>(std::numeric_limits<float>::epsilon()));
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
  return only(
      feed_forward(call.cx, feed_forward_from(call, call.args, last(x), kAny, "weight1", "bias1", "weight2", "bias2"), x));
}

Outputs activation_op(Call& call) {
  const Tensor x = call.input("x");
  return only(activate(call.cx, activation_named(call.args, "name", ""), x));
}

Outputs add_op(Call& call) {
  const Tensor a = call.input("a"), b = call.input("b");
  check_shape("add: b", a.shape(), b.shape());
  return only(add(call.cx, a, b));
}

Outputs positional_encoding_op(Call& call) {
  return only(sinusoidal_positions(call.cx.arena, call.args.integer("length", 1), call.args.integer("dModel", 1)));
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
};

}  // namespace

const std::span<const Op> kModelOps = kTable;

}  // namespace glass
