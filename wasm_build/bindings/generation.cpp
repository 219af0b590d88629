// Generation, a step a call, so that it can be watched and stopped in between.
#include <chrono>

#include "convert.h"
#include "functions.h"
#include "generate/generator.h"
#include "guarded.h"
#include "models.h"
#include "runs.h"
#include "trace/step_edits.h"

namespace glass::bindings {
namespace {

struct HeldGenerator {
  HeldGenerator(HeldModel& model, GenerationOptions options, Prompt prompt, TokenTexts texts)
      : held(model), generator(*model.model, arena, std::move(options), std::move(prompt), std::move(texts)) {}
  HeldModel& held;
  Arena arena;  // of this generation only: all it took goes back with it
  Generator generator;
  std::vector<std::string> patterns;
  std::vector<Edit> edits;
  bool failed = false;
};

Handles<HeldGenerator>& generators() {
  static Handles<HeldGenerator> held("generation");
  return held;
}

val ids_out(const std::vector<int32_t>& ids) { return copy_out(std::span<const int32_t>(ids)); }

val chance_out(const TokenChance& chance) {
  val out = val::object();
  set(out, "id", chance.id);
  set(out, "logprob", chance.log_probability);
  return out;
}

val beam_out(const Beam& beam) {
  val out = val::object();
  set(out, "ids", ids_out(beam.ids));
  set(out, "score", beam.score);
  set(out, "parent", beam.parent);
  return out;
}

val result_out(const Generator& generator) {
  const Generated result = generator.result();
  val out = val::object();
  set(out, "ids", ids_out(result.ids));
  set(out, "score", result.score);
  set(out, "behind", copy_out(std::span(reinterpret_cast<const uint8_t*>(result.behind.data()), result.behind.size())));
  return out;
}

// { bytes, ends } of web/engine/tokenizer/texts.js, or null.
TokenTexts texts_in(const val& texts) {
  if (texts.isNull()) return {};
  const std::vector<uint8_t> bytes = copy_in<uint8_t>(texts["bytes"]);
  return {std::string(bytes.begin(), bytes.end()), copy_in<int32_t>(texts["ends"])};
}

val step_out(const HeldGenerator& held, const Step& step) {
  val out = val::object();
  set(out, "past", static_cast<double>(step.past));
  set(out, "sequences", static_cast<double>(step.read.size));
  set(out, "read", ids_out(step.read.ids));
  if (held.generator.options().beams > 1) {
    val beams = val::array();
    for (const Beam& beam : step.beams) push(beams, beam_out(beam));
    set(out, "beams", beams);
  } else {
    val top = val::array();
    for (const TokenChance& chance : step.top) push(top, chance_out(chance));
    set(out, "chosen", chance_out(step.chosen));
    set(out, "top", top);
  }
  set(out, "cacheBytes", static_cast<double>(held.generator.cache_bytes()));
  set(out, "ending", std::string(ending_name(held.generator.ending())));
  if (held.generator.done()) set(out, "result", result_out(held.generator));
  return out;
}

val run_step(HeldGenerator& held) {
  Generator& generator = held.generator;
  const int64_t past = generator.past(), beams = generator.options().beams;
  Trace trace(held.patterns, edits_of_step(held.edits, past, generator.reading(), past == 0 ? 1 : beams, beams));
  Context cx{held.arena};
  uint64_t macs = 0;
  cx.macs = &macs;
  if (!held.patterns.empty() || !held.edits.empty()) cx.hooks = &trace;

  const auto start = std::chrono::steady_clock::now();
  Step step = generator.step(cx);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (past == 0) trace.check_all_met();  // later steps do not meet the encoder's hooks

  if (step.output.logits) {  // of the last token: [beams, V] → [beams, 1, V], as transformers shapes them
    const Tensor& logits = step.output.logits;
    step.output.logits = logits.reshaped({logits.dim(0), 1, logits.dim(1)});
  }
  val out = step_out(held, step);
  set(out, "output", output_out(step.output, past == 0));
  set(out, "recorded", recorded_out(trace.recorded()));
  set(out, "ms", ms);
  set(out, "macs", static_cast<double>(macs));
  return out;
}

}  // namespace

val generator_open(int model, const val& prompt_given, const std::string& options_json, const std::string& generation_config,
                   const val& patterns, const val& edits, const val& texts) {
  return call_guarded([&] {
    HeldModel& held = models().at(model);
    const Model& m = *held.model;
    GenerationOptions options = parse_generation_options(m.config(), m.config_json(), generation_config, options_json);
    Prompt prompt{copy_in<int32_t>(prompt_given["ids"]), copy_in<int32_t>(prompt_given["mask"]),
                  copy_in<int32_t>(prompt_given["decoderIds"])};
    auto opened = std::make_unique<HeldGenerator>(held, std::move(options), std::move(prompt), texts_in(texts));
    opened->patterns = emscripten::vecFromJSArray<std::string>(patterns);
    opened->edits = edits_in(edits);
    return generators().add(std::move(opened));
  });
}

val generator_step(int handle) {
  return call_guarded([&] {
    HeldGenerator& held = generators().at(handle);
    if (held.failed) throw_error(ErrorCode::bad_input, {"generate: this generation ended with an error"});
    held.failed = true;  // until it is known to have gone well: a forward that stops half-way leaves keys without values
    Trim trim(held.arena);
    val result = run_step(held);
    trim.always = held.failed = false;
    return result;
  });
}

val generator_result(int handle) {
  return call_guarded([&] { return result_out(generators().at(handle).generator); });
}

val generator_close(int handle) {
  return call_guarded([&] { generators().remove(handle); });
}

void close_generators(const HeldModel& model) {
  generators().remove_where([&](const HeldGenerator& other) { return &other.held == &model; });
}

}  // namespace glass::bindings
