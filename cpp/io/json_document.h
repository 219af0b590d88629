// The one parser of JSON documents. Private to io; it pulls in all of nlohmann.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace glass {

// Throws Error(bad_config) for what is no JSON, for keys given twice and for more than kMaxJsonDepth levels.
nlohmann::json read_document(std::string_view text, std::string_view where);

}  // namespace glass
