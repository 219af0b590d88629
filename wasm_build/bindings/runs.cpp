#include "runs.h"

namespace glass::bindings {
namespace {

Tokens tokens_in(const val& given) {
  Tokens tokens;
  tokens.size = static_cast<int64_t>(given["size"].as<double>());
  tokens.length = static_cast<int64_t>(given["length"].as<double>());
  tokens.ids = copy_in<int32_t>(given["ids"]);
  tokens.mask = copy_in<int32_t>(given["mask"]);
  tokens.types = copy_in<int32_t>(given["types"]);
  return tokens;
}

Edit edit_in(const val& given) {
  Edit edit;
  edit.at = given["at"].as<std::string>();
  const std::string kind = given["kind"].as<std::string>();
  edit.kind = kind == "scale" ? Edit::Kind::scale : kind == "add" ? Edit::Kind::add : Edit::Kind::set;
  const val where = given["where"];
  for (const std::string& dim : emscripten::vecFromJSArray<std::string>(val::global("Object").call<val>("keys", where)))
    edit.where[dim] = static_cast<int64_t>(where[dim].as<double>());
  edit.values = copy_in<float>(given["values"]);
  if (const val shape = given["shape"]; !shape.isUndefined()) edit.shape = shape_in(shape);
  return edit;
}

}  // namespace

Batch batch_in(const val& given) {
  Batch batch;
  static_cast<Tokens&>(batch) = tokens_in(given);
  const val target = given["target"];
  if (!target.isUndefined() && !target.isNull()) batch.target = tokens_in(target);
  return batch;
}

std::vector<Edit> edits_in(const val& list) {
  std::vector<Edit> edits;
  for (const val& edit : emscripten::vecFromJSArray<val>(list)) edits.push_back(edit_in(edit));
  return edits;
}

val output_out(const Output& output, bool with_encoder) {
  val out = val::object();
  if (output.logits) set(out, "logits", tensor_out(output.logits));
  set(out, "lastHidden", tensor_out(output.last_hidden));
  if (output.encoder_last_hidden && with_encoder) set(out, "encoderLastHidden", tensor_out(output.encoder_last_hidden));
  if (output.pooled) set(out, "pooled", tensor_out(output.pooled));
  return out;
}

val recorded_out(std::vector<Recorded>& recorded) {
  val list = val::array();
  for (Recorded& value : recorded) {
    val item = tensor_out(value.value);
    set(item, "name", value.name);
    set(item, "dims", list_out(value.dims));
    push(list, item);
    value.value = {};  // not twice in memory for longer than needed
  }
  return list;
}

}  // namespace glass::bindings
