// Attention through projected keys and values: Wang et al. 2020, "Linformer: Self-Attention with Linear Complexity", section 4.
// A trained matrix of length × k mixes the positions of a sequence into k rows.
#pragma once

#include <cstdint>
#include <span>

#include "ops/context.h"
#include "tensor/parameter.h"

namespace glass {

// Σ_s weight[i, s] · x[b, s, :] over the positions that are not hidden. `weight` is [k, n], of which the first S columns are
// used; hidden: [B, S], ≠ 0 where nothing real stands, empty: nowhere. x: [B, S, H, K], S at most n → [B, k, H, K]
Tensor mix_positions(const Context& cx, const Parameter& weight, const Tensor& x, std::span<const uint8_t> hidden);

// The attention matrix that a pattern over projected values amounts to: pattern · weight, zeros at hidden positions.
// pattern: [B, H, T, k] → [B, H, T, keys]
Tensor spread_pattern(const Context& cx, const Parameter& weight, const Tensor& pattern, int64_t keys,
                      std::span<const uint8_t> hidden);

}  // namespace glass
