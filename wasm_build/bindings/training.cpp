// Training, a step a call, so that the model can be run, looked at and saved in between.
#include <chrono>
#include <optional>

#include "convert.h"
#include "functions.h"
#include "guarded.h"
#include "models.h"
#include "train/trainer.h"

namespace glass::bindings {
namespace {

struct HeldTrainer {
  HeldTrainer(HeldModel& model, const TrainOptions& options) : held(model), trainer(*model.model, options) {}
  HeldModel& held;
  Trainer trainer;
  std::vector<uint8_t> last_state;  // from before the averaged weights replaced those of the last step
  bool finished = false;
};

Handles<HeldTrainer>& trainers() {
  static Handles<HeldTrainer> held("training");
  return held;
}

// The reader of configs also reads these options; to its caller they are an argument.
TrainOptions options_in(const std::string& json) {
  try {
    return parse_train_options(json);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_config) throw;
    throw_error(ErrorCode::bad_input, {error.what()});
  }
}

std::vector<Example> examples_in(const val& lengths_given, const val& values_given) {
  const std::vector<int32_t> lengths = copy_in<int32_t>(lengths_given), values = copy_in<int32_t>(values_given);
  std::vector<Example> examples(lengths.size() / 4);
  auto at = values.begin();
  const auto take = [&](size_t index) {
    const auto begin = at;
    at += lengths[index];
    return std::vector<int32_t>(begin, at);
  };
  for (size_t i = 0; i < examples.size(); ++i) {
    examples[i].ids = take(4 * i);
    examples[i].types = take(4 * i + 1);
    examples[i].decoder_ids = take(4 * i + 2);
    examples[i].labels = take(4 * i + 3);
  }
  return examples;
}

}  // namespace

val trainer_open(int model, const std::string& options_json, const val& state) {
  return call_guarded([&] {
    HeldModel& held = models().at(model);
    trainers().remove_where([&](const HeldTrainer& other) { return &other.held == &held && other.finished; });
    bool busy = false;
    trainers().remove_where([&](const HeldTrainer& other) {
      busy = busy || &other.held == &held;
      return false;
    });
    if (busy) throw_error(ErrorCode::bad_input, {"train: this model is being trained already; end that training first"});
    auto trainer = std::make_unique<HeldTrainer>(held, options_in(options_json));
    const std::vector<uint8_t> bytes = copy_in<uint8_t>(state);
    if (!bytes.empty()) trainer->trainer.restore(bytes);
    val out = val::object();
    set(out, "steps", static_cast<double>(trainer->trainer.steps_done()));
    set(out, "trainer", trainers().add(std::move(trainer)));
    return out;
  });
}

val trainer_step(int handle, const val& lengths, const val& values) {
  return call_guarded([&] {
    HeldTrainer& held = trainers().at(handle);
    if (held.finished) throw_error(ErrorCode::bad_input, {"train: this training has ended"});
    const auto start = std::chrono::steady_clock::now();
    const StepResult step = held.trainer.step(examples_in(lengths, values));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    val out = val::object();
    set(out, "step", static_cast<double>(step.step));
    set(out, "loss", step.loss);
    set(out, "lr", step.lr);
    set(out, "gradNorm", step.gradient_norm);
    set(out, "tokensPerSecond", static_cast<double>(step.tokens) / seconds);
    set(out, "peakBytes", static_cast<double>(step.peak_bytes));
    set(out, "macs", static_cast<double>(step.macs));
    return out;
  });
}

val trainer_state(int handle) {
  return call_guarded([&] {
    const HeldTrainer& held = trainers().at(handle);
    return copy_out(held.last_state.empty() ? held.trainer.state() : held.last_state);
  });
}

val trainer_finish(int handle) {
  return call_guarded([&] {
    HeldTrainer& held = trainers().at(handle);
    if (held.finished) return;
    if (held.trainer.averaged()) held.last_state = held.trainer.state();
    held.trainer.finish();
    held.held.model->weights().set_layout(Layout::panels);
    held.finished = true;
  });
}

val trainer_close(int handle) {
  return call_guarded([&] { trainers().remove(handle); });
}

// Here because trainings and generations of the model end with it.
val model_dispose(int handle) {
  return call_guarded([&] {
    const std::unique_ptr<HeldModel> model = models().take(handle);
    trainers().remove_where([&](const HeldTrainer& other) { return &other.held == model.get(); });
    close_generators(*model);
  });
}

}  // namespace glass::bindings
