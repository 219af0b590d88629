#include "io/json_writer.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/text.h"

namespace glass {

using nlohmann::ordered_json;

struct JsonWriter::Impl {
  ordered_json root = ordered_json::object();

  void set(std::string_view key, ordered_json value) { root[std::string(key)] = std::move(value); }

  template <typename Value>
  void set_map(std::string_view key, const std::vector<std::pair<std::string, Value>>& values) {
    ordered_json map = ordered_json::object();
    for (const auto& [name, value] : values) map[name] = value;
    set(key, std::move(map));
  }
};

namespace {

template <typename Body>
void write(std::string_view key, Body&& body) {
  guarded(ErrorCode::bad_input, key, std::forward<Body>(body));
}

}  // namespace

JsonWriter::JsonWriter() : impl_(std::make_unique<Impl>()) {}
JsonWriter::~JsonWriter() = default;

JsonWriter& JsonWriter::null(std::string_view key) {
  write(key, [&] { impl_->set(key, nullptr); });
  return *this;
}

JsonWriter& JsonWriter::boolean(std::string_view key, bool value) {
  write(key, [&] { impl_->set(key, value); });
  return *this;
}

JsonWriter& JsonWriter::integer(std::string_view key, int64_t value) {
  write(key, [&] { impl_->set(key, value); });
  return *this;
}

JsonWriter& JsonWriter::number(std::string_view key, double value) {
  write(key, [&] {
    // nlohmann would write null.
    if (!std::isfinite(value))
      throw Error(ErrorCode::bad_input, in_quotes(key) + ": expected a finite number, got " + std::to_string(value));
    impl_->set(key, value);
  });
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view key, std::string_view value) {
  write(key, [&] { impl_->set(key, value); });
  return *this;
}

JsonWriter& JsonWriter::strings(std::string_view key, const std::vector<std::string>& values) {
  write(key, [&] { impl_->set(key, values); });
  return *this;
}

JsonWriter& JsonWriter::integers(std::string_view key, const std::vector<int64_t>& values) {
  write(key, [&] { impl_->set(key, values); });
  return *this;
}

JsonWriter& JsonWriter::string_map(std::string_view key, const std::vector<std::pair<std::string, std::string>>& values) {
  write(key, [&] { impl_->set_map(key, values); });
  return *this;
}

JsonWriter& JsonWriter::integer_map(std::string_view key, const std::vector<std::pair<std::string, int64_t>>& values) {
  write(key, [&] { impl_->set_map(key, values); });
  return *this;
}

JsonWriter& JsonWriter::object(std::string_view key, const JsonWriter& value) {
  write(key, [&] { impl_->set(key, value.impl_->root); });
  return *this;
}

std::string JsonWriter::text() const {
  return guarded(ErrorCode::bad_input, "JSON text", [&] { return impl_->root.dump(2) + "\n"; });
}

}  // namespace glass
