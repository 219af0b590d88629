// All mistakes are in this one file, so that nobody takes one of them for the real thing; that makes it long. Each says what is
// wrong, whom it hurts, and in which function it is right.
#include "mistakes/mistakes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "io/text.h"
#include "model/functional_parts.h"
#include "model/names.h"
#include "tensor/error.h"

namespace glass {

using namespace calls;

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();
constexpr float kBillion = 1e9f;

// ---- which mistake --------------------------------------------------------------------------------------------------

struct Mistake {
  std::string_view name;
  Outputs (*compute)(Call& call);
};

void refuse_name(Call& call, const std::vector<std::string>& known, const std::string& name) {
  call.args.refuse("mistake", join_names(known), in_quotes(name));
}

Outputs choose(Call& call, std::span<const Mistake> known) {
  const std::string name = call.args.text("mistake", "");
  const auto found = std::find_if(known.begin(), known.end(), [&](const Mistake& mistake) { return mistake.name == name; });
  if (found != known.end()) return found->compute(call);
  std::vector<std::string> names;
  for (const Mistake& mistake : known) names.emplace_back(mistake.name);
  refuse_name(call, names, name);
  return {};
}

// ---- softmax --------------------------------------------------------------------------------------------------------

struct Exponentials {
  Tensor values, shares;
};

// exp(x) / Σ exp(x) as the formula stands. Above 88.7 exp is infinite in 32-bit floats and infinity / infinity is NaN, so a
// model with large scores (a few trained steps suffice) fills its output with NaN; a row of −∞ is 0 / 0. Right in
// ops/attention.cpp, softmax, which takes the row's maximum out first.
Exponentials exponentials_of(const Context& cx, const Tensor& x) {
  Exponentials e{cx.make(x.shape()), cx.make(x.shape())};
  const size_t n = x.width();
  for (size_t row = 0; row < x.rows(); ++row) {
    const float* in = x.data() + row * n;
    float *values = e.values.data() + row * n, *shares = e.shares.data() + row * n, sum = 0.f;
    for (size_t i = 0; i < n; ++i) sum += values[i] = std::exp(in[i]);
    for (size_t i = 0; i < n; ++i) shares[i] = values[i] / sum;
  }
  return e;
}

Outputs softmax_without_maximum(Call& call) {
  Exponentials e = exponentials_of(call.cx, call.input("x"));
  return {{"output", std::move(e.shares)}, {"exponentials", std::move(e.values)}};
}

// The maximum is taken out, but a row in which everything is hidden has −∞ − −∞ = NaN, and one padded query spoils the whole
// batch at the next layer. Right in ops/attention.cpp, softmax: such a row gives zeros.
Tensor softmax_with_nan_rows(const Context& cx, Tensor scores) {
  const Tensor hidden = scores;
  Tensor y = softmax(cx, std::move(scores));
  const size_t n = y.width();
  for (size_t row = 0; row < y.rows(); ++row) {
    const float* from = hidden.data() + row * n;
    if (std::all_of(from, from + n, [](float s) { return s == kHidden; }))
      std::fill_n(y.data() + row * n, n, std::numeric_limits<float>::quiet_NaN());
  }
  return y;
}

// ---- attention ------------------------------------------------------------------------------------------------------

constexpr std::string_view kOfAttention[] = {"scaleByModelWidth", "noScale",      "invertedTriangle", "noCausalMask",
                                             "billion",           "billionTwice", "billionSquared",   "nanRows",
                                             "withoutMaximum",    "transposeAll", "cachedByKeys"};

class Chosen {
 public:
  explicit Chosen(Call& call) {
    const Argument* given = call.args.find("mistake");
    const auto* list = given ? std::get_if<ListArgument>(&given->value) : nullptr;
    const std::vector<std::string> known(std::begin(kOfAttention), std::end(kOfAttention));
    const auto add = [&](const std::string& name) {
      if (std::find(known.begin(), known.end(), name) == known.end()) refuse_name(call, known, name);
      names_.insert(name);
    };
    if (!list) add(call.args.text("mistake", ""));
    for (const Argument& item : list ? *list : ListArgument()) {
      const auto* name = std::get_if<std::string>(&item.value);
      add(name ? *name : describe(item));
    }
  }
  bool operator()(std::string_view name) const { return names_.count(name) > 0; }

 private:
  std::set<std::string, std::less<>> names_;
};

// K.T turns all axes around, not the last two. With a batch [B, S, K] that is [K, S, B]: NumPy refuses it for most shapes, but
// where B, S and K are equal it goes through, and every sequence attends to a mixture of all of them. Right in
// ops/attention.cpp, attention_scores. k: [N, N, 1, N]
Tensor all_axes_turned(Call& call, const AttentionInputs& in) {
  const Tensor& k = in.k;
  const int64_t N = k.dim(0);
  if (in.leading.rank() != 1 || k.dim(1) != N || k.dim(3) != N)
    call.args.refuse("k", "shape [N, N, N], as k.T of a batch fits nowhere else", to_string(in.shape_of(k.dim(1), k.dim(3))));
  Tensor turned = call.cx.make(k.shape());  // read as [b, s, j], this is K.T[b, j, s] = K[s, j, b]
  for (int64_t b = 0; b < N; ++b)
    for (int64_t s = 0; s < N; ++s)
      for (int64_t j = 0; j < N; ++j) turned.data()[(b * N + s) * N + j] = k.data()[(s * N + j) * N + b];
  return turned;
}

// What the scores are multiplied by. √dModel is the width of all heads together: with 8 heads scores are √8 times too small and
// the weights too even, so heads tell little apart. Without any scale they grow with √K, the softmax is all but one-hot and its
// gradient vanishes (Vaswani et al. 2017, section 3.2.1). Right in model/functional_parts.cpp, AttentionInputs, and in the
// models' layers: 1/√K, K the width of one head's keys.
float mistaken_scale(Call& call, const Chosen& chosen, double right) {
  const bool by_model = chosen("scaleByModelWidth");
  const double width = by_model ? static_cast<double>(call.args.integer("dModel", 1)) : call.args.number("dModel", 1);
  return static_cast<float>(chosen("noScale") ? 1. : by_model ? 1. / std::sqrt(width) : right);
}

// What is added to a score where one mask hides the key: −∞ hides it. −1e9 hides it only beside keys that are not hidden: where
// all are, the row is spread over them. Added twice it hides some more than others, so that a row may look at exactly what one
// of two masks hides. And a mask that holds −1e9 already, multiplied by −1e9 "to make it additive", is +1e18: nothing but
// hidden keys is seen. Right in model/functional_parts.cpp, Masking.
float hidden_by(const Chosen& chosen, bool is_mask) {
  if (chosen("billionSquared") && is_mask) return kBillion * kBillion;
  if (chosen("billionTwice")) return is_mask ? -2.f * kBillion : -kBillion;
  return chosen("billion") ? -kBillion : kHidden;
}

// Causal attention hides what comes later. With the triangle the wrong way round (masked_fill where tril is 1) a token sees
// only what comes later, not itself, and the last one sees nothing; with none at all, a decoder in training reads the answer
// that it is to predict, its loss is wonderful and what it writes is not. Right in ops/attention.cpp, attention_scores.
bool hidden_in_triangle(const Chosen& chosen, int64_t t, int64_t s, int64_t T, int64_t S) {
  if (chosen("noCausalMask")) return false;
  return chosen("invertedTriangle") ? s <= t + S - T : s > t + S - T;
}

void add_masks(Call& call, const Chosen& chosen, const AttentionInputs& in, Tensor& scores) {
  const AttentionMask mask = Masking(call, false)(in.matrix());
  const bool causal = call.args.boolean("causal", false);
  const int64_t T = scores.dim(2), S = scores.dim(3);
  for (int64_t i = 0; i < static_cast<int64_t>(scores.size()); ++i) {
    float& score = scores.data()[i];
    if (mask.values) score += mask.values.data()[i] == kHidden ? hidden_by(chosen, true) : mask.values.data()[i];
    if (causal && hidden_in_triangle(chosen, i / S % T, i % S, T, S)) score += hidden_by(chosen, false);
  }
}

// A cache for weights instead of keys and values, looked up by the keys: whoever asks gets what the first query got, so all
// tokens read the same. Right in model/cache.h, which keeps keys and values; weights belong to a query. [batch, 1, T, S]
void reuse_first_row(Tensor& weights) {
  const size_t T = static_cast<size_t>(weights.dim(2)), S = weights.width();
  for (size_t row = 0; row < weights.rows(); ++row)
    if (row % T > 0) std::copy_n(weights.data() + (row - row % T) * S, S, weights.data() + row * S);
}

Outputs mistaken_attention(Call& call) {
  const Chosen chosen(call);
  AttentionInputs in(call);
  if (chosen("transposeAll")) in.k = all_axes_turned(call, in);
  Tensor scores = attention_scores(call.cx, in.q, in.k, mistaken_scale(call, chosen, in.scale), {});  // [batch, 1, T, S]
  add_masks(call, chosen, in, scores);
  Tensor weights = chosen("withoutMaximum") ? exponentials_of(call.cx, scores).shares
                   : chosen("nanRows")      ? softmax_with_nan_rows(call.cx, scores)
                                            : softmax(call.cx, scores);
  if (chosen("cachedByKeys")) reuse_first_row(weights);
  const Tensor output = weighted_values(call.cx, weights, in.v);
  return {{"output", output.reshaped(in.output())},
          {"weights", weights.reshaped(in.matrix())},
          {"scores", scores.reshaped(in.matrix())}};
}

// Weights averaged over the heads, as nn.MultiheadAttention returns them unless told otherwise: a head that looks at the
// previous token and one that looks at the verb become a blur that no head computes. `lost` is how far the farthest head is
// from the mean. Right in model/layers.cpp, attention, where hook_pattern has every head. weights: [B, H, T, S] → [B, T, S]
// twice
Outputs average_heads(Call& call) {
  const Tensor weights = input_of_rank(call, "weights", 4, "[B, H, T, S]");
  const int64_t B = weights.dim(0), H = weights.dim(1), n = weights.dim(2) * weights.dim(3);
  Tensor mean = call.cx.zeros({B, weights.dim(2), weights.dim(3)}), lost = call.cx.zeros(mean.shape());
  const auto each = [&](const auto& visit) {
    for (int64_t b = 0; b < B; ++b)
      for (int64_t h = 0; h < H; ++h)
        for (int64_t i = 0; i < n; ++i) visit(weights.data()[(b * H + h) * n + i], b * n + i);
  };
  each([&](float weight, int64_t at) { mean.data()[at] += weight / static_cast<float>(H); });
  each([&](float weight, int64_t at) { lost.data()[at] = std::max(lost.data()[at], std::abs(weight - mean.data()[at])); });
  return {{"weights", mean}, {"lost", lost}};
}

// The triangle the wrong way round, as above. Right in model/functional_ops.cpp, look_ahead_mask_op.
Outputs inverted_look_ahead_mask(Call& call) {
  const int64_t length = call.args.integer("length", 1);
  Tensor mask = call.cx.zeros({length, length});
  for (int64_t t = 0; t < length; ++t) std::fill_n(mask.data() + t * length, t + 1, kHidden);
  return only(mask);
}

// ---- norms, dropout, residuals ---------------------------------------------------------------------------------------

struct RowNorm {
  double mean, variance;  // of the population

  RowNorm(const float* x, size_t n) : mean(0), variance(0) {
    for (size_t i = 0; i < n; ++i) mean += static_cast<double>(x[i]) / static_cast<double>(n);
    for (size_t i = 0; i < n; ++i) variance += std::pow(static_cast<double>(x[i]) - mean, 2) / static_cast<double>(n);
  }
  double sample_variance(size_t n) const { return variance * static_cast<double>(n) / static_cast<double>(n - 1); }
};

// Layer norm with another divisor and, of the parameters, the value that `parameter(row, column)` says. Right in ops/norm.cpp,
// layer_norm, and kernels/norms_scalar.cpp.
template <class Divisor, class Place>
Outputs norm_with(Call& call, const Shape& parameters, Divisor&& divisor, Place&& place) {
  const Tensor x = call.input("x");
  const double eps = call.args.eps(1e-5);
  const auto values_of = [&](std::string_view name) -> const float* {
    if (!call.args.find(name)) return nullptr;
    check_shape(("layerNorm: " + std::string(name)).c_str(), parameters, call.args.tensor(name).shape);
    return call.args.floats(name).data();
  };
  const float *weight = values_of("weight"), *bias = values_of("bias");
  Tensor y = call.cx.make(x.shape());
  const size_t n = x.width();
  for (size_t row = 0; row < x.rows(); ++row) {
    const float* in = x.data() + row * n;
    const RowNorm norm(in, n);
    const double by = divisor(norm, n, eps);
    for (size_t i = 0; i < n; ++i) {
      const size_t at = place(row, i, n);
      y.data()[row * n + i] = static_cast<float>((static_cast<double>(in[i]) - norm.mean) / by) * (weight ? weight[at] : 1.f) +
                              (bias ? bias[at] : 0.f);
    }
  }
  return only(y);
}

Shape width_of(Call& call) { return {call.args.tensor("x").shape.rank() > 0 ? call.args.tensor("x").shape[-1] : 0}; }
size_t by_column(size_t, size_t column, size_t) { return column; }

// (x − mean) / (std + eps): eps is no longer a variance, so where a row hardly varies results are many times too small, and a
// checkpoint trained with the one is read wrongly by the other.
Outputs eps_outside(Call& call) {
  return norm_with(
      call, width_of(call), [](const RowNorm& row, size_t, double eps) { return std::sqrt(row.variance) + eps; }, by_column);
}

// The sample's variance, n − 1 in the denominator (torch.var, numpy's ddof = 1): all values too small by √((n − 1) / n), 13 %
// for 4 features, and NaN for one.
Outputs sample_variance(Call& call) {
  return norm_with(
      call, width_of(call), [](const RowNorm& row, size_t n, double eps) { return std::sqrt(row.sample_variance(n) + eps); },
      by_column);
}

// Both: x.std() + eps, as many tutorials write it.
Outputs sample_deviation(Call& call) {
  return norm_with(
      call, width_of(call), [](const RowNorm& row, size_t n, double eps) { return std::sqrt(row.sample_variance(n)) + eps; },
      by_column);
}

// Weight and bias of shape [T, D], taken from a whole sequence: every position learns its own, and no other length fits.
Outputs weights_per_position(Call& call) {
  const Shape& x = call.args.tensor("x").shape;
  if (x.rank() < 2) call.args.refuse("x", "shape […, T, D]", to_string(x));
  const size_t T = static_cast<size_t>(x[-2]);
  return norm_with(
      call, {x[-2], x[-1]}, [](const RowNorm& row, size_t, double eps) { return std::sqrt(row.variance + eps); },
      [T](size_t row, size_t column, size_t n) { return row % T * n + column; });
}

struct Dropped {
  Tensor x, kept;
  float p;

  explicit Dropped(Call& call)
      : x(call.input("x")), kept(call.cx.make(x.shape())), p(static_cast<float>(call.args.number("p"))) {
    if (!(p >= 0.f && p < 1.f)) call.args.refuse("p", "a number from 0 to below 1", shown(static_cast<double>(p)));
    Random random(static_cast<uint64_t>(call.args.integer("seed", 0, 0)));
    std::generate_n(kept.data(), kept.size(), [&] { return random.uniform() < p ? 0.f : 1.f; });
  }
};

// Dropped values are zero but the others are not divided by 1 − p: in training a layer sees sums that are 1 − p times those
// that it sees later, so all it has learnt is off by that factor when it is used. Right in ops/elementwise.cpp, dropout.
Outputs dropout_not_inverted(Call& call) {
  Dropped d(call);
  call.args.boolean("training", true);
  return {{"output", multiply(call.cx, d.x, d.kept)}, {"kept", d.kept}};
}

// Dropout left on when the model is used (no model.eval()): each run, here each seed, gives another answer. Right in
// ops/context.h: without a random generator dropout is off.
Outputs dropout_at_inference(Call& call) {
  Dropped d(call);
  call.args.boolean("training", false);
  return {{"output", scale(call.cx, 1.f / (1.f - d.p), multiply(call.cx, d.x, d.kept))}, {"kept", d.kept}};
}

struct Without {
  bool residual = false, feed_forward = false;
};

// A layer without what is named. Without residuals every layer replaces what it was given instead of adding to it, so after a
// few layers tokens are alike and gradients do not reach the first ones. A decoder without its feed-forward only ever mixes
// tokens. Right in model/layers.cpp, transformer_layer.
Tensor layer_without(const Context& cx, const Layer& w, Tensor x, const Surroundings& around, Without without) {
  const auto part = [&](const Norm& norm, const auto& compute) {
    Tensor y = compute(w.norm_first ? norm(cx, x) : x);
    if (!without.residual) y = add(cx, std::move(y), x);
    x = w.norm_first ? std::move(y) : norm(cx, std::move(y));
  };
  part(w.norm1, [&](const Tensor& y) { return attention(cx, w.attn, y, y, y, around.mask); });
  if (w.has_cross) part(w.norm_cross, [&](const Tensor& y) { return cross_attention(cx, w.cross, 0, y, around); });
  if (!without.feed_forward) part(w.norm2, [&](const Tensor& y) { return feed_forward(cx, w.mlp, y); });
  return x;
}

Outputs encoder_layer_without_residual(Call& call) {
  LayerInputs in(call, false);
  return only(layer_without(call.cx, in.layer, std::move(in.x), in.around, {.residual = true}));
}
Outputs decoder_layer_without_residual(Call& call) {
  LayerInputs in(call, true);
  return only(layer_without(call.cx, in.layer, std::move(in.x), in.around, {.residual = true}));
}
Outputs decoder_layer_without_feed_forward(Call& call) {
  LayerInputs in(call, true);
  return only(layer_without(call.cx, in.layer, std::move(in.x), in.around, {.feed_forward = true}));
}

// Nothing hides what comes later, although it was asked for: see hidden_in_triangle.
Outputs decoder_layer_without_causal_mask(Call& call) {
  LayerInputs in(call, true);
  in.around.mask = {};
  return only(transformer_layer(call.cx, in.layer, 0, std::move(in.x), in.around));
}

// The source's padding is attended to: a translation then depends on how long the other texts of its batch are.
Outputs decoder_layer_without_memory_mask(Call& call) {
  LayerInputs in(call, true);
  in.around.memory_mask = {};
  return only(transformer_layer(call.cx, in.layer, 0, std::move(in.x), in.around));
}

Outputs encoder_without_residual(Call& call) {
  EncoderInputs in(call);
  for (size_t l = 0; l < in.layers.size(); ++l)
    in.x = layer_without(call.cx, in.layers[l], std::move(in.x), in.around[l], {.residual = true});
  return only(in.norm ? in.norm(call.cx, std::move(in.x)) : std::move(in.x));
}

// "Checkpointing" that drops the activations of all segments but the last and never computes them again: the loss is right, the
// memory small, and the layers below never learn, as their gradients are zero. Right in ops/recompute.cpp.
Outputs encoder_never_recomputed(Call& call) {
  EncoderInputs in(call);
  Context forgetful = call.cx;
  forgetful.tape = nullptr;
  const size_t n = in.layers.size(), step = static_cast<size_t>(std::max<int64_t>(in.recompute_every, 1));
  const size_t last_segment = n == 0 ? 0 : (n - 1) / step * step;
  for (size_t l = 0; l < n; ++l)
    in.x = transformer_layer(l < last_segment ? forgetful : call.cx, in.layers[l], l, std::move(in.x), in.around[l]);
  return only(in.norm ? in.norm(call.cx, std::move(in.x)) : std::move(in.x));
}

// ---- ids and pooling -------------------------------------------------------------------------------------------------

// An encoder given ids where it needs vectors: each number repeated over the width. Token 8 is then "twice" token 4, and after
// a layer norm all tokens are equal. Right in ops/embedding.cpp.
Outputs ids_as_vectors(Call& call) {
  const std::vector<int32_t> ids = call.args.ids("ids");
  const Parameter& weight = call.parameter(call.args, "weight", {kAny, kAny});
  const auto given = call.args.tensor("ids").shape.extents();
  std::vector<int64_t> extents(given.begin(), given.end());
  extents.push_back(weight.shape[1]);
  Tensor y = call.cx.make(Shape(extents));
  for (size_t i = 0; i < y.size(); ++i) y.data()[i] = static_cast<float>(ids[i / y.width()]);
  return only(y);
}

// How often each word occurs (CountVectorizer), taken for ids: the order of the words is gone, and what a translator reads is a
// text of the tokens number 0, 1 and 2. There is no right form of it but a tokenizer. ids: [B, T] → [B, vocabSize]
Outputs counts_as_ids(Call& call) {
  const Shape& shape = call.args.tensor("ids").shape;
  if (shape.rank() != 2) call.args.refuse("ids", "shape [B, T]", to_string(shape));
  const std::vector<int32_t> ids = call.args.ids("ids");
  const int64_t V = call.args.integer("vocabSize", 1), T = shape[1];
  Tensor counts = call.cx.zeros({shape[0], V});
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= V) call.args.refuse("ids", "values from 0 to " + std::to_string(V - 1), std::to_string(ids[i]));
    ++counts.data()[static_cast<int64_t>(i) / T * V + ids[i]];
  }
  return only(counts);
}

struct PoolInputs {
  Tensor x;  // [B, T, D]

  explicit PoolInputs(Call& call) : x(input_of_rank(call, "x", 3, "[B, T, D]")) {
    check_shape("meanPool: mask", {x.dim(0), x.dim(1)}, call.args.tensor("mask").shape);
  }
};

// The mean over all places, padding too: a short text in a batch with a long one is mostly padding, so its class depends on its
// neighbours. Right in ops/pooling.cpp, mean_pool.
Outputs mean_over_padding(Call& call) {
  const PoolInputs in(call);
  return only(mean_pool(call.cx, in.x, std::vector<int32_t>(static_cast<size_t>(in.x.dim(0) * in.x.dim(1)), 1)));
}

// The mean over axis 0 (mean(0), axis=0), which is the batch: all texts become one, and the result has a row for each place.
Outputs mean_over_batch(Call& call) {
  const PoolInputs in(call);
  Tensor y = call.cx.zeros({in.x.dim(1), in.x.dim(2)});
  for (size_t i = 0; i < in.x.size(); ++i) y.data()[i % y.size()] += in.x.data()[i] / static_cast<float>(in.x.dim(0));
  return only(y);
}

// ---- training --------------------------------------------------------------------------------------------------------

// What crossEntropy is given.
struct LossInputs {
  Tensor logits;
  std::vector<int32_t> labels;
  Shape items;
  float smoothing;
  int32_t ignore;
  int64_t counted = 0;

  explicit LossInputs(Call& call)
      : logits(call.input("logits")),
        items(logits.shape().extents().first(static_cast<size_t>(logits.shape().rank() - 1))),
        smoothing(static_cast<float>(call.args.number("labelSmoothing", 0))),
        ignore(call.args.id("ignoreIndex", -100)) {
    check_shape("crossEntropy: labels", items, call.args.tensor("labels").shape);
    labels = call.args.ids("labels");
    for (const int32_t label : labels) {
      if (label == ignore) continue;
      if (label < 0 || label >= last(logits))
        call.args.refuse("labels", "values from 0 to " + std::to_string(last(logits) - 1), std::to_string(label));
      ++counted;
    }
    if (counted == 0) call.args.refuse("labels", "at least one label that counts", "none");
  }
  bool counts(size_t row) const { return labels[row] != ignore; }

  Outputs outputs(const Context& cx, const Tensor& sum, const Tensor& per_row) const {
    const Tensor mean = glass::scale(cx, 1.f / static_cast<float>(counted), sum);
    return {{"loss", mean.reshaped({})}, {"perItem", per_row.reshaped(items)}};
  }
};

// −log of what the model gives, as if it were probabilities already: a logit may be negative, whose logarithm is NaN, or above
// 1, whose loss is negative, and nothing holds the other classes down. Right in ops/cross_entropy.cpp.
Outputs logits_as_probabilities(Call& call) {
  const LossInputs in(call);
  const size_t V = in.logits.width();
  Tensor sum = call.cx.zeros({1}), per_row = call.cx.zeros({static_cast<int64_t>(in.labels.size())});
  for (size_t row = 0; row < in.labels.size(); ++row) {
    if (!in.counts(row)) continue;
    per_row.data()[row] = -std::log(in.logits.data()[row * V + static_cast<size_t>(in.labels[row])]);
    sum.data()[0] += per_row.data()[row];
  }
  if (call.cx.tracks(in.logits))
    call.cx.tape->record(sum, [in, V](const Tensor& y) {
      for (size_t row = 0; row < in.labels.size(); ++row) {
        const size_t at = row * V + static_cast<size_t>(in.counts(row) ? in.labels[row] : 0);
        if (in.counts(row)) in.logits.gradient()[at] -= y.gradient()[0] / in.logits.data()[at];
      }
    });
  return in.outputs(call.cx, sum, per_row);
}

// A softmax layer in front of a loss that has its own (nn.CrossEntropyLoss): the second sees values between 0 and 1, so even a
// model that is always right cannot get below log(1 + (V − 1)/e), and gradients are small. Right in ops/cross_entropy.cpp.
Outputs probabilities_as_logits(Call& call) {
  const LossInputs in(call);
  const Loss loss = cross_entropy(call.cx, softmax(call.cx, in.logits), in.labels, in.smoothing, in.ignore);
  return in.outputs(call.cx, loss.sum, loss.per_row);
}

// The target of a label where smoothing is not spread rightly: `elsewhere` on every class, 1 − smoothing more on the label.
Tensor mistaken_targets(const Context& cx, std::span<const int32_t> labels, int64_t classes, float smoothing, float elsewhere) {
  Tensor y = cx.make({static_cast<int64_t>(labels.size()), classes});
  std::fill_n(y.data(), y.size(), elsewhere);
  for (size_t row = 0; row < labels.size(); ++row)
    if (labels[row] >= 0 && labels[row] < classes)
      y.data()[row * y.width() + static_cast<size_t>(labels[row])] += 1.f - smoothing;
  return y;
}

// Smoothing added to every class whole, not divided among them: targets add up to 1 + (V − 1) · smoothing.
float undivided(float smoothing, int64_t) { return smoothing; }
// Divided among the V − 1 others but added to all V: targets add up to 1 + smoothing / (V − 1). For one class infinite.
float over_others(float smoothing, int64_t classes) { return smoothing / static_cast<float>(classes - 1); }

// −Σ target · log softmax(logits) for any target, also one whose values do not add up to 1: the least loss is then not where
// the model's probabilities are the target, and losses of different smoothing cannot be compared. Right in
// ops/cross_entropy.cpp.
Outputs smoothed_by(Call& call, float (*elsewhere)(float, int64_t)) {
  const LossInputs in(call);
  const size_t V = in.logits.width();
  const Tensor targets =
      mistaken_targets(call.cx, in.labels, last(in.logits), in.smoothing, elsewhere(in.smoothing, last(in.logits)));
  Tensor sum = call.cx.zeros({1}), per_row = call.cx.zeros({static_cast<int64_t>(in.labels.size())});
  for (size_t row = 0; row < in.labels.size(); ++row) {
    if (!in.counts(row)) continue;
    const float *x = in.logits.data() + row * V, *target = targets.data() + row * V;
    per_row.data()[row] = simd.sum(target, V) * simd.log_sum_exp(x, V) - simd.dot(target, x, V);
    sum.data()[0] += per_row.data()[row];
  }
  if (call.cx.tracks(in.logits))
    call.cx.tape->record(sum, [in, targets, V](const Tensor& y) {  // dx = Σ target · softmax(x) − target
      std::vector<float> row(V);
      for (size_t i = 0; i < in.labels.size(); ++i) {
        if (!in.counts(i)) continue;
        const float* target = targets.data() + i * V;
        simd.softmax_rows(in.logits.data() + i * V, nullptr, 0, row.data(), 1, V);
        simd.scale(simd.sum(target, V), row.data(), row.data(), V);
        simd.axpy(-1.f, target, row.data(), V);
        simd.axpy(y.gradient()[0], row.data(), in.logits.gradient() + i * V, V);
      }
    });
  return in.outputs(call.cx, sum, per_row);
}
Outputs smoothing_undivided(Call& call) { return smoothed_by(call, undivided); }
Outputs smoothing_over_others(Call& call) { return smoothed_by(call, over_others); }

// The right loss is printed, but what is differentiated is the mean of the model's output: the curve is drawn, the weights
// move, and nothing is learnt. Right in train/trainer.cpp, where the tape starts from the loss.
Outputs gradient_of_mean(Call& call) {
  const LossInputs in(call);
  Context untaped = call.cx;
  untaped.tape = nullptr;
  const Loss loss = cross_entropy(untaped, in.logits, in.labels, in.smoothing, in.ignore);
  if (call.cx.tracks(in.logits))
    call.cx.tape->record(loss.sum, [logits = in.logits, counted = in.counted](const Tensor& y) {
      const float each = y.gradient()[0] * static_cast<float>(counted) / static_cast<float>(logits.size());
      for (size_t i = 0; i < logits.size(); ++i) logits.gradient()[i] += each;
    });
  return in.outputs(call.cx, loss.sum, loss.per_row);
}

// Targets that do not add up to 1, as above. Right in ops/cross_entropy.cpp, smoothed_labels.
Outputs labels_smoothed_by(Call& call, float (*elsewhere)(float, int64_t)) {
  const int64_t classes = call.args.integer("classes", 1);
  const float smoothing = static_cast<float>(call.args.number("smoothing"));
  const std::vector<int32_t> labels = call.args.ids("labels");
  smoothed_labels(call.cx, labels, classes, smoothing);  // refuses what the right one refuses
  const auto given = call.args.tensor("labels").shape.extents();
  std::vector<int64_t> extents(given.begin(), given.end());
  extents.push_back(classes);
  return only(mistaken_targets(call.cx, labels, classes, smoothing, elsewhere(smoothing, classes)).reshaped(Shape(extents)));
}
Outputs labels_undivided(Call& call) { return labels_smoothed_by(call, undivided); }
Outputs labels_over_others(Call& call) { return labels_smoothed_by(call, over_others); }

// Steps counted from 0: 0^−½ is infinite (Python raises ZeroDivisionError; NumPy warns). The lesser of both terms, 0, is taken,
// so the first batch teaches nothing and every rate comes a step late. Right in train/schedule.cpp, noam_rate.
Outputs rate_from_zero(Call& call) {
  const double step = static_cast<double>(call.args.integer("step", 0)),
               width = static_cast<double>(call.args.integer("dModel", 1)),
               warmup = static_cast<double>(call.args.integer("warmup", 1));
  const double by_step = std::pow(step, -0.5), by_warmup = step * std::pow(warmup, -1.5);
  Outputs outputs;
  for (const auto& [name, value] : {std::pair{"rate", std::min(by_step, by_warmup) / std::sqrt(width)},
                                    std::pair{"byStep", by_step}, std::pair{"byWarmup", by_warmup}}) {
    Tensor number = call.cx.make({});
    number.data()[0] = static_cast<float>(value);
    outputs.emplace_back(name, std::move(number));
  }
  return outputs;
}

// Gradients accumulated over parts as the mean of the parts' means: a token of a short part counts more than one of a long
// part, and k parts are not one big batch. Right in train/trainer.cpp, which adds sums and divides by all that counted, and in
// ops by average with weights.
Outputs mean_of_means(Call& call) {
  const ListArgument& tensors = call.args.list("tensors");
  if (tensors.empty()) call.args.refuse("tensors", "at least one tensor", "an empty list");
  if (call.args.find("weights")) call.args.numbers("weights", tensors.size());
  Tensor mean;
  for (const Argument& item : tensors) {
    Fields one("average", "");
    one.add("tensors", item);
    const std::vector<float>& values = one.floats("tensors");
    if (!mean) mean = call.cx.zeros(one.tensor("tensors").shape);
    check_shape("average: tensors", mean.shape(), one.tensor("tensors").shape);
    simd.axpy(1.f / static_cast<float>(tensors.size()), values.data(), mean.data(), mean.size());
  }
  return only(mean);
}

// ---- tables ----------------------------------------------------------------------------------------------------------

constexpr Mistake kOfSoftmax[] = {{"withoutMaximum", softmax_without_maximum}};
constexpr Mistake kOfLookAheadMask[] = {{"inverted", inverted_look_ahead_mask}};
constexpr Mistake kOfLayerNorm[] = {{"epsOutside", eps_outside},
                                    {"sampleVariance", sample_variance},
                                    {"sampleDeviation", sample_deviation},
                                    {"weightsPerPosition", weights_per_position}};
constexpr Mistake kOfDropout[] = {{"notInverted", dropout_not_inverted}, {"atInference", dropout_at_inference}};
constexpr Mistake kOfEncoderLayer[] = {{"withoutResidual", encoder_layer_without_residual}};
constexpr Mistake kOfEncoder[] = {{"withoutResidual", encoder_without_residual}, {"neverRecomputed", encoder_never_recomputed}};
constexpr Mistake kOfDecoderLayer[] = {{"withoutResidual", decoder_layer_without_residual},
                                       {"withoutFeedForward", decoder_layer_without_feed_forward},
                                       {"noCausalMask", decoder_layer_without_causal_mask},
                                       {"noMemoryMask", decoder_layer_without_memory_mask}};
constexpr Mistake kOfEmbedding[] = {{"idsAsVectors", ids_as_vectors}};
constexpr Mistake kOfMeanPool[] = {{"overPadding", mean_over_padding}, {"overBatch", mean_over_batch}};
constexpr Mistake kOfCrossEntropy[] = {{"logitsAsProbabilities", logits_as_probabilities},
                                       {"probabilitiesAsLogits", probabilities_as_logits},
                                       {"smoothingUndivided", smoothing_undivided},
                                       {"smoothingOverOthers", smoothing_over_others},
                                       {"gradientOfMean", gradient_of_mean}};
constexpr Mistake kOfLabelSmoothing[] = {{"undivided", labels_undivided}, {"overOthers", labels_over_others}};
constexpr Mistake kOfNoamRate[] = {{"fromZero", rate_from_zero}};
constexpr Mistake kOfAverage[] = {{"meanOfMeans", mean_of_means}};

template <const auto& known>
Outputs one_of(Call& call) {
  return choose(call, known);
}

// Those with a gradient are differentiable as the right ones are; of the others only the forward pass goes wrong.
constexpr Op kTable[] = {
    {"softmax", "x", false, one_of<kOfSoftmax>},
    {"attention", "q k v", false, mistaken_attention},
    {"averageHeads", "weights", false, average_heads},
    {"lookAheadMask", "length", false, one_of<kOfLookAheadMask>},
    {"layerNorm", "x", false, one_of<kOfLayerNorm>},
    {"dropout", "x", true, one_of<kOfDropout>},
    {"encoderLayer", "x layer", true, one_of<kOfEncoderLayer>},
    {"encoder", "x stack", true, one_of<kOfEncoder>},
    {"decoderLayer", "x memory layer", true, one_of<kOfDecoderLayer>},
    {"embedding", "ids weight", false, one_of<kOfEmbedding>},
    {"countsAsIds", "ids vocabSize", false, counts_as_ids},
    {"meanPool", "x mask", false, one_of<kOfMeanPool>},
    {"crossEntropy", "logits labels", true, one_of<kOfCrossEntropy>},
    {"labelSmoothing", "labels classes smoothing", false, one_of<kOfLabelSmoothing>},
    {"noamRate", "step", false, one_of<kOfNoamRate>},
    {"average", "tensors", false, one_of<kOfAverage>},
};

}  // namespace

const std::span<const Op> kMistakes = kTable;

}  // namespace glass
