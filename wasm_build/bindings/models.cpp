// Models: what they are, their parameters, and runs.
#include "models.h"

#include <chrono>

#include "convert.h"
#include "functions.h"
#include "guarded.h"
#include "runs.h"

namespace glass::bindings {
namespace {

const char* task_name(Task task) {
  switch (task) {
    case Task::none:
      return "none";
    case Task::masked_lm:
      return "masked-lm";
    case Task::sequence_classification:
      return "sequence-classification";
    case Task::token_classification:
      return "token-classification";
    case Task::language_model:
      return "language-model";
  }
  return "none";
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::encoder:
      return "encoder";
    case Kind::decoder:
      return "decoder";
    case Kind::encoder_decoder:
      return "encoder-decoder";
  }
  return "encoder";
}

val describe_parameters(const HeldModel& held) {
  val list = val::array();
  for (const Parameter& p : held.model->weights().parameters()) {
    const auto read = held.dtypes.find(p.name);
    val item = val::object();
    set(item, "name", p.name);
    set(item, "shape", list_out(file_shape(p).extents()));
    set(item, "dtype", std::string(dtype_name(read == held.dtypes.end() ? DType::f32 : read->second)));
    push(list, item);
  }
  return list;
}

// What a run announces, found by running one token.
val describe_hooks(HeldModel& held) {
  HookList listed;
  Context cx{held.arena};
  cx.hooks = &listed;
  Batch batch;
  batch.size = batch.length = 1;
  batch.ids = {0};
  if (held.model->config().kind == Kind::encoder_decoder) batch.target = batch;
  held.model->forward(cx, batch);
  val list = val::array();
  for (const HookInfo& hook : listed.hooks) {
    val item = val::object();
    set(item, "name", hook.name);
    set(item, "dims", list_out(hook.dims));
    push(list, item);
  }
  return list;
}

val run(HeldModel& held, const val& batch, const val& patterns, const val& edit_list) {
  Trace trace(emscripten::vecFromJSArray<std::string>(patterns), edits_in(edit_list));
  const bool listening = patterns["length"].as<int>() > 0 || edit_list["length"].as<int>() > 0;
  Context cx{held.arena};
  if (listening) cx.hooks = &trace;
  uint64_t macs = 0;
  cx.macs = &macs;

  const auto start = std::chrono::steady_clock::now();
  const Output output = held.model->forward(cx, batch_in(batch));
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  trace.check_all_met();

  val result = val::object();
  set(result, "output", output_out(output, true));
  set(result, "recorded", recorded_out(trace.recorded()));
  set(result, "ms", ms);
  set(result, "macs", static_cast<double>(macs));
  return result;
}

}  // namespace

Handles<HeldModel>& models() {
  static Handles<HeldModel> held("model");
  return held;
}

val model_create(const std::string& config_json, double seed) {
  return call_guarded([&] {
    auto held = std::make_unique<HeldModel>();
    held->model = std::make_unique<Model>(config_json);
    held->model->initialize(static_cast<uint64_t>(seed));
    return models().add(std::move(held));
  });
}

val model_describe(int handle) {
  return call_guarded([&] {
    HeldModel& held = models().at(handle);
    const Config& config = held.model->config();
    val out = val::object();
    set(out, "configJson", held.model->config_json());
    set(out, "family", config.family);
    set(out, "kind", kind_name(config.kind));
    set(out, "task", task_name(config.task));
    set(out, "labels", list_out(config.labels));
    set(out, "vocabSize", static_cast<double>(config.vocab_size));
    set(out, "maxPositions", static_cast<double>(config.max_positions));
    set(out, "types", static_cast<double>(config.n_types));
    set(out, "padId", config.pad_id);
    set(out, "decoderStartId", config.kind == Kind::encoder_decoder ? config.decoder_start_id : -1);
    set(out, "parameters", describe_parameters(held));
    set(out, "hooks", describe_hooks(held));
    return out;
  });
}

val model_parameter(int handle, const std::string& name) {
  return call_guarded([&] {
    const Parameter& parameter = models().at(handle).model->weights().at(name);
    std::vector<float> values(parameter.size());
    copy_to_file(parameter, values.data());
    return tensor_out(file_shape(parameter), values);
  });
}

val model_set_parameter(int handle, const std::string& name, const val& shape, const val& values) {
  return call_guarded([&] {
    Parameter& parameter = models().at(handle).model->weights().at(name);
    check_shape(("setParameter " + name).c_str(), file_shape(parameter), shape_in(shape));
    const std::vector<float> given = copy_in<float>(values);
    if (given.size() != parameter.size())
      throw_error(ErrorCode::bad_input,
                  {"setParameter ", name, ": expected ", parameter.size(), " values, got ", given.size()});
    copy_from_file(parameter, given.data());
  });
}

val model_run(int handle, const val& batch, const val& patterns, const val& edits) {
  return call_guarded([&] {
    HeldModel& held = models().at(handle);
    Trim trim(held.arena);
    val result = run(held, batch, patterns, edits);
    trim.always = false;
    return result;
  });
}

}  // namespace glass::bindings
