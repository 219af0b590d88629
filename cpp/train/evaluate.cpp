#include <algorithm>

#include "ops/ops.h"
#include "train/trainer.h"

namespace glass {
namespace {

// How many logits are larger than that of the label; all, where that one is not a number.
size_t rank_of(const float* logits, size_t width, int32_t label) {
  return static_cast<size_t>(std::count_if(logits, logits + width, [&](float x) { return !(x <= logits[label]); }));
}

}  // namespace

std::vector<Evaluation> evaluate(const Model& model, Arena& arena, std::span<const Example> examples) {
  const LabelledBatch batch = collate(examples, model.config());
  std::vector<Evaluation> results(examples.size());
  if (batch.labels.empty()) return results;
  const Context cx{arena};
  const Output output = model.forward(cx, batch.batch);
  const Loss loss = cross_entropy(cx, output.logits, batch.labels);
  const bool token_wise = !batch.batch.rows.empty();
  const size_t width = output.logits.width();
  const int64_t length = model.config().kind == Kind::encoder_decoder ? batch.batch.target.length : batch.batch.length;
  for (size_t i = 0; i < batch.labels.size(); ++i) {
    const float* logits = output.logits.data() + i * width;
    Evaluation& e = results[token_wise ? static_cast<size_t>(batch.batch.rows[i] / length) : i];
    if (!token_wise) e.predicted = static_cast<int32_t>(std::max_element(logits, logits + width) - logits);
    if (batch.labels[i] == kIgnore) continue;
    const size_t rank = rank_of(logits, width, batch.labels[i]);
    e.loss += static_cast<double>(loss.per_row.data()[i]);
    e.count += 1;
    e.correct += rank == 0;
    e.correct5 += rank < 5;
  }
  return results;
}

}  // namespace glass
