// Examples, and how they become a batch and its labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/batch.h"
#include "model/config.h"

namespace glass {

constexpr int32_t kIgnore = -100;  // a label that does not count, as in PyTorch

struct Example {
  std::vector<int32_t> ids;
  std::vector<int32_t> types;             // empty: all 0
  std::vector<int32_t> labels;            // one for each token of the output (kIgnore where none), or one for the text
  std::vector<int32_t> decoder_ids = {};  // what an encoder–decoder's decoder reads: the target after its start token
  std::vector<int32_t> links = {};        // for each label the source token it comes from, −1 where none; empty: no links
};

// For language models label t is the token that follows token t: labels are given shifted, for decoders of both kinds.
// Padded to the longest, with logits asked for only where a label counts.
struct LabelledBatch {
  Batch batch;
  std::vector<int32_t> labels;      // for batch.rows, or for each text
  std::vector<int32_t> links = {};  // for each place of the target, −1 where none; empty: no example has any
};
// Throws Error(bad_input) for an example whose labels do not fit the task.
LabelledBatch collate(std::span<const Example> examples, const Config& config);

}  // namespace glass
