// What the readers share to make good errors: text from a file made fit for a message, and foreign exceptions turned into ours.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
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

// Calls `body` and lets nothing but Error out of it. `code` and `where` are for what a library throws.
template <typename Body>
decltype(auto) guarded(ErrorCode code, std::string_view where, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, printable(where) + ": not enough memory to read or write it");
  } catch (const std::length_error&) {
    throw Error(ErrorCode::out_of_memory, printable(where) + ": too large to read or write in this memory");
  } catch (const std::exception& error) {
    throw Error(code, printable(where) + ": " + printable(error.what(), 200));
  }
}

}  // namespace glass
