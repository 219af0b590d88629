#include "trace/step_edits.h"

#include <string_view>

namespace glass {
namespace {

// Whether the hook's positions are those of generated tokens.
bool counts_tokens(std::string_view hook, std::string_view dim) {
  if (hook.starts_with("encoder.")) return false;
  const bool of_source = hook.ends_with("cross_attn.hook_k") || hook.ends_with("cross_attn.hook_v");
  return dim == "query" || (dim == "pos" && !of_source);
}

}  // namespace

std::vector<Edit> edits_of_step(std::span<const Edit> edits, int64_t past, int64_t length, int64_t sequences, int64_t beams) {
  std::vector<Edit> applying;
  for (const Edit& edit : edits) {
    Edit local = edit;
    bool applies = true;
    for (auto& [dim, at] : local.where) {
      if (dim == "batch" && !edit.at.starts_with("encoder.") && at >= sequences && at < beams) applies = false;
      if (at < 0 || !counts_tokens(edit.at, dim)) continue;
      at -= past;
      if (at < 0 || at >= length) applies = false;
    }
    if (applies) applying.push_back(std::move(local));
  }
  return applying;
}

}  // namespace glass
