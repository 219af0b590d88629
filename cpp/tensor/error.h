// The one exception of the core. Bindings turn it into plain data, JavaScript into an Error with the same code.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace glass {

class Shape;

// What went wrong, as far as a caller can act on it. The names in JavaScript are those of `error_code_name`.
enum class ErrorCode { not_found, bad_config, bad_weights, bad_input, unsupported, out_of_memory, disposed };

const char* error_code_name(ErrorCode code);

// The message names what was expected, what came, and where (file, tensor or argument).
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// A part of a message: a text, a number or a shape, none of them copied. Strings joined by + would put code that makes and
// frees each of them at every place that can fail, for messages that hardly anybody sees.
class Part {
 public:
  Part(const char* text) noexcept;
  Part(std::string_view text) noexcept;
  Part(const std::string& text) noexcept;
  Part(double number) noexcept;
  template <std::signed_integral T>
  Part(T number) noexcept : Part(Whole{number}) {}
  template <std::unsigned_integral T>
  Part(T number) noexcept : Part(Natural{number}) {}
  Part(const Shape& shape) noexcept;
  Part(bool) = delete;  // neither has one obvious text
  Part(char) = delete;

  void append_to(std::string& message) const;

 private:
  struct Whole {
    int64_t value;
  };
  struct Natural {
    uint64_t value;
  };
  explicit Part(Whole number) noexcept;
  explicit Part(Natural number) noexcept;

  std::variant<std::string_view, double, int64_t, uint64_t, const Shape*> value_;
};

std::string joined(std::initializer_list<Part> parts);

// Throws Error(code) with the joined parts for its message.
[[noreturn]] void throw_error(ErrorCode code, std::initializer_list<Part> message);

// A number as messages show it: 3, 0.1, 1e+20, nan.
std::string shown(double value);

}  // namespace glass
