#include "io/json_document.h"

#include <string>
#include <utility>
#include <vector>

#include "io/json.h"
#include "io/strict_sax.h"

namespace glass {
namespace {

using nlohmann::json;

// Builds a document as nlohmann's own handler would, but refuses a key that comes twice (nlohmann keeps the last) and deep
// nesting.
class DocumentSax final : public StrictSax {
 public:
  DocumentSax(std::string_view text, std::string_view where) : StrictSax(ErrorCode::bad_config, where, text) {}

  json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(int64_t value) override { return add(value); }
  bool number_unsigned(uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool start_object(size_t) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    if (open_.back()->contains(name)) fail({"the key ", in_quotes(name), " is given twice"});
    key_ = std::move(name);
    return true;
  }

 private:
  // Where the next value goes. It stays in place: a container only grows while none inside it is open.
  json& place() {
    if (open_.empty()) return root_;
    json& owner = *open_.back();
    return owner.is_object() ? owner[key_] : owner.emplace_back();
  }

  bool add(json value) {
    place() = std::move(value);
    return true;
  }

  bool open(json value) {
    if (open_.size() == kMaxJsonDepth) fail({"nested deeper than ", kMaxJsonDepth, " levels"});
    json& target = place();
    target = std::move(value);
    open_.push_back(&target);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_;
  std::string key_;
};

}  // namespace

json read_document(std::string_view text, std::string_view where) {
  DocumentSax sax(text, where);
  sax.parse();
  return sax.take();
}

}  // namespace glass
