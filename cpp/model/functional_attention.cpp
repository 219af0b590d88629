#include "model/functional_attention.h"

#include <cmath>

#include "model/functional_parts.h"
#include "model/heads.h"
#include "model/variants.h"
#include "ops/linformer.h"
#include "ops/lsh.h"
#include "tensor/error.h"

namespace glass::calls {
namespace {

// Heads stand first outside, tokens inside: [B, H, T, K] ↔ [B, T, H, K].
Tensor heads_input(Call& call, std::string_view name) {
  return swap_middle(call.cx, input_of_rank(call, name, 4, "[B, H, T, K]"));
}

// What is computed to be looked at, beside what is asked: no gradients, not counted.
Context aside(const Context& cx) {
  Context plain = cx;
  plain.tape = nullptr;
  plain.macs = nullptr;
  return plain;
}

struct Hashed {
  Tensor q, k, buckets;  // [B, T, H, K] twice, [B, H, hashes, T]
  LshOptions options;
};

Hashed hashed_input(Call& call) {
  Hashed hashed;
  hashed.options.buckets = call.args.integer("buckets", 1);
  hashed.options.rounds = call.args.integer("hashes", 1, 1);
  if (hashed.options.buckets > 1 && hashed.options.buckets % 2 != 0)
    call.args.refuse("buckets", "1 or an even number", std::to_string(hashed.options.buckets));
  const uint64_t seed = static_cast<uint64_t>(call.args.integer("seed", 0, 0));
  hashed.q = heads_input(call, "qk");
  hashed.k = lsh_keys(call.cx, hashed.q);
  const std::vector<float> rotations = lsh_rotations(seed, hashed.options, hashed.q.dim(2), hashed.q.dim(3));
  hashed.buckets = lsh_buckets(call.cx, hashed.k, hashed.q.dim(1), rotations, hashed.options, {});
  return hashed;
}

}  // namespace

Outputs attention_op(Call& call) {
  const AttentionInputs in(call);
  AttentionMask mask = Masking(call, true)(in.matrix());
  mask.batch = static_cast<ptrdiff_t>(in.q.dim(1) * in.k.dim(1));  // all leading axes are one here
  const Tensor scores = attention_scores(call.cx, in.q, in.k, static_cast<float>(in.scale), mask);
  const Tensor pattern = softmax(call.cx, scores);
  const Tensor output = weighted_values(call.cx, pattern, in.v);
  return {{"output", output.reshaped(in.output())},
          {"weights", pattern.reshaped(in.matrix())},
          {"scores", scores.reshaped(in.matrix())}};
}

Outputs multi_head_attention_op(Call& call) {
  const Tensor query = input_of_rank(call, "query", 3, "[B, T, D]"), key = input_of_rank(call, "key", 3, "[B, S, D]"),
               value = input_of_rank(call, "value", 3, "[B, S, D]");
  check_shape("multiHeadAttention: value", key.shape(), value.shape());
  check_shape("multiHeadAttention: key", {query.dim(0), key.dim(1), last(query)}, key.shape());
  const Attention w =
      attention_from(call, call.args, last(query), "inProjWeight", "inProjBias", "outProjWeight", "outProjBias");
  const AttentionMask mask = Masking(call, true)({query.dim(0), w.n_heads, query.dim(1), key.dim(1)});
  HookKeeper keeper("hook_pattern");
  Context cx = call.cx;
  cx.hooks = &keeper;
  const Tensor output = attention(cx, w, query, key, value, mask);
  return {{"output", output}, {"weights", keeper.value()}};
}

Outputs split_heads_op(Call& call) {
  const Tensor x = input_of_rank(call, "x", 3, "[B, T, D]");
  const int64_t heads = call.args.integer("heads", 1);
  if (last(x) % heads != 0)
    call.args.refuse("heads", "a divisor of the width " + std::to_string(last(x)), std::to_string(heads));
  return only(swap_middle(call.cx, split_heads(x, heads)));
}

Outputs join_heads_op(Call& call) { return only(join_heads(heads_input(call, "x"))); }

Outputs lsh_buckets_op(Call& call) { return only(hashed_input(call).buckets); }

Outputs lsh_attention_op(Call& call) {
  Hashed in = hashed_input(call);
  const Tensor v = heads_input(call, "v");
  check_shape("lshAttention: v", in.q.shape(), v.shape());
  in.options.chunk_length = call.args.integer("chunk", 0, 0);
  LshPlan plan(in.buckets, in.options, {}, call.args.boolean("causal", false));
  Outputs outputs{{"output", {}}, {"buckets", in.buckets}};
  if (call.args.boolean("weights", true)) {
    const Context cx = aside(call.cx);
    AttentionMask found;
    const int64_t T = in.q.dim(1), H = in.q.dim(2);
    found.values = lsh_mask(cx, plan, T);  // [B, H, T, T]
    found.query = T;
    found.head = T * T;
    found.batch = H * T * T;
    outputs.emplace_back("weights", softmax(cx, attention_scores(cx, in.q, in.k, 1.f, found)));
  }
  outputs.front().second = swap_middle(call.cx, lsh_attention(call.cx, in.q, in.k, v, std::move(plan), 0.f));
  return outputs;
}

Outputs linformer_attention_op(Call& call) {
  const Tensor q = heads_input(call, "q"), k = heads_input(call, "k"), v = heads_input(call, "v");
  check_shape("linformerAttention: v", k.shape(), v.shape());
  check_shape("linformerAttention: k", {q.dim(0), k.dim(1), q.dim(2), q.dim(3)}, k.shape());
  const int64_t S = k.dim(1);
  const Parameter& e = call.parameter(call.args, "e", {kAny, S});
  const Parameter* own = call.find_parameter(call.args, "f", {e.shape[0], S});
  const Parameter& f = own ? *own : e;
  const double scale = call.args.number("scale", 1 / std::sqrt(static_cast<double>(std::max<int64_t>(last(q), 1))));
  const Tensor mixed = mix_positions(call.cx, e, k, {});  // [B, k, H, K]
  const Tensor pattern = softmax(call.cx, attention_scores(call.cx, q, mixed, static_cast<float>(scale), {}));
  const Tensor output = weighted_values(call.cx, pattern, mix_positions(call.cx, f, v, {}));
  Outputs outputs{{"output", swap_middle(call.cx, output)}, {"projectedWeights", pattern}};
  if (call.args.boolean("weights", true)) outputs.emplace_back("weights", spread_pattern(aside(call.cx), f, pattern, S, {}));
  return outputs;
}

}  // namespace glass::calls
