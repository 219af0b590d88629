// Writes a config as transformers does: an object of keys in the order they were set, two spaces of indentation, a newline at
// the end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glass {

// Setting a key again replaces its value and keeps its place. Every function throws Error(bad_input) for a key or string that
// is not UTF-8 and for a number that is not finite, both by `text` at the latest, and Error(out_of_memory).
class JsonWriter {
 public:
  JsonWriter();
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  // Named by type, since a string literal would convert to bool before it converts to a string.
  JsonWriter& null(std::string_view key);
  JsonWriter& boolean(std::string_view key, bool value);
  JsonWriter& integer(std::string_view key, int64_t value);
  JsonWriter& number(std::string_view key, double value);  // as the shortest text that reads back as the same double
  JsonWriter& string(std::string_view key, std::string_view value);
  JsonWriter& strings(std::string_view key, const std::vector<std::string>& values);
  JsonWriter& integers(std::string_view key, const std::vector<int64_t>& values);
  JsonWriter& string_map(std::string_view key, const std::vector<std::pair<std::string, std::string>>& values);
  JsonWriter& integer_map(std::string_view key, const std::vector<std::pair<std::string, int64_t>>& values);
  JsonWriter& object(std::string_view key, const JsonWriter& value);

  std::string text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace glass
