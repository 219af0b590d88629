#include "io/json_edit.h"

#include "io/json_document.h"
#include "io/text.h"
#include "tensor/error.h"

namespace glass {
namespace {

using Json = nlohmann::json;  // keys come out sorted, as transformers writes them

Json parse_object(std::string_view text) {
  Json json = read_document(text, "config.json");
  if (!json.is_object()) throw_error(ErrorCode::bad_config, {"config.json: expected a JSON object"});
  return json;
}

}  // namespace

std::string with_member(std::string_view text, std::string_view key, std::string_view value) {
  return guarded(ErrorCode::bad_config, "config.json", [&] {
    Json json = parse_object(text);
    json[std::string(key)] = std::string(value);
    return json.dump(2) + "\n";
  });
}

std::string without_member(std::string_view text, std::string_view key) {
  return guarded(ErrorCode::bad_config, "config.json", [&] {
    Json json = parse_object(text);
    json.erase(std::string(key));
    return json.dump(2) + "\n";
  });
}

}  // namespace glass
