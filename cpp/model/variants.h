// Variants of the layers in layers.h, as configs of our own family ask for them: LSH attention, Linformer's attention and
// reversible layers.
//
// What is computed when. While nobody listens, LSH attention works chunk by chunk and Linformer through its k mixed keys, so
// neither makes a T × S matrix, and a backward pass through reversible layers keeps no activations. While somebody listens
// (Context::hooks), both attentions compute the T × S matrix that they amount to, announce it and weigh the values by it, so an
// edit of it has its effect; results are the same to within rounding. Reversible layers then run on an ordinary tape.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/layers.h"

namespace glass {

// Linformer's projection that all layers of a stack share; null where there is none.
const Parameter* shared_mix(const Config& config, const AskParameter& ask, const std::string& prefix);

// The parameters of a variant's attention. `name` begins their names, `mix` is what shared_mix gave.
Attention make_variant(const Config& config, const StackShape& shape, const AskParameter& ask, const std::string& name,
                       size_t l, const Parameter* mix);

// Keys of LSH attention: queries of unit length. [B, T, H, K] → the same
Tensor lsh_keys(const Context& cx, const Tensor& q);

// Kitaev et al. 2020, section 2. Keys are queries of unit length, which stands for the scaling by 1/√K, as in the authors'
// code; with one bucket this is full attention with shared queries and keys, in which no token sees itself. Hooks: hook_q,
// hook_k, hook_v, hook_buckets [B, H, rounds, S] (edits of it are followed), hook_attn_scores (−inf where no round finds a
// key), hook_pattern, hook_z. With `past` what is found by the new tokens depends on all tokens so far, and what past tokens
// found stays: a token attends as it did when it was the last. x: [B, T, D] → [B, T, D]
Tensor lsh_self_attention(const Context& cx, const Attention& w, const Tensor& x, const AttentionMask& mask, LayerCache* past);

// Wang et al. 2020, equation 7: softmax(q · (E k)ᵀ / √K) · (F v), in which padding is left out of E k and F v. Hooks: hook_q,
// hook_k, hook_v; hook_k_projected [B, k, H, K]; hook_attn_scores_projected and hook_pattern_projected [B, H, T, k];
// hook_pattern [B, H, T, S], the matrix it amounts to, which is hook_pattern_projected · F; hook_z. There are no T × S scores.
// Rows of hook_pattern_projected add up to 1; those of hook_pattern need not, as F is any matrix: weights may be negative, and
// a row adds up to a mean of the sums of F's rows. x: [B, T, D] → [B, T, D]
Tensor linformer_self_attention(const Context& cx, const Attention& w, const Tensor& x, const AttentionMask& mask);

// Layers on two streams: y1 = x1 + attention(norm(x2)), y2 = x2 + feed_forward(norm(y1)), both streams being x at first; a
// decoder's cross-attention is a third step between them, which changes the streams' roles from layer to layer. The result is
// the mean of both streams. Hooks of a layer: hook_resid_pre (x1), hook_resid_pre_second (x2), hook_attn_out, hook_resid_mid
// (y1), hook_mlp_out, hook_resid_post (y2). With LSH attention the backward pass hashes the streams that it got back by
// subtraction: a key within rounding of two buckets, about one in a million, may change its bucket and with it its gradient.
// Layer l is layers[order[l]]. x: [B, T, D] → [B, T, D]
Tensor reversible_layers(const Context& cx, const std::vector<Layer>& layers, std::span<const size_t> order, const Tensor& x,
                         const Surroundings& around);

}  // namespace glass
