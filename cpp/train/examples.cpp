#include "train/examples.h"

#include <algorithm>
#include <string>

#include "tensor/error.h"

namespace glass {

LabelledBatch collate(std::span<const Example> examples, const Config& config) {
  if (config.task == Task::none)
    throw Error(ErrorCode::bad_input,
                "expected a model with a head to train, got a plain one (see architectures in its config)");
  const bool token_wise = config.task != Task::sequence_classification;
  LabelledBatch out;
  size_t longest = 0;
  for (const Example& e : examples) longest = std::max(longest, e.ids.size());
  out.batch.size = static_cast<int64_t>(examples.size());
  out.batch.length = static_cast<int64_t>(longest);
  const size_t count = examples.size() * longest;
  out.batch.ids.assign(count, config.pad_id);
  out.batch.mask.assign(count, 0);
  if (config.n_types > 0) out.batch.types.assign(count, 0);

  for (size_t i = 0; i < examples.size(); ++i) {
    const Example& e = examples[i];
    const auto at = static_cast<ptrdiff_t>(i * longest);
    const size_t expected = token_wise ? e.ids.size() : 1;
    if (e.ids.empty() || e.labels.size() != expected || (!e.types.empty() && e.types.size() != e.ids.size()))
      throw Error(ErrorCode::bad_input, "example " + std::to_string(i) + ": expected ids, " + std::to_string(expected) +
                                            " labels and as many typeIds as ids or none, got " + std::to_string(e.ids.size()) +
                                            ", " + std::to_string(e.labels.size()) + " and " + std::to_string(e.types.size()));
    std::copy(e.ids.begin(), e.ids.end(), out.batch.ids.begin() + at);
    std::fill_n(out.batch.mask.begin() + at, e.ids.size(), 1);
    if (config.n_types > 0) std::copy(e.types.begin(), e.types.end(), out.batch.types.begin() + at);
    for (size_t t = 0; t < e.labels.size(); ++t) {
      if (token_wise && e.labels[t] == kIgnore) continue;
      if (token_wise) out.batch.rows.push_back(static_cast<int32_t>(i * longest + t));
      out.labels.push_back(e.labels[t]);
    }
  }
  return out;
}

}  // namespace glass
