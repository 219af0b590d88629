#include "generate/stop_strings.h"

#include <algorithm>

#include "tensor/error.h"

namespace glass {
namespace {

constexpr std::string_view kInNoText = "\xff";

}  // namespace

TokenTexts::TokenTexts(std::string bytes, std::vector<int32_t> ends) : bytes_(std::move(bytes)), ends_(std::move(ends)) {
  const bool in_order = std::is_sorted(ends_.begin(), ends_.end());
  if (!in_order || (!ends_.empty() && (ends_.front() < 0 || static_cast<size_t>(ends_.back()) > bytes_.size())))
    throw_error(ErrorCode::bad_input, {"token texts: expected ends in order, up to ", bytes_.size()});
}

std::string_view TokenTexts::operator[](int32_t id) const {
  if (id < 0 || static_cast<size_t>(id) >= ends_.size()) return kInNoText;
  const size_t at = static_cast<size_t>(id), begin = at == 0 ? 0 : static_cast<size_t>(ends_[at - 1]);
  return std::string_view(bytes_).substr(begin, static_cast<size_t>(ends_[at]) - begin);
}

StopStrings::StopStrings(std::vector<std::string> strings, TokenTexts texts)
    : strings_(std::move(strings)), texts_(std::move(texts)) {
  if (!strings_.empty() && texts_.empty())
    throw_error(ErrorCode::bad_input, {"stop: expected a model with a tokenizer, there is no text to stop at"});
  for (const std::string& string : strings_) {
    if (string.empty()) throw_error(ErrorCode::bad_input, {"stop: expected texts to stop at, got an empty one"});
    longest_ = std::max(longest_, string.size());
  }
}

std::optional<std::string_view> StopStrings::behind(std::span<const int32_t> before, std::span<const int32_t> tokens) const {
  if (strings_.empty() || tokens.empty()) return std::nullopt;
  // As much of the text as a stop string can reach back to from the last token's first byte.
  std::string text;
  size_t left = before.size() + tokens.size() - 1;
  while (left > 0 && text.size() + 1 < longest_) {
    --left;
    text.insert(0, texts_[left < before.size() ? before[left] : tokens[left - before.size()]]);
  }
  const size_t earlier = text.size();
  const std::string_view last = texts_[tokens.back()];
  text += last;

  size_t first_end = std::string::npos;
  for (const std::string& string : strings_) {
    const size_t at = text.find(string, earlier + 1 > string.size() ? earlier + 1 - string.size() : 0);
    if (at != std::string::npos) first_end = std::min(first_end, at + string.size());
  }
  if (first_end == std::string::npos) return std::nullopt;
  return last.substr(first_end - earlier);
}

}  // namespace glass
