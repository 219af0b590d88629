// The one exception of the core. Bindings turn it into plain data, JavaScript into an Error with the same code.
#pragma once

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace glass {

// What went wrong, as far as a caller can act on it. The names in JavaScript are those of `error_code_name`.
enum class ErrorCode { not_found, bad_config, bad_weights, bad_input, unsupported, out_of_memory, disposed };

inline const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
      return "not-found";
    case ErrorCode::bad_config:
      return "bad-config";
    case ErrorCode::bad_weights:
      return "bad-weights";
    case ErrorCode::bad_input:
      return "bad-input";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::out_of_memory:
      return "out-of-memory";
    case ErrorCode::disposed:
      return "disposed";
  }
  return "bad-input";
}

// The message names what was expected, what came, and where (file, tensor or argument).
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// A number as messages show it: 3, 0.1, 1e+20, nan.
inline std::string shown(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  char text[32];
  const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
  std::snprintf(text, sizeof(text), whole ? "%.0f" : "%.6g", value);
  return text;
}

}  // namespace glass
