#include "io/json.h"

#include <set>

#include "io/json_document.h"
#include "io/text.h"

namespace glass {

namespace {

using nlohmann::json;

std::string short_json(const json& value) { return printable(value.dump()); }

// Short, and exact where it must be: 1e-12, 0.1, 512.
std::string number_text(double value) { return json(value).dump(); }

std::string expected_integer(IntegerRange range) {
  const IntegerRange any;
  if (range.min == any.min && range.max == any.max) return "an integer";
  if (range.max == any.max) return "an integer of " + std::to_string(range.min) + " or more";
  if (range.min == any.min) return "an integer of " + std::to_string(range.max) + " or less";
  return "an integer from " + std::to_string(range.min) + " to " + std::to_string(range.max);
}

std::string expected_number(NumberRange range) {
  const NumberRange any;
  if (range.min == any.min && range.max == any.max) return "a number";
  if (range.max == any.max) return "a number of " + number_text(range.min) + " or more";
  if (range.min == any.min) return "a number of " + number_text(range.max) + " or less";
  return "a number from " + number_text(range.min) + " to " + number_text(range.max);
}

[[noreturn]] void wrong(const std::string& path, std::string_view expected, const json& got) {
  throw_error(ErrorCode::bad_config, {path, ": expected ", expected, ", got ", short_json(got)});
}

int64_t to_integer(const json& value, IntegerRange range, const std::string& path) {
  // nlohmann keeps what does not fit an int64_t as unsigned, and what fits neither as a double.
  const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX});
  if (!fits || value.get<int64_t>() < range.min || value.get<int64_t>() > range.max) {
    wrong(path, expected_integer(range), value);
  }
  return value.get<int64_t>();
}

std::string to_string(const json& value, const std::string& path) {
  if (!value.is_string()) wrong(path, "a string", value);
  return value.get<std::string>();
}

}  // namespace

struct JsonObject::Impl {
  std::shared_ptr<const json> document;  // keeps `node` alive
  const json* node = nullptr;            // an object
  std::string where;
  std::set<std::string, std::less<>> read;

  template <typename Body>
  decltype(auto) guard(Body&& body) const {
    return guarded(ErrorCode::bad_config, where, std::forward<Body>(body));
  }

  // Null where the key is absent or its value null.
  const json* find(std::string_view key) {
    read.emplace(key);
    const auto found = node->find(std::string(key));
    return found == node->end() || found->is_null() ? nullptr : &*found;
  }

  const json& require(std::string_view key, const std::string& expected) {
    const json* value = find(key);
    if (value == nullptr) throw_error(ErrorCode::bad_config, {path(key), " is missing: expected ", expected});
    return *value;
  }

  std::string path(std::string_view key) const { return where + ": " + in_quotes(key); }
};

JsonObject JsonObject::parse(std::string_view text, std::string_view where) {
  return guarded(ErrorCode::bad_config, where, [&] {
    const std::string shown_where = printable(where);
    if (text.size() > kMaxJsonBytes) {
      throw_error(ErrorCode::bad_config, {shown_where, ": expected at most ", kMaxJsonBytes, " bytes, got ", text.size()});
    }
    auto document = std::make_shared<const json>(read_document(text, where));
    if (!document->is_object()) wrong(shown_where, "a JSON object", *document);
    auto impl = std::make_shared<Impl>();
    impl->node = document.get();
    impl->document = std::move(document);
    impl->where = shown_where;
    return JsonObject(std::move(impl));
  });
}

bool JsonObject::has(std::string_view key) const {
  return impl_->guard([&] { return impl_->find(key) != nullptr; });
}

int64_t JsonObject::integer(std::string_view key, IntegerRange range) const {
  return impl_->guard([&] { return to_integer(impl_->require(key, expected_integer(range)), range, impl_->path(key)); });
}

int64_t JsonObject::integer(std::string_view key, IntegerRange range, int64_t fallback) const {
  return has(key) ? integer(key, range) : fallback;
}

double JsonObject::number(std::string_view key, NumberRange range) const {
  return impl_->guard([&] {
    const json& value = impl_->require(key, expected_number(range));
    const bool fits = value.is_number() && value.get<double>() >= range.min && value.get<double>() <= range.max;
    if (!fits) wrong(impl_->path(key), expected_number(range), value);
    return value.get<double>();
  });
}

double JsonObject::number(std::string_view key, NumberRange range, double fallback) const {
  return has(key) ? number(key, range) : fallback;
}

bool JsonObject::boolean(std::string_view key) const {
  return impl_->guard([&] {
    const json& value = impl_->require(key, "true or false");
    if (!value.is_boolean()) wrong(impl_->path(key), "true or false", value);
    return value.get<bool>();
  });
}

bool JsonObject::boolean(std::string_view key, bool fallback) const { return has(key) ? boolean(key) : fallback; }

std::string JsonObject::string(std::string_view key) const {
  return impl_->guard([&] { return to_string(impl_->require(key, "a string"), impl_->path(key)); });
}

std::string JsonObject::string(std::string_view key, std::string_view fallback) const {
  return impl_->guard([&] { return has(key) ? string(key) : std::string(fallback); });
}

std::map<std::string, std::string> JsonObject::string_map(std::string_view key) const {
  return impl_->guard([&] {
    std::map<std::string, std::string> map;
    const json* value = impl_->find(key);
    if (value == nullptr) return map;
    if (!value->is_object()) wrong(impl_->path(key), "an object of strings", *value);
    for (const auto& [name, item] : value->items()) map[name] = to_string(item, impl_->path(key) + ": " + in_quotes(name));
    return map;
  });
}

std::map<std::string, int64_t> JsonObject::integer_map(std::string_view key, IntegerRange range) const {
  return impl_->guard([&] {
    std::map<std::string, int64_t> map;
    const json* value = impl_->find(key);
    if (value == nullptr) return map;
    if (!value->is_object()) wrong(impl_->path(key), "an object of integers", *value);
    for (const auto& [name, item] : value->items())
      map[name] = to_integer(item, range, impl_->path(key) + ": " + in_quotes(name));
    return map;
  });
}

std::vector<std::string> JsonObject::strings(std::string_view key) const {
  return impl_->guard([&] {
    std::vector<std::string> list;
    const json* value = impl_->find(key);
    if (value == nullptr) return list;
    if (!value->is_array()) wrong(impl_->path(key), "a list of strings", *value);
    for (const json& item : *value) list.push_back(to_string(item, impl_->path(key) + "[" + std::to_string(list.size()) + "]"));
    return list;
  });
}

std::vector<int64_t> JsonObject::integers(std::string_view key, IntegerRange range) const {
  return impl_->guard([&] {
    std::vector<int64_t> list;
    const json* value = impl_->find(key);
    if (value == nullptr) return list;
    if (!value->is_array()) return std::vector<int64_t>{to_integer(*value, range, impl_->path(key))};
    for (const json& item : *value) {
      list.push_back(to_integer(item, range, impl_->path(key) + "[" + std::to_string(list.size()) + "]"));
    }
    return list;
  });
}

std::vector<std::vector<int64_t>> JsonObject::integer_lists(std::string_view key, IntegerRange range) const {
  return impl_->guard([&] {
    std::vector<std::vector<int64_t>> lists;
    const json* value = impl_->find(key);
    if (value == nullptr) return lists;
    if (!value->is_array()) wrong(impl_->path(key), "a list of lists of integers", *value);
    for (const json& list : *value) {
      const std::string path = impl_->path(key) + "[" + std::to_string(lists.size()) + "]";
      if (!list.is_array() || list.empty()) wrong(path, "a list of integers", list);
      lists.emplace_back();
      for (const json& item : list)
        lists.back().push_back(to_integer(item, range, path + "[" + std::to_string(lists.back().size()) + "]"));
    }
    return lists;
  });
}

JsonObject JsonObject::object(std::string_view key) const {
  return impl_->guard([&] {
    static const json empty = json::object();
    const json* value = impl_->find(key);
    if (value != nullptr && !value->is_object()) wrong(impl_->path(key), "an object", *value);
    auto inner = std::make_shared<Impl>();
    inner->document = impl_->document;
    inner->node = value != nullptr ? value : &empty;
    inner->where = impl_->path(key);
    return JsonObject(std::move(inner));
  });
}

std::vector<std::string> JsonObject::keys() const {
  return impl_->guard([&] {
    std::vector<std::string> list;
    for (const auto& [name, value] : impl_->node->items()) list.push_back(name);
    return list;
  });
}

std::vector<std::string> JsonObject::unread() const {
  return impl_->guard([&] {
    std::vector<std::string> list;
    for (const auto& [name, value] : impl_->node->items()) {
      if (!value.is_null() && !impl_->read.contains(name)) list.push_back(name);
    }
    return list;
  });
}

std::string JsonObject::shown(std::string_view key) const {
  return impl_->guard([&] {
    const auto found = impl_->node->find(std::string(key));
    return found == impl_->node->end() ? std::string("null") : short_json(*found);
  });
}

const std::string& JsonObject::where() const { return impl_->where; }

}  // namespace glass
