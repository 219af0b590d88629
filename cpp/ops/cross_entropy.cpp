#include <algorithm>
#include <vector>

#include "ops/ops.h"
#include "tensor/error.h"

namespace glass {

Tensor smoothed_labels(const Context& cx, std::span<const int32_t> labels, int64_t classes, float smoothing) {
  if (!(smoothing >= 0.f && smoothing <= 1.f))
    throw_error(ErrorCode::bad_input,
                {"smoothed_labels: expected a smoothing in [0, 1], got ", static_cast<double>(smoothing)});
  Tensor y = cx.make({static_cast<int64_t>(labels.size()), classes});
  std::fill_n(y.data(), y.size(), smoothing / static_cast<float>(classes));
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes)
      throw_error(ErrorCode::bad_input, {"smoothed_labels: expected labels from 0 to ", classes - 1, ", got ", labels[i]});
    y.data()[i * y.width() + static_cast<size_t>(labels[i])] += 1.f - smoothing;
  }
  return y;
}

// With smoothing ε over V classes a row's loss is (1 − ε)(lse − x[y]) + ε(lse − mean x), lse = log Σ exp x: the target
// distribution, (1 − ε) on the label plus ε/V on every class, adds up to 1.
Loss cross_entropy(const Context& cx, const Tensor& logits, std::span<const int32_t> labels, float smoothing,
                   int32_t ignore_index) {
  const size_t rows = logits.rows(), V = logits.width();
  if (labels.size() != rows)
    throw_error(ErrorCode::bad_input, {"cross_entropy: expected ", rows, " labels, got ", labels.size()});
  if (!(smoothing >= 0.f && smoothing <= 1.f))
    throw_error(ErrorCode::bad_input,
                {"cross_entropy: expected a labelSmoothing in [0, 1], got ", static_cast<double>(smoothing)});
  for (size_t i = 0; i < rows; ++i)
    if (labels[i] != ignore_index && (labels[i] < 0 || static_cast<size_t>(labels[i]) >= V))
      throw_error(ErrorCode::bad_input, {"cross_entropy: expected labels from 0 to ", V - 1, " or ", ignore_index, ", got ",
                                         labels[i], " in row ", i});
  Loss loss{cx.zeros({1}), cx.zeros({static_cast<int64_t>(rows)}), 0};
  double total = 0;
  for (size_t i = 0; i < rows; ++i) {
    if (labels[i] == ignore_index) continue;
    const float* x = logits.data() + i * V;
    float value = simd.log_sum_exp(x, V) - (1.f - smoothing) * x[labels[i]];
    if (smoothing > 0.f) value -= smoothing * simd.sum(x, V) / static_cast<float>(V);
    loss.per_row.data()[i] = value;
    total += value;
    ++loss.counted;
  }
  loss.sum.data()[0] = static_cast<float>(total);

  if (cx.tracks(logits))  // dx = softmax(x) − target, scaled by what came from above
    cx.tape->record(loss.sum, [logits, kept = std::vector<int32_t>(labels.begin(), labels.end()), smoothing,
                               ignore_index](const Tensor& sum) {
      const size_t V = logits.width();
      const float upstream = sum.gradient()[0], spread = smoothing / static_cast<float>(V);
      std::vector<float> row(V);
      for (size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] == ignore_index) continue;
        simd.softmax_rows(logits.data() + i * V, nullptr, 0, row.data(), 1, V);
        if (spread > 0.f)
          for (float& value : row) value -= spread;
        row[static_cast<size_t>(kept[i])] -= 1.f - smoothing;
        simd.axpy(upstream, row.data(), logits.gradient() + i * V, V);
      }
    });
  return loss;
}

}  // namespace glass
