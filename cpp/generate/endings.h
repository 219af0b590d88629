// Why a text is over, and what ends one by itself.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "generate/stop_strings.h"

namespace glass {

enum class Ending {
  none,         // it is not
  end_token,    // one was generated
  stop_string,  // one was completed
  length,       // the options allow no more
  positions,    // the model has no position, or its sliding window no room, for more
};
std::string_view ending_name(Ending ending);  // "end-token", "stop", "length", "positions"; "" for none

// Ends that a text comes to by its last token, whatever room is left.
struct Endings {
  std::vector<int32_t> end_tokens;
  StopStrings stops = {};
  std::vector<int32_t> prompt = {};  // what stands before the generated tokens: a stop string may begin in it

  // end_token, stop_string or none.
  Ending of(std::span<const int32_t> generated) const;
};

}  // namespace glass
