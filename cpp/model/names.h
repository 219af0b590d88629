// Where a family keeps its parameters: rules from the names that layers ask by to the names in its checkpoints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glass {

// {"blocks.{l}.attn.q", "encoder.layer.{l}.attention.self.query"}: a module by module table; what follows the module
// (".weight", ".bias") is kept.
struct NameRule {
  std::string_view ours, theirs;
};

// "blocks.3.attn.q.weight" → "encoder.layer.3.attention.self.query.weight" by the first rule that fits. Throws
// std::logic_error where none does: a family's table is then incomplete.
std::string translate(std::span<const NameRule> rules, std::string_view ours);

// Whether `name` fits `pattern`, in which * stands for any run of characters.
bool matches_pattern(std::string_view pattern, std::string_view name);

// Of `names`, those nearest to `wanted` by edit distance, at most `most`, nearest first; for messages.
std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names, size_t most = 3);

// "a", "b" or "c"
std::string join_names(const std::vector<std::string>& names);

}  // namespace glass
