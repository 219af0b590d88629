#include "train/examples.h"

#include <algorithm>
#include <string>

#include "tensor/error.h"

namespace glass {
namespace {

using Ids = std::vector<int32_t> Example::*;

// One side of the examples, padded to its longest.
Tokens pad(std::span<const Example> examples, Ids side, int32_t filler) {
  size_t longest = 0;
  for (const Example& e : examples) longest = std::max(longest, (e.*side).size());
  Tokens out;
  out.size = static_cast<int64_t>(examples.size());
  out.length = static_cast<int64_t>(longest);
  out.ids.assign(examples.size() * longest, filler);
  out.mask.assign(examples.size() * longest, 0);
  for (size_t i = 0; i < examples.size(); ++i) {
    const auto at = static_cast<ptrdiff_t>(i * longest);
    std::copy((examples[i].*side).begin(), (examples[i].*side).end(), out.ids.begin() + at);
    std::fill_n(out.mask.begin() + at, (examples[i].*side).size(), 1);
  }
  return out;
}

void check_example(const Example& e, size_t i, const Config& config, size_t labels) {
  const bool two_sides = config.kind == Kind::encoder_decoder;
  const std::string sides = two_sides ? "ids, decoderIds" : "ids and no decoderIds";
  const bool linked = e.links.empty() || (two_sides && e.links.size() == e.labels.size());
  if (linked && !e.ids.empty() && e.decoder_ids.empty() != two_sides && e.labels.size() == labels &&
      (e.types.empty() || e.types.size() == e.ids.size()))
    return;
  throw_error(ErrorCode::bad_input,
              {"example ", i, ": expected ", sides, ", ", labels, " labels and as many typeIds as ids or none, got ",
               e.ids.size(), " ids, ", e.decoder_ids.size(), " decoderIds, ", e.labels.size(), " labels, ", e.links.size(),
               " links and ", e.types.size(), " typeIds"});
}

}  // namespace

LabelledBatch collate(std::span<const Example> examples, const Config& config) {
  if (config.task == Task::none)
    throw_error(ErrorCode::bad_input,
                {"expected a model with a head to train, got a plain one (see architectures in its config)"});
  const bool token_wise = config.task != Task::sequence_classification;
  const Ids output = config.kind == Kind::encoder_decoder ? &Example::decoder_ids : &Example::ids;
  for (size_t i = 0; i < examples.size(); ++i)
    check_example(examples[i], i, config, token_wise ? (examples[i].*output).size() : 1);

  LabelledBatch out;
  const int32_t filler = std::max(config.pad_id, 0);
  static_cast<Tokens&>(out.batch) = pad(examples, &Example::ids, filler);
  if (config.kind == Kind::encoder_decoder) out.batch.target = pad(examples, &Example::decoder_ids, filler);
  const size_t length = static_cast<size_t>(out.batch.length);
  if (config.n_types > 0) {
    out.batch.types.assign(out.batch.ids.size(), 0);
    for (size_t i = 0; i < examples.size(); ++i)
      std::copy(examples[i].types.begin(), examples[i].types.end(),
                out.batch.types.begin() + static_cast<ptrdiff_t>(i * length));
  }
  const size_t labelled =
      static_cast<size_t>(config.kind == Kind::encoder_decoder ? out.batch.target.length : out.batch.length);
  for (size_t i = 0; i < examples.size(); ++i)
    for (size_t t = 0; t < examples[i].labels.size(); ++t) {
      const int32_t label = examples[i].labels[t];
      if (token_wise && label == kIgnore) continue;
      if (token_wise) out.batch.rows.push_back(static_cast<int32_t>(i * labelled + t));
      out.labels.push_back(label);
    }
  if (std::any_of(examples.begin(), examples.end(), [](const Example& e) { return !e.links.empty(); })) {
    out.links.assign(examples.size() * labelled, -1);
    for (size_t i = 0; i < examples.size(); ++i)
      std::copy(examples[i].links.begin(), examples[i].links.end(), out.links.begin() + static_cast<ptrdiff_t>(i * labelled));
  }
  return out;
}

}  // namespace glass
