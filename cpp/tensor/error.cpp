#include "tensor/error.h"

#include <cmath>
#include <cstdio>

#include "tensor/shape.h"

namespace glass {

const char* error_code_name(ErrorCode code) {
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

Part::Part(const char* text) noexcept : value_(std::string_view(text)) {}
Part::Part(std::string_view text) noexcept : value_(text) {}
Part::Part(const std::string& text) noexcept : value_(std::string_view(text)) {}
Part::Part(double number) noexcept : value_(number) {}
Part::Part(Whole number) noexcept : value_(number.value) {}
Part::Part(Natural number) noexcept : value_(number.value) {}
Part::Part(const Shape& shape) noexcept : value_(&shape) {}

void Part::append_to(std::string& message) const {
  if (const auto* text = std::get_if<std::string_view>(&value_)) message += *text;
  if (const auto* number = std::get_if<double>(&value_)) message += shown(*number);
  if (const auto* number = std::get_if<int64_t>(&value_)) message += std::to_string(*number);
  if (const auto* number = std::get_if<uint64_t>(&value_)) message += std::to_string(*number);
  if (const auto* shape = std::get_if<const Shape*>(&value_)) message += to_string(**shape);
}

std::string joined(std::initializer_list<Part> parts) {
  std::string message;
  for (const Part& part : parts) part.append_to(message);
  return message;
}

void throw_error(ErrorCode code, std::initializer_list<Part> message) { throw Error(code, joined(message)); }

std::string shown(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  char text[32];
  const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
  std::snprintf(text, sizeof(text), whole ? "%.0f" : "%.6g", value);
  return text;
}

}  // namespace glass
