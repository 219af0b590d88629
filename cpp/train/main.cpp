// glass_train: the native program that recipes drive. Options and encoded examples come on standard input (train/stream.h),
// JSON lines go to standard output, checkpoints to a folder.
//
//   glass_train train --model FOLDER --out FOLDER [--resume STATE]   trains; also saves every `saveEvery` steps
//   glass_train evaluate --model FOLDER                              scores held-out examples, one line each
//   glass_train generate --model FOLDER                              goes on with each record's text, one line each
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "generate/generator.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "kernels/gemm.h"
#include "model/checkpoint.h"
#include "tensor/error.h"
#include "train/stream.h"
#include "train/trainer.h"

namespace glass {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t stop_asked = 0;

std::string text_of(const fs::path& path) {
  const std::vector<uint8_t> bytes = read_file(path.string());
  return {bytes.begin(), bytes.end()};
}

// The model in a folder; initialised from the seed where the folder has no weights yet.
std::unique_ptr<Model> open_model(const fs::path& folder, Layout layout, uint64_t seed) {
  const std::string config = text_of(folder / "config.json");
  const fs::path weights = folder / "model.safetensors";
  if (!fs::exists(weights)) {
    auto model = std::make_unique<Model>(config, layout);
    model->initialize(seed);
    return model;
  }
  CheckpointReader reader(config, layout);
  const std::vector<uint8_t> file = read_file(weights.string());
  for (const auto& wanted : reader.open_file(file, file.size(), "model.safetensors"))
    reader.read(wanted.name, std::span(file).subspan(wanted.begin, wanted.end - wanted.begin));
  return reader.finish();
}

// Writes the averaged weights where there are some, and the state to resume from.
void save(const fs::path& folder, const Model& model, const Trainer& trainer, DType dtype, int64_t examples) {
  fs::create_directories(folder);
  SavedHeader saved = saved_header(model, dtype);
  for (const Parameter* p : saved.order) {
    const float* averaged = trainer.averaged();
    const std::vector<uint8_t> bytes = saved_tensor(*p, dtype, averaged ? averaged + p->offset : nullptr);
    saved.bytes.insert(saved.bytes.end(), bytes.begin(), bytes.end());
  }
  write_file((folder / "model.safetensors").string(), saved.bytes);
  const std::string config = saved_config(model, dtype);
  write_file((folder / "config.json").string(), {config.begin(), config.end()});
  write_file((folder / "state.safetensors").string(), trainer.state());
  std::printf("{\"saved\":true,\"step\":%lld,\"examples\":%lld}\n", static_cast<long long>(trainer.steps_done()),
              static_cast<long long>(examples));
}

void train(const fs::path& model_folder, const fs::path& out, const std::string& resume) {
  const JsonObject json = JsonObject::parse(read_line(stdin), "options");
  const TrainOptions options = read_train_options(json);
  const int64_t save_every = json.integer("saveEvery", {1, 1 << 24}, 1000);
  const DType dtype = json.string("dtype", "F32") == "F16" ? DType::f16 : DType::f32;
  refuse_unread(json);
  const std::unique_ptr<Model> model = open_model(model_folder, Layout::rows, options.seed);
  Trainer trainer(*model, options);
  if (!resume.empty()) trainer.restore(read_file(resume));

  const size_t per_step = static_cast<size_t>(options.batch_size * options.accumulate);
  int64_t examples = trainer.steps_done() * static_cast<int64_t>(per_step);
  while (!trainer.done() && !stop_asked) {
    const std::vector<Example> batch = read_examples(stdin, per_step);
    if (batch.empty()) break;
    examples += static_cast<int64_t>(batch.size());
    const auto start = std::chrono::steady_clock::now();
    const StepResult r = trainer.step(batch);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("{\"step\":%lld,\"loss\":%.6g,\"lr\":%.6g,\"gradNorm\":%.6g,\"tokensPerSecond\":%.0f}\n",
                static_cast<long long>(r.step), static_cast<double>(r.loss), static_cast<double>(r.lr),
                static_cast<double>(r.gradient_norm), static_cast<double>(r.tokens) / seconds);
    if (r.step % save_every == 0 && !trainer.done()) save(out, *model, trainer, dtype, examples);
    std::fflush(stdout);
  }
  save(out, *model, trainer, dtype, examples);
}

void print(const char* prefix, const Evaluation& e) {
  std::printf("{%s\"loss\":%.8g,\"count\":%lld,\"correct\":%lld,\"correct5\":%lld,\"predicted\":%d}\n", prefix, e.loss,
              static_cast<long long>(e.count), static_cast<long long>(e.correct), static_cast<long long>(e.correct5),
              e.predicted);
}

// Calls work(i) for i < n, each on a thread of its own; the first error among them is thrown again once all have ended.
template <class Work>
void on_threads(size_t n, const Work& work) {
  std::vector<std::exception_ptr> errors(n);
  const auto guarded = [&](size_t i) {
    try {
      work(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < n; ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

void evaluate_stream(const fs::path& model_folder) {
  const JsonObject json = JsonObject::parse(read_line(stdin), "options");
  const size_t threads = static_cast<size_t>(json.integer("threads", {1, 64}, 1));
  const size_t batch_size = static_cast<size_t>(json.integer("batchSize", {1, 1 << 16}, 64));
  const std::unique_ptr<Model> model = open_model(model_folder, Layout::panels, 0);
  Evaluation total;
  for (;;) {
    std::vector<std::vector<Example>> parts(threads);
    std::vector<std::vector<Evaluation>> results(threads);
    for (auto& part : parts) part = read_examples(stdin, batch_size);
    if (parts.front().empty()) break;
    on_threads(threads, [&](size_t i) {
      Arena arena;
      if (!parts[i].empty()) results[i] = evaluate(*model, arena, parts[i]);
    });
    for (const auto& part : results)
      for (const Evaluation& e : part) {
        print("", e);
        total.loss += e.loss;
        total.count += e.count;
        total.correct += e.correct;
        total.correct5 += e.correct5;
      }
  }
  print("\"total\":true,", total);
}

Generated generate_one(const Model& model, const GenerationOptions& options, Example& record) {
  Arena arena;
  Generator generator(model, arena, options, {std::move(record.ids), {}, std::move(record.decoder_ids)});
  while (!generator.done()) generator.step(Context{arena});
  return generator.result();
}

// The first line has the options of generate and `threads`, over which the records are spread; a record's decoder ids
// may be empty. Samples of equal records differ: each record's seed is its number more.
void generate_stream(const fs::path& folder) {
  const JsonObject call = parse_call(read_line(stdin));
  const size_t threads = static_cast<size_t>(call.integer("threads", {1, 64}, 1));
  const std::unique_ptr<Model> model = open_model(folder, Layout::panels, 0);
  const fs::path own = folder / "generation_config.json";
  GenerationOptions options =
      read_generation_options(model->config(), model->config_json(), fs::exists(own) ? text_of(own) : "", call);
  refuse_unknown(call);
  options.top = 0;

  const uint64_t seed = options.seed;
  for (uint64_t first = 0;;) {
    std::vector<Example> records = read_examples(stdin, threads * 32);
    if (records.empty()) break;
    std::vector<Generated> texts(records.size());
    std::atomic<size_t> next = 0;
    on_threads(threads, [&](size_t) {
      for (size_t i = next++; i < records.size(); i = next++) {
        GenerationOptions own_options = options;
        own_options.seed = seed + first + i;
        texts[i] = generate_one(*model, own_options, records[i]);
      }
    });
    for (const Generated& text : texts) {
      std::printf("{\"ids\":[");
      for (size_t i = 0; i < text.ids.size(); ++i) std::printf(i > 0 ? ",%d" : "%d", text.ids[i]);
      std::printf("],\"score\":%.6g}\n", static_cast<double>(text.score));
    }
    std::fflush(stdout);
    first += records.size();
  }
}

int run(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 2; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "train" && given.count("--model") && given.count("--out")) {
    train(given["--model"], given["--out"], given["--resume"]);
  } else if (command == "evaluate" && given.count("--model")) {
    evaluate_stream(given["--model"]);
  } else if (command == "generate" && given.count("--model")) {
    generate_stream(given["--model"]);
  } else {
    std::fprintf(stderr,
                 "usage: glass_train train --model FOLDER --out FOLDER [--resume STATE]\n"
                 "       glass_train evaluate --model FOLDER\n"
                 "       glass_train generate --model FOLDER\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace glass

int main(int argc, char** argv) {
  std::signal(SIGINT, [](int) { glass::stop_asked = 1; });
  std::signal(SIGTERM, [](int) { glass::stop_asked = 1; });
  try {
    glass::choose_tile();
    return glass::run(argc, argv);
  } catch (const glass::Error& e) {
    std::fprintf(stderr, "%s: %s\n", glass::error_code_name(e.code()), e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  return 1;
}
