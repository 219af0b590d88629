// Stop strings: texts that end what is generated with the token that completes one of them, as transformers'
// StopStringCriteria has it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glass {

// What each token of a vocabulary adds to a text, as bytes (UTF-8; a token may be part of a character).
class TokenTexts {
 public:
  TokenTexts() = default;
  // `bytes`: the texts one behind the other; ends[id]: where that of token id ends. Throws Error(bad_input) for ends that are
  // not in order or beyond the bytes.
  TokenTexts(std::string bytes, std::vector<int32_t> ends);

  bool empty() const { return ends_.empty(); }
  // Of a token that the vocabulary lacks a byte that is in no text, so that nothing is found across it.
  std::string_view operator[](int32_t id) const;

 private:
  std::string bytes_;
  std::vector<int32_t> ends_;
};

class StopStrings {
 public:
  StopStrings() = default;  // none
  // Throws Error(bad_input) for an empty string, and where there are strings but no texts to look for them in.
  StopStrings(std::vector<std::string> strings, TokenTexts texts);

  bool empty() const { return strings_.empty(); }
  // Looks at the text of `before` and `tokens`. Where a stop string ends in the text of the last token: the bytes of that text
  // behind it, of several the one that ends first; nothing where none does. Stop strings that are further back do not count.
  std::optional<std::string_view> behind(std::span<const int32_t> before, std::span<const int32_t> tokens) const;

 private:
  std::vector<std::string> strings_;
  size_t longest_ = 0;  // bytes
  TokenTexts texts_;
};

}  // namespace glass
