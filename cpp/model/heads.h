// What the layers' files share: names of axes for hooks, and heads as an axis of their own.
#pragma once

#include "tensor/tensor.h"

namespace glass {

inline constexpr const char* kTokens = "batch pos dim";
inline constexpr const char* kHeads = "batch pos head dim";
inline constexpr const char* kPattern = "batch head query key";

// [B, N, H·K] → [B, N, H, K]
inline Tensor split_heads(const Tensor& x, int64_t heads) { return x.reshaped({x.dim(0), x.dim(1), heads, x.dim(2) / heads}); }
// [B, N, H, K] → [B, N, H·K]
inline Tensor join_heads(const Tensor& x) { return x.reshaped({x.dim(0), x.dim(1), x.dim(2) * x.dim(3)}); }

}  // namespace glass
