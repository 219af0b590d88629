#include "io/text.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>

namespace glass {

size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> uint32_t { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u; };
  const auto follows = [&](size_t i, uint32_t low = 0x80, uint32_t high = 0xbf) { return byte(i) >= low && byte(i) <= high; };
  const uint32_t first = byte(at);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    // No overlong forms (E0 80..9F) and no surrogates (ED A0..BF).
    return follows(at + 1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    // No overlong forms (F0 80..8F) and nothing past U+10FFFF (F4 90..BF).
    return follows(at + 1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(at + 2) && follows(at + 3) ? 4
                                                                                                                           : 0;
  }
  return 0;
}

std::string printable(std::string_view text, size_t most) {
  std::string shown;
  size_t at = 0;
  for (size_t characters = 0; at < text.size(); ++characters) {
    if (characters == most) return shown + "…";
    const size_t length = utf8_length(text, at);
    const auto first = static_cast<uint8_t>(text[at]);
    if (length == 0 || first < 0x20 || first == 0x7f) {
      shown += "\xef\xbf\xbd";  // U+FFFD
    } else {
      shown += text.substr(at, length);
    }
    at += std::max<size_t>(length, 1);
  }
  return shown;
}

std::string in_quotes(std::string_view text, size_t most) { return '"' + printable(text, most) + '"'; }

std::string line_and_column(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  const auto continues = [](char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; };
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                                    [&](char c) { return !continues(c); });
  return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1);
}

void rethrow_as_error(ErrorCode code, std::string_view where) {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw_error(ErrorCode::out_of_memory, {printable(where), ": not enough memory to read or write it"});
  } catch (const std::length_error&) {
    throw_error(ErrorCode::out_of_memory, {printable(where), ": too large to read or write in this memory"});
  } catch (const std::exception& error) {
    throw_error(code, {printable(where), ": ", printable(error.what(), 200)});
  }
}

}  // namespace glass
