// The base of both JSON readers: strict where nlohmann's parser is lenient or silent. Private to io; it pulls in all of
// nlohmann.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/text.h"

namespace glass {

// Handlers derive from this and throw Error where the text is not what they expect. Syntax errors, ill-formed UTF-8, numbers
// too large for a double, and NUL bytes (which nlohmann takes for the end of the text) throw Error(code) with line and column.
class StrictSax : public nlohmann::json_sax<nlohmann::json> {
 public:
  StrictSax(ErrorCode code, std::string_view where, std::string_view text) : code_(code), where_(where), text_(text) {}

  void parse() {
    if (const size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      fail({"not valid JSON at ", line_and_column(text_, nul), ": a zero byte"});
    }
    nlohmann::json::sax_parse(text_.begin(), text_.end(), this);
  }

  bool binary(binary_t&) override { return false; }  // JSON text has none

  // `position`: bytes read so far, the offending one included.
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception& error) override {
    const size_t at = position > 0 ? position - 1 : 0;
    fail({"not valid JSON at ", line_and_column(text_, at), ": ", reason(at, error.what())});
  }

 protected:
  [[noreturn]] void fail(std::initializer_list<Part> message) const {
    throw_error(code_, {printable(where_), ": ", joined(message)});
  }

 private:
  // nlohmann's own words without their prefix, "[json.exception.parse_error.101] parse error at line 1, column 2: ".
  std::string reason(size_t at, std::string_view what) const {
    size_t word = std::min(at, text_.size());
    while (word > 0 && std::isalpha(static_cast<unsigned char>(text_[word - 1]))) --word;
    for (std::string_view name : {"NaN", "Infinity", "nan", "inf"}) {
      if (text_.substr(word).starts_with(name)) return std::string(name) + " is no JSON number";
    }
    if (const size_t bracket = what.find("] "); bracket != std::string_view::npos) what.remove_prefix(bracket + 2);
    if (what.starts_with("parse error at ")) {
      if (const size_t colon = what.find(": "); colon != std::string_view::npos) what.remove_prefix(colon + 2);
    }
    return printable(what, 160);
  }

  ErrorCode code_;
  std::string_view where_;
  std::string_view text_;
};

}  // namespace glass
