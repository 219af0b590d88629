// Changes single members of a JSON object and leaves the rest, and its order, as it was.
#pragma once

#include <string>
#include <string_view>

namespace glass {

// `text` with `key` set to a string, in its place or at the end. Throws Error(bad_config) where it is not a JSON object.
std::string with_member(std::string_view text, std::string_view key, std::string_view value);
// `text` without `key`.
std::string without_member(std::string_view text, std::string_view key);

}  // namespace glass
