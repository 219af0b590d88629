// Changes single members of a JSON object. Keys come out sorted, as transformers writes its configs.
#pragma once

#include <string>
#include <string_view>

namespace glass {

// `text` with `key` set to a string. Throws Error(bad_config) where it is not a JSON object.
std::string with_member(std::string_view text, std::string_view key, std::string_view value);
// `text` without `key`.
std::string without_member(std::string_view text, std::string_view key);

}  // namespace glass
