// What the readers share to make good errors: text from a file made fit for a message, and foreign exceptions turned into ours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "tensor/error.h"

namespace glass {

// Bytes of the UTF-8 character at text[at], or 0 where there is no well-formed one (RFC 3629). `at` < text.size().
size_t utf8_length(std::string_view text, size_t at);

// `text` as valid UTF-8 on one line: control characters and malformed bytes become U+FFFD, and past `most` characters it is cut
// short with "…".
std::string printable(std::string_view text, size_t most = 60);

// The same in double quotes.
std::string in_quotes(std::string_view text, size_t most = 60);

// "line 3, column 7" of byte `at` (clamped to the end), both from 1; columns count characters.
std::string line_and_column(std::string_view text, size_t at);

// Throws the exception that is being handled on, as an Error: one with `code` and `where` for what a library has thrown.
[[noreturn]] void rethrow_as_error(ErrorCode code, std::string_view where);

// Calls `body` and lets nothing but Error out of it.
template <typename Body>
decltype(auto) guarded(ErrorCode code, std::string_view where, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    rethrow_as_error(code, where);
  }
}

}  // namespace glass
