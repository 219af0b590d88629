// The families there are.
#include <vector>

#include "io/text.h"
#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {

const Family& family_of(std::string_view model_type) {
  static const Family* const kAll[] = {&kBert,  &kDistilBert, &kRoberta, &kAlbert, &kElectra, &kGpt2, &kOpt,        &kGptNeoX,
                                       &kLlama, &kMistral,    &kQwen2,   &kMarian, &kBart,    &kT5,   &kGlassformer};
  std::vector<std::string> names;
  for (const Family* family : kAll) {
    if (family->name == model_type) return *family;
    names.emplace_back(family->name);
  }
  throw_error(ErrorCode::unsupported,
              {"config.json: model_type ", in_quotes(model_type), " is not supported, expected ", join_names(names)});
}

Config parse_config(std::string_view text) {
  const JsonObject json = JsonObject::parse(text, "config.json");
  return family_of(json.string("model_type")).parse(json);
}

}  // namespace glass
