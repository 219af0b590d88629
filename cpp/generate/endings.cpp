#include "generate/endings.h"

#include <algorithm>

namespace glass {

std::string_view ending_name(Ending ending) {
  switch (ending) {
    case Ending::none:
      return "";
    case Ending::end_token:
      return "end-token";
    case Ending::stop_string:
      return "stop";
    case Ending::length:
      return "length";
    case Ending::positions:
      return "positions";
  }
  return "";
}

Ending Endings::of(std::span<const int32_t> generated) const {
  if (generated.empty()) return Ending::none;
  if (std::find(end_tokens.begin(), end_tokens.end(), generated.back()) != end_tokens.end()) return Ending::end_token;
  return stops.behind(prompt, generated) ? Ending::stop_string : Ending::none;
}

}  // namespace glass
