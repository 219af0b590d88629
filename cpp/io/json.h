// A strict view of a JSON object for configs: typed getters whose errors say which key of which file was wrong, what was
// expected and what came. A key whose value is null counts as absent, as in transformers. Every function here throws
// Error(bad_config) for what is wrong with the text, and Error(out_of_memory).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glass {

// Both ends included.
struct IntegerRange {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};
struct NumberRange {
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();
};

// Limits that no config of a model comes near, so that a hostile file costs little.
inline constexpr size_t kMaxJsonBytes = 4 << 20;
inline constexpr size_t kMaxJsonDepth = 32;

// Getters of two kinds: without a fallback the key must be there; with one, the fallback stands for an absent key (it is not
// checked against the range). Copies share the text and the record of what was read.
class JsonObject {
 public:
  // `where` (a file name) begins every message. Refused: text that is not a JSON object, keys given twice, NaN and infinities,
  // numbers beyond a double, more than kMaxJsonBytes or kMaxJsonDepth. A byte order mark is skipped.
  static JsonObject parse(std::string_view text, std::string_view where);

  // There and not null. Counts as reading the key.
  bool has(std::string_view key) const;

  // A JSON number without fraction or exponent: 3, not 3.0.
  int64_t integer(std::string_view key, IntegerRange range = {}) const;
  int64_t integer(std::string_view key, IntegerRange range, int64_t fallback) const;

  // Any JSON number.
  double number(std::string_view key, NumberRange range = {}) const;
  double number(std::string_view key, NumberRange range, double fallback) const;

  // true or false only.
  bool boolean(std::string_view key) const;
  bool boolean(std::string_view key, bool fallback) const;

  std::string string(std::string_view key) const;
  std::string string(std::string_view key, std::string_view fallback) const;

  // Absent: empty.
  std::map<std::string, std::string> string_map(std::string_view key) const;                        // id2label, weight_map
  std::map<std::string, int64_t> integer_map(std::string_view key, IntegerRange range = {}) const;  // label2id
  std::vector<std::string> strings(std::string_view key) const;                                     // architectures
  // A list of integers or a single one, as `eos_token_id` has it.
  std::vector<int64_t> integers(std::string_view key, IntegerRange range = {}) const;
  // A list of lists of integers, as `bad_words_ids` has it; absent: empty.
  std::vector<std::vector<int64_t>> integer_lists(std::string_view key, IntegerRange range = {}) const;

  // An object inside, with a record of its own for `unread`. Absent: an empty one.
  JsonObject object(std::string_view key) const;

  // All keys, null ones too, sorted.
  std::vector<std::string> keys() const;

  // The keys that are there, not null, and that no getter has asked for.
  std::vector<std::string> unread() const;

  // The value as short JSON text for a message ("null" if absent), e.g. why a setting is unsupported.
  std::string shown(std::string_view key) const;

  // What begins the messages: the file, and the key of an object inside.
  const std::string& where() const;

 private:
  struct Impl;
  explicit JsonObject(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

}  // namespace glass
