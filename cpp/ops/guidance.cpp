#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr float kLeast = 1e-6f;  // a weight below counts as this, so that the loss and its gradient stay finite

}  // namespace

Tensor attention_guidance(const Context& cx, const Tensor& pattern, int64_t head, std::span<const int32_t> links) {
  const int64_t B = pattern.dim(0), H = pattern.dim(1), T = pattern.dim(2), S = pattern.dim(3);
  if (head < 0 || head >= H || links.size() != static_cast<size_t>(B * T))
    throw_error(ErrorCode::bad_input,
                {"attention_guidance: expected a head below ", H, " and ", B * T, " links, got ", head, " and ", links.size()});
  std::vector<size_t> places;  // of the linked weights
  for (size_t i = 0; i < links.size(); ++i) {
    if (links[i] < 0) continue;
    if (links[i] >= S) throw_error(ErrorCode::bad_input, {"attention_guidance: expected links below ", S, ", got ", links[i]});
    const size_t b = i / static_cast<size_t>(T), t = i % static_cast<size_t>(T);
    const size_t row = (b * static_cast<size_t>(H) + static_cast<size_t>(head)) * static_cast<size_t>(T) + t;
    places.push_back(row * static_cast<size_t>(S) + static_cast<size_t>(links[i]));
  }
  Tensor loss = cx.zeros({1});
  for (const size_t place : places) loss.data()[0] -= std::log(std::max(pattern.data()[place], kLeast));
  if (cx.tracks(pattern))
    cx.tape->record(loss, [pattern, places](const Tensor& loss) {
      for (const size_t place : places)
        pattern.gradient()[place] -= loss.gradient()[0] / std::max(pattern.data()[place], kLeast);
    });
  return loss;
}

}  // namespace glass
