// What goes into a run and comes out of it, as plain data of JavaScript; shared by models and generations.
#pragma once

#include <vector>

#include "convert.h"
#include "model/batch.h"
#include "tensor/arena.h"
#include "trace/trace.h"

namespace glass::bindings {

// Activations up to this size stay allocated for the next run; those of larger runs go back.
constexpr size_t kKeptBytes = 32 << 20;

// { size, length, ids, mask, types, target: { size, length, ids, mask } }, target for an encoder–decoder
Batch batch_in(const val& given);
// [{ at, kind, where: { dim: index }, values }]
std::vector<Edit> edits_in(const val& list);
// { logits, lastHidden, encoderLastHidden, pooled }, those that there are
val output_out(const Output& output, bool with_encoder);
// [{ name, dims, shape, data }]; the values are no longer held afterwards
val recorded_out(std::vector<Recorded>& recorded);

// Gives idle memory back at the end of a run that took much of it beside what stays, or failed.
struct Trim {
  Arena& arena;
  bool always = true;  // after an error
  explicit Trim(Arena& a) : arena(a) { arena.reset_peak(); }
  ~Trim() {
    if (always || arena.peak_bytes() - arena.bytes_in_use() > kKeptBytes) arena.trim();
  }
};

}  // namespace glass::bindings
