// The JSON part of a safetensors file. Private to io: `read_header` and `write_header` are the ways in.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/safetensors.h"

namespace glass {

inline constexpr std::string_view kMetadataKey = "__metadata__";

// The entries as the header lists them, begin and end still counted from the data's first byte. Checks all that can be known
// without the file: UTF-8, JSON, the object's form, types, no name twice. Throws bad_weights.
std::vector<TensorEntry> parse_header_json(std::string_view json, std::string_view file_name);

// The reverse. Throws (nlohmann's type_error) for text that is not UTF-8.
std::string header_json(const std::vector<TensorEntry>& entries, const std::map<std::string, std::string>& metadata);

}  // namespace glass
