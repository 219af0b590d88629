// The trainer's promises: parts, threads and recomputing change nothing; equal seeds give equal bits; stopping is free.
#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "cpp/io/expect_error.h"
#include "cpp/support/golden.h"
#include "cpp/support/tiny.h"
#include "io/safetensors.h"

namespace glass {
namespace {

using testing::tiny_config;
using testing::tiny_model;
using testing::weights_of;

// Texts of 2 to 9 tokens; the label of a token is the class (id mod 4) of the token before it, the first has none.
std::vector<Example> copy_task(size_t count, uint64_t seed, int32_t vocabulary = 13) {
  Random random(seed);
  std::vector<Example> examples(count);
  for (Example& e : examples) {
    const size_t length = 2 + random.bits() % 8;
    for (size_t t = 0; t < length; ++t) {
      e.labels.push_back(t == 0 ? kIgnore : e.ids.back() % 4);
      e.ids.push_back(static_cast<int32_t>(random.bits() % static_cast<uint64_t>(vocabulary)));
    }
  }
  return examples;
}

TrainOptions options(int64_t steps = 5) {
  TrainOptions o;
  o.steps = steps;
  o.lr = 3e-3f;
  o.batch_size = 64;
  o.clip = 1.f;
  return o;
}

struct Result {
  std::vector<float> weights;
  std::vector<StepResult> steps;
};

// Trains a fresh tiny model on 12 new examples a step.
Result train(const TrainOptions& o, const std::string& config = tiny_config()) {
  const auto model = tiny_model(config, 1, Layout::rows);
  Result result;
  Trainer trainer(*model, o);
  while (!trainer.done())
    result.steps.push_back(trainer.step(copy_task(12, 100 + static_cast<uint64_t>(trainer.steps_done()))));
  trainer.finish();
  result.weights = weights_of(*model);
  return result;
}

double largest_gap(const std::vector<float>& a, const std::vector<float>& b) {
  return testing::largest_difference(a, std::vector<double>(b.begin(), b.end()));
}

// The first moments after one step, which are (1 − β₁) times the gradient. AdamW's first step itself is hardly more than the
// gradient's sign, and would hide a wrong weighting.
std::vector<float> moments(const TrainOptions& o) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  Trainer trainer(*model, o);
  trainer.step(copy_task(12, 100));
  const std::vector<uint8_t> state = trainer.state();
  std::vector<float> values;
  for (const TensorEntry& entry : read_header(state, state.size(), "state")) {
    if (entry.name != "first_moments") continue;
    values.resize(entry.count());
    to_float(entry.dtype, std::span(state).subspan(entry.begin, entry.end - entry.begin), values, entry.name);
  }
  return values;
}

double largest(const std::vector<float>& values) { return largest_gap(values, std::vector<float>(values.size(), 0.f)); }

TEST(Trainer, PartsEqualOneBatch) {
  const std::vector<float> whole = moments(options(1));
  ASSERT_GT(largest(whole), 1e-3);
  for (const int64_t batch_size : {1, 3, 4, 5, 11}) {
    TrainOptions o = options(1);
    o.batch_size = batch_size;
    EXPECT_LE(largest_gap(moments(o), whole), 1e-6 * largest(whole)) << batch_size;
  }
  // The parts have unequal numbers of labels, so it matters that labels are counted and not parts.
  const auto model = tiny_model(tiny_config());
  const std::vector<Example> examples = copy_task(12, 100);
  EXPECT_NE(collate(std::span(examples).first(4), model->config()).labels.size(),
            collate(std::span(examples).subspan(4, 4), model->config()).labels.size());

  TrainOptions parts = options(3);
  parts.batch_size = 4;
  const Result a = train(options(3)), b = train(parts);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.steps[i].loss, b.steps[i].loss, 1e-5);
}

TEST(Trainer, EqualSeedsGiveEqualBits) {
  TrainOptions o = options();
  o.dropout = 0.2f;
  o.label_smoothing = 0.1f;
  o.seed = 7;
  const Result a = train(o), b = train(o);
  EXPECT_EQ(a.weights, b.weights);
  for (size_t i = 0; i < a.steps.size(); ++i) EXPECT_EQ(a.steps[i].loss, b.steps[i].loss);
  o.seed = 8;
  EXPECT_NE(train(o).weights, a.weights);
}

TEST(Trainer, DropoutNeverDrawsTheSameTwice) {  // same examples, no learning: only the masks can change the loss
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  TrainOptions o = options();
  o.dropout = 0.3f;
  o.lr = 0.f;
  Trainer trainer(*model, o);
  const std::vector<Example> examples = copy_task(12, 100);
  const float first = trainer.step(examples).loss, second = trainer.step(examples).loss;
  EXPECT_NE(first, second);
}

TEST(Trainer, RecomputingGivesTheSameGradientsInLessMemory) {
  const std::string deep = tiny_config({{"num_hidden_layers", 8}});
  for (const float dropout : {0.f, 0.2f}) {
    TrainOptions o = options(2);
    o.dropout = dropout;
    const Result kept = train(o, deep);
    for (const int every : {1, 2, 3, 8}) {
      o.recompute_every = every;
      const Result recomputed = train(o, deep);
      EXPECT_EQ(kept.weights, recomputed.weights) << every;  // the same operations on the same numbers
      EXPECT_EQ(kept.steps[1].gradient_norm, recomputed.steps[1].gradient_norm) << every;
      const size_t most = kept.steps[1].peak_bytes, less = recomputed.steps[1].peak_bytes;
      EXPECT_GT(recomputed.steps[1].macs, kept.steps[1].macs) << every;
      EXPECT_LT(3 * recomputed.steps[1].macs, 4 * kept.steps[1].macs) << "at most one forward more, a third of a step";
      std::printf("  recompute_every %d of 8 layers, dropout %.1f: peak %zu bytes, all kept %zu\n", every,
                  static_cast<double>(dropout), less, most);
      RecordProperty("peak_bytes_every_" + std::to_string(every), std::to_string(less) + " of " + std::to_string(most));
      if (every <= 3) {
        EXPECT_LT(static_cast<double>(less), 0.7 * static_cast<double>(most)) << every;
      }
    }
  }
}

TEST(Trainer, GoesOnFromItsStateBitForBit) {
  TrainOptions o = options(6);
  o.dropout = 0.1f;
  o.warmup = 2;
  o.schedule = Schedule::cosine;
  for (const int averaging : {0, 1, 2}) {
    o.ema = averaging == 1 ? 0.6f : 0.f;
    o.average_last = averaging == 2 ? 4 : 0;
    const Result through = train(o);
    for (const int64_t stop : {1, 3, 5}) {
      std::vector<uint8_t> state;
      {
        const auto model = tiny_model(tiny_config(), 1, Layout::rows);
        Trainer trainer(*model, o);
        while (trainer.steps_done() < stop) trainer.step(copy_task(12, 100 + static_cast<uint64_t>(trainer.steps_done())));
        state = trainer.state();
      }
      const auto model = tiny_model(tiny_config(), 99);  // other weights: all come from the state
      Trainer trainer(*model, o);
      trainer.restore(state);
      EXPECT_EQ(trainer.steps_done(), stop);
      while (!trainer.done()) trainer.step(copy_task(12, 100 + static_cast<uint64_t>(trainer.steps_done())));
      trainer.finish();
      EXPECT_EQ(weights_of(*model), through.weights) << "stopped after " << stop << ", averaging " << averaging;
    }
  }
}

TEST(Trainer, AveragesWeights) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  TrainOptions o = options(6);
  o.ema = 0.7f;
  Trainer moving(*model, o);
  EXPECT_EQ(moving.averaged(), nullptr);
  std::vector<double> expected(model->weights().size(), 0.0);
  for (int n = 1; n <= 6; ++n) {
    moving.step(copy_task(12, static_cast<uint64_t>(n)));
    const std::vector<float> now = weights_of(*model);
    const double share = std::max(0.3, 1.0 / n);  // a plain mean until the moving average has as long a memory
    for (size_t i = 0; i < now.size(); ++i) expected[i] += share * (static_cast<double>(now[i]) - expected[i]);
  }
  const std::vector<float> got(moving.averaged(), moving.averaged() + expected.size());
  EXPECT_LE(testing::largest_difference(got, expected), 1e-6);  // six roundings of weights of size 1
  moving.finish();
  EXPECT_EQ(weights_of(*model), got);
}

TEST(Trainer, AveragesTheLastSteps) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  TrainOptions o = options(6);
  o.average_last = 3;
  Trainer trainer(*model, o);
  std::vector<double> mean(model->weights().size(), 0.0);
  while (!trainer.done()) {
    trainer.step(copy_task(12, static_cast<uint64_t>(trainer.steps_done())));
    EXPECT_EQ(trainer.averaged() != nullptr, trainer.steps_done() > 3);
    const std::vector<float> now = weights_of(*model);
    for (size_t i = 0; trainer.steps_done() > 3 && i < now.size(); ++i) mean[i] += static_cast<double>(now[i]) / 3;
  }
  trainer.finish();
  EXPECT_LE(testing::largest_difference(weights_of(*model), mean), 1e-6);  // three roundings of weights of size 1
}

TEST(Trainer, TrainsOnlyWhatItIsAsked) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  const std::vector<float> before = weights_of(*model);
  TrainOptions o = options(3);
  o.trainable = {"classifier.*", "*layer.1.*.bias"};
  {
    Trainer trainer(*model, o);
    while (!trainer.done()) trainer.step(copy_task(12, static_cast<uint64_t>(trainer.steps_done())));
  }
  const std::vector<float> after = weights_of(*model);
  for (const Parameter& p : model->weights().parameters()) {
    const bool trained =
        p.name.starts_with("classifier.") || (p.name.find("layer.1.") != std::string::npos && p.name.ends_with(".bias"));
    const auto begin = static_cast<ptrdiff_t>(p.offset), end = begin + static_cast<ptrdiff_t>(p.size());
    EXPECT_EQ(std::equal(before.begin() + begin, before.begin() + end, after.begin() + begin), !trained) << p.name;
  }
}

TEST(Trainer, FrozenParametersDoNotChangeTheGradientsOfTheRest) {
  const auto step = [](std::vector<std::string> trainable) {
    const auto model = tiny_model(tiny_config(), 1, Layout::rows);
    TrainOptions o = options(1);
    o.clip = 0.f;
    o.trainable = std::move(trainable);
    {
      Trainer trainer(*model, o);
      trainer.step(copy_task(12, 100));
    }
    return testing::values_of(model->weights().at("encoder.layer.0.attention.self.query.weight"));
  };
  EXPECT_EQ(step({"encoder.layer.0.attention.self.query.weight"}), step({}));
}

TEST(Trainer, MemoryDoesNotGrow) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  Trainer trainer(*model, options(3));
  const size_t first = trainer.step(copy_task(12, 5)).peak_bytes;
  EXPECT_GT(first, 0u);
  EXPECT_EQ(trainer.step(copy_task(12, 5)).peak_bytes, first);
}

TEST(Trainer, RefusesWithoutChangingAnything) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  Trainer trainer(*model, options());
  const std::vector<float> before = weights_of(*model);
  const auto refuses = [&](std::vector<Example> examples, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::bad_input, parts, [&] { trainer.step(examples); });
  };
  refuses({}, {"at least one example"});
  refuses({{{1, 2}, {}, {0}}}, {"example 0", "2 labels"});
  refuses({{{}, {}, {}}}, {"example 0", "ids"});
  refuses({{{1, 2}, {0}, {0, 1}}}, {"typeIds"});
  refuses({{{1, 13}, {}, {0, 1}}}, {"ids", "0 to 12", "13"});
  refuses({{{1, 2}, {}, {0, 4}}}, {"labels", "0 to 3", "4"});
  refuses({{{1, 2}, {}, {kIgnore, kIgnore}}}, {"no label counts"});
  EXPECT_EQ(weights_of(*model), before);
  EXPECT_EQ(trainer.steps_done(), 0);
  EXPECT_EQ(trainer.step(copy_task(4, 1)).step, 1);  // and goes on working

  const auto plain = tiny_model(tiny_config({{"architectures", {"GlassformerModel"}}}));
  Trainer headless(*plain, options());
  expect_error(ErrorCode::bad_input, {"head"}, [&] { headless.step(copy_task(1, 1)); });
}

TEST(Trainer, RefusesPatternsThatFitNothing) {
  const auto model = tiny_model(tiny_config());
  TrainOptions o = options();
  o.trainable = {"classifier.*", "decoder.*"};
  expect_error(ErrorCode::bad_input, {"trainable", "decoder.*"}, [&] { Trainer(*model, o); });
}

TEST(Trainer, RefusesAStateThatIsNotItsOwn) {
  const auto model = tiny_model(tiny_config()), other = tiny_model(tiny_config({{"hidden_size", 24}}));
  Trainer trainer(*model, options()), larger(*other, options());
  const std::vector<float> before = weights_of(*model);
  expect_error(ErrorCode::bad_weights, {"training state", "weights"}, [&] { trainer.restore(larger.state()); });
  std::vector<uint8_t> state = trainer.state();
  expect_error(ErrorCode::bad_weights, {"training state"}, [&] { trainer.restore(std::span(state).first(state.size() - 4)); });
  const std::vector<TensorEntry> entries = read_header(state, state.size(), "state");
  for (const TensorEntry& entry : entries)
    if (entry.name == "counters") std::fill_n(state.begin() + static_cast<ptrdiff_t>(entry.begin), 4, uint8_t{0xff});  // a NaN
  expect_error(ErrorCode::bad_weights, {"training state", "counters"}, [&] { trainer.restore(state); });
  EXPECT_EQ(weights_of(*model), before);
}

TEST(Trainer, LearnsToCopy) {  // needs a head that looks one token back
  const auto model = tiny_model(
      tiny_config({{"hidden_size", 32}, {"num_attention_heads", 2}, {"intermediate_size", 64}, {"initializer_range", 0.15}}), 3,
      Layout::rows);
  TrainOptions o = options(300);
  o.lr = 4e-3f;
  o.warmup = 20;
  o.schedule = Schedule::linear;
  {
    Trainer trainer(*model, o);
    while (!trainer.done()) trainer.step(copy_task(24, 1000 + static_cast<uint64_t>(trainer.steps_done())));
  }
  Arena arena;
  int64_t correct = 0, count = 0;
  for (const Evaluation& e : evaluate(*model, arena, copy_task(200, 1))) {
    correct += e.correct;
    count += e.count;
  }
  const double accuracy = static_cast<double>(correct) / static_cast<double>(count);
  std::printf("  copying the class of the token before: %.2f %% of %lld held-out tokens\n", 100 * accuracy,
              static_cast<long long>(count));
  RecordProperty("accuracy", std::to_string(accuracy));
  EXPECT_GE(accuracy, 0.98);  // a guess gets 25 to 31 %
}

TEST(Trainer, LearnsMaskedWords) {  // the tied table gets gradients from both its ends
  const auto model = tiny_model(testing::tiny_bert({{"initializer_range", 0.15}}), 3, Layout::rows);
  TrainOptions o = options(500);
  o.lr = 6e-3f;
  o.warmup = 10;
  o.schedule = Schedule::linear;
  const auto text = [](uint64_t seed) {  // a b a b …, with one of them hidden behind id 12
    Random random(seed);
    Example e;
    const int32_t a = static_cast<int32_t>(random.bits() % 12), b = static_cast<int32_t>(random.bits() % 12);
    for (int t = 0; t < 6; ++t) e.ids.push_back(t % 2 ? b : a);
    e.labels.assign(6, kIgnore);
    const size_t hidden = random.bits() % 6;
    e.labels[hidden] = e.ids[hidden];
    e.ids[hidden] = 12;
    return e;
  };
  const auto batch = [&](uint64_t seed, size_t count) {
    std::vector<Example> examples;
    for (size_t i = 0; i < count; ++i) examples.push_back(text(seed * 1000 + i));
    return examples;
  };
  {
    Trainer trainer(*model, o);
    while (!trainer.done()) trainer.step(batch(static_cast<uint64_t>(trainer.steps_done()), 24));
  }
  Arena arena;
  int64_t correct = 0;
  for (const Evaluation& e : evaluate(*model, arena, batch(9999, 100))) correct += e.correct;
  std::printf("  filling a blank in a b a b: %lld of 100\n", static_cast<long long>(correct));
  EXPECT_GE(correct, 90);  // a guess gets 8
}

#ifndef __EMSCRIPTEN__  // threads exist natively only
TEST(Trainer, TwoThreadsEqualOneToRounding) {
  TrainOptions o = options(3);
  const Result one = train(o);
  const std::vector<float> single = moments(o);
  o.threads = 2;
  EXPECT_LE(largest_gap(moments(o), single), 1e-6 * largest(single));
  const Result two = train(o), again = train(o);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.steps[i].loss, two.steps[i].loss, 1e-5);
    EXPECT_EQ(one.steps[i].tokens, two.steps[i].tokens);
  }
  EXPECT_EQ(two.weights, again.weights);
}

TEST(Trainer, MoreThreadsThanExamples) {
  TrainOptions o = options(1);
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  o.threads = 4;
  Trainer trainer(*model, o);
  EXPECT_GT(trainer.step(copy_task(1, 1)).loss, 0.f);
}

TEST(Trainer, AnErrorInAThreadArrives) {
  TrainOptions o = options(2);
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  o.threads = 2;
  Trainer trainer(*model, o);
  std::vector<Example> examples = copy_task(4, 1);
  examples.back().ids.back() = 99;
  expect_error(ErrorCode::bad_input, {"ids", "99"}, [&] { trainer.step(examples); });
  EXPECT_EQ(trainer.step(copy_task(4, 1)).step, 1);
}
#endif

}  // namespace
}  // namespace glass
