#include "model/names.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace glass {
namespace {

constexpr std::string_view kLayer = "{l}";

// Splits off the digits at the front of `text`.
std::string_view digits(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789");
  return text.substr(0, end);
}

// Whether `name` is the module `pattern` or lies inside it; then `layer` is what {l} stood for, `rest` what follows.
bool matches(std::string_view pattern, std::string_view name, std::string_view& layer, std::string_view& rest) {
  const size_t mark = pattern.find(kLayer);
  if (mark != std::string_view::npos) {
    if (name.substr(0, mark) != pattern.substr(0, mark)) return false;
    layer = digits(name.substr(mark));
    if (layer.empty()) return false;
    name.remove_prefix(mark + layer.size());
    pattern.remove_prefix(mark + kLayer.size());
  }
  if (name.substr(0, pattern.size()) != pattern) return false;
  rest = name.substr(pattern.size());
  return rest.empty() || rest.front() == '.';
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string translate(std::span<const NameRule> rules, std::string_view ours) {
  for (const NameRule& rule : rules) {
    std::string_view layer, rest;
    if (!matches(rule.ours, ours, layer, rest)) continue;
    std::string theirs(rule.theirs);
    if (const size_t mark = theirs.find(kLayer); mark != std::string::npos) theirs.replace(mark, kLayer.size(), layer);
    return theirs.append(rest);
  }
  throw std::logic_error("no name rule for " + std::string(ours));
}

// Greedy, going back to the last star only: that is enough, and linear in the name for each star.
bool matches_pattern(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names, size_t most) {
  const std::string_view head = wanted.substr(0, 200);  // a bound on the work that bad input can cause
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string& name : names) ranked.emplace_back(edit_distance(head, name), name);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> best;
  for (size_t i = 0; i < std::min(most, ranked.size()); ++i) best.push_back(ranked[i].second);
  return best;
}

std::string join_names(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += '"' + names[i] + '"';
  }
  return text;
}

}  // namespace glass
