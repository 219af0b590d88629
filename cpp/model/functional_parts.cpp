#include "model/functional_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/text.h"
#include "model/config.h"
#include "tensor/error.h"

namespace glass::calls {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

float added(float value) { return value; }
float added(uint8_t visible) { return visible ? 0.f : kHidden; }

// nn.MultiheadAttention inside one of PyTorch's layers.
Attention attention_in(Call& call, Fields& from, int64_t width, const std::string& name) {
  return attention_from(call, from, width, name + ".in_proj_weight", name + ".in_proj_bias", name + ".out_proj.weight",
                        name + ".out_proj.bias");
}

}  // namespace

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

bool convention_is_halves(Call& call) {
  const std::string convention = call.args.text("convention", "interleaved");
  if (convention != "interleaved" && convention != "halves")
    call.args.refuse("convention", "interleaved or halves", in_quotes(convention));
  return convention == "halves";
}

// ---- masks ----------------------------------------------------------------------------------------------------------

Masking::Masking(Call& call, bool may_be_causal, const char* name)
    : call_(call), name_(name), mask_(call.args.find_tensor(name)) {
  causal_ = may_be_causal && call.args.boolean("causal", false);
}

AttentionMask Masking::operator()(const Shape& scores) const {
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

void Masking::broadcast(const std::vector<int32_t>&, Tensor&) const {
  call_.args.refuse(name_, "floats that are added to the scores, or bytes, 1 = may be seen", "a tensor of ids");
}

template <class T>
void Masking::broadcast(const std::vector<T>& given, Tensor& values) const {
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

// ---- attention ------------------------------------------------------------------------------------------------------

AttentionInputs::AttentionInputs(Call& call) : q(call.input("q")), k(call.input("k")), v(call.input("v")) {
  const int rank = q.shape().rank();
  const auto leading_of = [&](const Tensor& x) { return x.shape().extents().first(static_cast<size_t>(x.shape().rank() - 2)); };
  for (const auto& [name, x] : {std::pair{"q", q}, std::pair{"k", k}, std::pair{"v", v}})
    if (x.shape().rank() != rank || rank < 2 || !std::equal(leading_of(x).begin(), leading_of(x).end(), leading_of(q).begin()))
      call.args.refuse(name, "at least two axes, all but the last two as q has them", to_string(x.shape()));
  if (last(q) != last(k) || k.dim(-2) != v.dim(-2))
    call.args.refuse("k", "the width of q and the length of v", to_string(k.shape()));
  leading = Shape(leading_of(q));
  int64_t batch = 1;
  for (const int64_t extent : leading.extents()) batch *= extent;
  for (Tensor* x : {&q, &k, &v}) *x = x->reshaped({batch, x->dim(-2), 1, last(*x)});
  scale = call.args.number("scale", 1 / std::sqrt(static_cast<double>(std::max<int64_t>(last(q), 1))));
}

Shape AttentionInputs::shape_of(int64_t rows, int64_t width) const {
  std::vector<int64_t> extents(leading.extents().begin(), leading.extents().end());
  extents.insert(extents.end(), {rows, width});
  return Shape(extents);
}

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

Layer layer_from(Call& call, Fields& from, int64_t width, bool of_decoder) {
  Layer layer;
  const double eps = from.eps(1e-5);
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

EncoderInputs::EncoderInputs(Call& call) : x(input_of_rank(call, "x", 3, "[B, T, D]")) {
  const Masking masking(call, false);
  Fields stack = call.args.object("stack", "");
  for (const Argument& item : stack.list("layers")) {
    Fields from = stack.object(item, "layers." + std::to_string(layers.size()) + ".");
    layers.push_back(layer_from(call, from, last(x), false));
    around.emplace_back().mask = masking({x.dim(0), layers.back().attn.n_heads, x.dim(1), x.dim(1)});
  }
  if (stack.find("norm")) {
    Fields from = stack.object("norm", "norm.");
    norm = norm_from(call, from, last(x), "", from.eps(1e-5));
    from.refuse_unread();
  }
  stack.refuse_unread();
  recompute_every = call.args.integer("recomputeEvery", 0, 0);
}

LayerInputs::LayerInputs(Call& call, bool of_decoder) : x(input_of_rank(call, "x", 3, "[B, T, D]")) {
  if (of_decoder) {
    around.memory = input_of_rank(call, "memory", 3, "[B, S, D]");
    if (around.memory.dim(0) != x.dim(0) || last(around.memory) != last(x))
      call.args.refuse("memory", "the batch and the width of x, " + to_string(x.shape()), to_string(around.memory.shape()));
  }
  Fields from = call.args.object("layer", "");
  layer = layer_from(call, from, last(x), of_decoder);
  const int64_t B = x.dim(0), H = layer.attn.n_heads, T = x.dim(1);
  around.mask = Masking(call, of_decoder)({B, H, T, T});
  if (of_decoder) around.memory_mask = Masking(call, false, "memoryMask")({B, H, T, around.memory.dim(1)});
}

}  // namespace glass::calls
