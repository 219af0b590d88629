#include "io/safetensors_header.h"

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "io/strict_sax.h"

namespace glass {

namespace {

// Reads the one form a header may have straight into entries, with no document in between: a hostile header of 100 MB costs
// little more memory than its text.
//   {"__metadata__": {key: string, …}, name: {"dtype": string, "shape": [n, …], "data_offsets": [begin, end]}, …}
class HeaderSax final : public StrictSax {
 public:
  HeaderSax(std::string_view json, std::string_view file_name) : StrictSax(ErrorCode::bad_weights, file_name, json) {}

  std::vector<TensorEntry> take() { return std::move(entries_); }

  bool null() override { return unexpected("null"); }
  bool boolean(bool value) override { return unexpected(value ? "true" : "false"); }
  bool number_float(double, const std::string& text) override { return unexpected(text); }
  bool number_integer(int64_t value) override { return unexpected(std::to_string(value)); }  // negative: others are unsigned

  bool number_unsigned(uint64_t value) override {
    if (place_ == Place::shape && value <= uint64_t{INT64_MAX}) {
      if (entry_.shape.size() == kMaxRank) fail({here(), ": expected at most ", kMaxRank, " dimensions"});
      entry_.shape.push_back(static_cast<int64_t>(value));
    } else if (place_ == Place::offsets && offsets_ < 2) {
      (offsets_++ == 0 ? entry_.begin : entry_.end) = value;
    } else {
      unexpected(std::to_string(value));
    }
    return true;
  }

  bool string(std::string& value) override {
    if (place_ == Place::metadata) return true;
    if (place_ != Place::tensor || field_ != "dtype") return unexpected(in_quotes(value));
    const std::optional<DType> dtype = dtype_of_name(value);
    if (!dtype) fail({here(), ": expected one of ", dtype_list(), ", got ", in_quotes(value)});
    entry_.dtype = *dtype;
    return true;
  }

  bool start_object(size_t) override {
    if (place_ == Place::nothing) {
      place_ = Place::root;
    } else if (place_ == Place::root) {
      place_ = in_metadata_ ? Place::metadata : Place::tensor;
      fields_.clear();
    } else {
      unexpected("an object");
    }
    return true;
  }

  bool key(std::string& name) override {
    if (place_ == Place::root) {
      if (!names_.insert(name).second) fail({"tensor ", in_quotes(name), " is listed twice"});
      in_metadata_ = name == kMetadataKey;
      entry_ = {};
      entry_.name = name;
      return true;
    }
    if (place_ == Place::tensor && name != "dtype" && name != "shape" && name != "data_offsets") {
      fail({here(), ": expected only dtype, shape and data_offsets, got ", in_quotes(name)});
    }
    field_ = name;
    if (!fields_.insert(name).second) fail({here(), " is there twice"});
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor) {
      field_.clear();
      for (const char* field : {"dtype", "shape", "data_offsets"}) {
        if (!fields_.contains(field)) fail({here(), ": ", field, " is missing"});
      }
      entries_.push_back(std::move(entry_));
    }
    field_.clear();
    place_ = Place::root;
    return true;
  }

  bool start_array(size_t) override {
    if (place_ == Place::tensor && field_ == "shape") {
      place_ = Place::shape;
    } else if (place_ == Place::tensor && field_ == "data_offsets") {
      place_ = Place::offsets;
      offsets_ = 0;
    } else {
      unexpected("a list");
    }
    return true;
  }

  bool end_array() override {
    if (place_ == Place::offsets && offsets_ != 2) {
      fail({here(), ": expected two numbers, got ", offsets_});
    }
    place_ = Place::tensor;
    return true;
  }

 private:
  enum class Place { nothing, root, metadata, tensor, shape, offsets };

  static std::string dtype_list() {
    std::string list;
    for (DType dtype : kDTypes) list += (list.empty() ? "" : ", ") + std::string(dtype_name(dtype));
    return list;
  }

  // Which part of the header is being read, for messages.
  std::string here() const {
    const std::string owner = in_metadata_ ? std::string(kMetadataKey) : "tensor " + in_quotes(entry_.name);
    return field_.empty() ? owner : owner + ": " + (in_metadata_ ? in_quotes(field_) : field_);
  }

  std::string expected() const {
    switch (place_) {
      case Place::nothing:
        return "an object";
      case Place::root:
        return in_metadata_ ? "an object of strings" : "an object with dtype, shape and data_offsets";
      case Place::metadata:
        return "a string";
      case Place::tensor:
        return field_ == "dtype" ? "a string" : field_ == "shape" ? "a list of sizes" : "a list of two numbers";
      case Place::shape:
        return "sizes that are whole numbers, 0 to 2^63 - 1";
      case Place::offsets:
        return "two whole numbers, 0 to 2^64 - 1";
    }
    return "";
  }

  bool unexpected(const std::string& got) const { fail({here(), ": expected ", expected(), ", got ", printable(got)}); }

  Place place_ = Place::nothing;
  bool in_metadata_ = false;
  TensorEntry entry_;
  std::string field_;
  int offsets_ = 0;
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> fields_;
  std::vector<TensorEntry> entries_;
};

}  // namespace

std::vector<TensorEntry> parse_header_json(std::string_view json, std::string_view file_name) {
  // The format wants the brace first, with no white space or byte order mark, both of which the parser would skip.
  if (!json.starts_with('{')) {
    throw_error(ErrorCode::bad_weights,
                {printable(file_name), ": expected a safetensors header that begins with {, got ", in_quotes(json, 12)});
  }
  HeaderSax sax(json, file_name);
  sax.parse();
  return sax.take();
}

std::string header_json(const std::vector<TensorEntry>& entries, const std::map<std::string, std::string>& metadata) {
  const auto text = [](std::string_view value) { return nlohmann::json(value).dump(); };
  std::string json = "{";
  const auto separate = [&] { json += json.size() > 1 ? "," : ""; };
  if (!metadata.empty()) json += text(kMetadataKey) + ":" + nlohmann::json(metadata).dump();
  for (const TensorEntry& entry : entries) {
    separate();
    json += text(entry.name) + ":{\"dtype\":\"" + std::string(dtype_name(entry.dtype)) +
            "\",\"shape\":" + nlohmann::json(entry.shape).dump() + ",\"data_offsets\":[" + std::to_string(entry.begin) + "," +
            std::to_string(entry.end) + "]}";
  }
  return json + "}";
}

}  // namespace glass
