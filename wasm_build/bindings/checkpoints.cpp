// Checkpoints, streamed: a file's header, then one tensor at a time, so that no file is in memory as a whole.
#include "convert.h"
#include "functions.h"
#include "guarded.h"
#include "io/safetensors.h"
#include "model/checkpoint.h"
#include "models.h"

namespace glass::bindings {
namespace {

struct Loader {
  Loader(const std::string& config_json, Layout layout) : reader(config_json, layout) {}
  CheckpointReader reader;
  std::map<std::string, DType, std::less<>> dtypes;
};

Handles<Loader>& loaders() {
  static Handles<Loader> held("loader");
  return held;
}

DType dtype_in(const std::string& name) {
  const auto dtype = dtype_of_name(name);
  if (dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16) return *dtype;
  throw_error(ErrorCode::bad_input, {"dtype: expected \"F32\", \"F16\" or \"BF16\", got \"", name, "\""});
}

// What a model computes in.
Layout layout_in(const std::string& dtype) {
  if (dtype == "F32") return Layout::panels;
  if (dtype == "int8") return Layout::int8;
  throw_error(ErrorCode::bad_input, {"dtype: expected \"F32\" or \"int8\", got \"", dtype, "\""});
}

}  // namespace

val header_size(const val& head, double file_size, const std::string& file_name) {
  return call_guarded([&] {
    return static_cast<double>(glass::header_size(copy_in<uint8_t>(head), static_cast<uint64_t>(file_size), file_name));
  });
}

val loader_open(const std::string& config_json, const std::string& dtype) {
  return call_guarded([&] { return loaders().add(std::make_unique<Loader>(config_json, layout_in(dtype))); });
}

val loader_file(int handle, const val& head, double file_size, const std::string& file_name) {
  return call_guarded([&] {
    Loader& loader = loaders().at(handle);
    val list = val::array();
    for (const auto& wanted : loader.reader.open_file(copy_in<uint8_t>(head), static_cast<uint64_t>(file_size), file_name)) {
      if (!wanted.is_copy) loader.dtypes[wanted.parameter->name] = wanted.dtype;
      val item = val::object();
      set(item, "name", wanted.name);
      set(item, "begin", static_cast<double>(wanted.begin));
      set(item, "end", static_cast<double>(wanted.end));
      set(item, "part", static_cast<double>(wanted.part));
      push(list, item);
    }
    return list;
  });
}

val loader_read(int handle, const std::string& name, const val& bytes) {
  return call_guarded([&] { loaders().at(handle).reader.read(name, copy_in<uint8_t>(bytes)); });
}

val loader_finish(int handle) {
  return call_guarded([&] {
    const std::unique_ptr<Loader> loader = loaders().take(handle);
    auto held = std::make_unique<HeldModel>();
    held->model = loader->reader.finish();
    held->dtypes = std::move(loader->dtypes);
    return models().add(std::move(held));
  });
}

val loader_close(int handle) {
  return call_guarded([&] { loaders().remove(handle); });
}

val saved_header(int model, const std::string& dtype) {
  return call_guarded([&] {
    const SavedHeader saved = glass::saved_header(*models().at(model).model, dtype_in(dtype));
    std::vector<std::string> names;
    for (const Parameter* parameter : saved.order) names.push_back(parameter->name);
    val out = val::object();
    set(out, "head", copy_out(saved.bytes));
    set(out, "tensors", list_out(names));
    return out;
  });
}

val saved_tensor(int model, const std::string& name, const std::string& dtype) {
  return call_guarded(
      [&] { return copy_out(glass::saved_tensor(models().at(model).model->weights().at(name), dtype_in(dtype))); });
}

val saved_config(int model, const std::string& dtype) {
  return call_guarded([&] { return glass::saved_config(*models().at(model).model, dtype_in(dtype)); });
}

}  // namespace glass::bindings
