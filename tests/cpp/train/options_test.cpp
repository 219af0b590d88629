// Learning rates by step, options from JSON, and how examples become batches and scores.
#include <gtest/gtest.h>

#include <cmath>

#include "cpp/io/expect_error.h"
#include "cpp/support/tiny.h"
#include "train/schedule.h"
#include "train/trainer.h"

namespace glass {
namespace {

float rate(Schedule schedule, int64_t step, int64_t steps, int64_t warmup, float lr = 1.f) {
  TrainOptions o;
  o.schedule = schedule;
  o.steps = steps;
  o.warmup = warmup;
  o.lr = lr;
  return learning_rate(o, step, 64);
}

TEST(Schedules, WarmUpIsLinear) {
  for (const Schedule schedule : {Schedule::constant, Schedule::linear, Schedule::cosine})
    for (const int64_t step : {1, 5, 10})
      EXPECT_FLOAT_EQ(rate(schedule, step, 100, 10, 0.5f), 0.05f * static_cast<float>(step));
}

TEST(Schedules, ConstantStays) {
  for (const int64_t step : {1, 50, 100}) EXPECT_EQ(rate(Schedule::constant, step, 100, 0, 0.5f), 0.5f);
}

TEST(Schedules, LinearFallsEvenlyAndEndsAboveNothing) {
  EXPECT_FLOAT_EQ(rate(Schedule::linear, 1, 4, 0), 0.8f);
  EXPECT_FLOAT_EQ(rate(Schedule::linear, 4, 4, 0), 0.2f);  // step 5 would be the first at zero
  EXPECT_FLOAT_EQ(rate(Schedule::linear, 5, 5, 5), 1.f);   // warm-up to the end
}

TEST(Schedules, CosineIsHalfAWave) {
  EXPECT_FLOAT_EQ(rate(Schedule::cosine, 10 + 5, 19, 10), 0.5f);  // half way of the ten steps down
  EXPECT_GT(rate(Schedule::cosine, 19, 19, 10), 0.f);
  for (int64_t step = 11; step < 19; ++step)
    EXPECT_GT(rate(Schedule::cosine, step, 19, 10), rate(Schedule::cosine, step + 1, 19, 10));
}

TEST(Schedules, NoamPeaksAtTheEndOfWarmUp) {
  EXPECT_NEAR(rate(Schedule::noam, 10, 100, 10), 1 / std::sqrt(64.0 * 10.0), 1e-7);
  EXPECT_NEAR(rate(Schedule::noam, 1, 100, 10), std::pow(10.0, -1.5) / 8, 1e-8);
  EXPECT_NEAR(rate(Schedule::noam, 40, 100, 10, 2.f), 2 / std::sqrt(64.0 * 40.0), 1e-7);
  EXPECT_NEAR(rate(Schedule::noam, 1, 100, 0), 0.125, 1e-7);  // no warm-up: falls from the start
  expect_error(ErrorCode::bad_input, {"noamRate"}, [] { noam_rate(0, 64, 10); });
}

TEST(TrainOptions, AreReadByTheirPublicNames) {
  const TrainOptions o = parse_train_options(R"({"steps": 7, "batchSize": 3, "accumulate": 2, "schedule": "noam", "warmup": 4,
    "optimizer": {"lr": 0.5, "beta1": 0.8, "beta2": 0.98, "eps": 1e-6, "weightDecay": 0.2}, "labelSmoothing": 0.1, "dropout": 0.3,
    "clip": 1, "recomputeEvery": 2, "ema": 0.9, "averageLast": 5, "trainable": ["a.*", "b"], "seed": 9007199254740992, "threads": 2})");
  EXPECT_EQ(o.steps, 7);
  EXPECT_EQ(o.batch_size, 3);
  EXPECT_EQ(o.accumulate, 2);
  EXPECT_EQ(o.schedule, Schedule::noam);
  EXPECT_EQ(o.warmup, 4);
  EXPECT_EQ(o.lr, 0.5f);
  EXPECT_EQ(o.beta1, 0.8);
  EXPECT_EQ(o.beta2, 0.98);
  EXPECT_EQ(o.eps, 1e-6f);
  EXPECT_EQ(o.weight_decay, 0.2f);
  EXPECT_EQ(o.label_smoothing, 0.1f);
  EXPECT_EQ(o.dropout, 0.3f);
  EXPECT_EQ(o.clip, 1.f);
  EXPECT_EQ(o.recompute_every, 2);
  EXPECT_EQ(o.ema, 0.9f);
  EXPECT_EQ(o.average_last, 5);
  EXPECT_EQ(o.trainable, (std::vector<std::string>{"a.*", "b"}));
  EXPECT_EQ(o.seed, uint64_t{1} << 53);
  EXPECT_EQ(o.threads, 2);
  EXPECT_EQ(parse_train_options("{}").schedule, Schedule::constant);
  EXPECT_EQ(parse_train_options("{}").lr, 1e-3f);
  EXPECT_EQ(parse_train_options(R"({"schedule": "noam"})").lr, 1.f);
}

TEST(TrainOptions, AreRefusedByName) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> wrong = {
      {R"({"steps": 0})", {"steps", "0"}},
      {R"({"steps": 16777216})", {"steps"}},
      {R"({"batchSize": 0})", {"batchSize"}},
      {R"({"accumulate": -1})", {"accumulate", "-1"}},
      {R"({"optimizer": {"lr": -1}})", {"optimizer.lr"}},
      {R"({"optimizer": {"beta1": 1}})", {"betas[0]"}},
      {R"({"optimizer": {"beta2": -0.1}})", {"betas[1]"}},
      {R"({"optimizer": {"eps": 0}})", {"eps"}},
      {R"({"optimizer": {"weightDecay": -1}})", {"weightDecay"}},
      {R"({"warmup": -1})", {"warmup"}},
      {R"({"labelSmoothing": 1})", {"labelSmoothing"}},
      {R"({"dropout": 1})", {"dropout"}},
      {R"({"clip": -1})", {"clip"}},
      {R"({"ema": 1})", {"ema"}},
      {R"({"steps": 5, "averageLast": 6})", {"averageLast"}},
      {R"({"schedule": "exponential"})", {"schedule", "exponential", "cosine"}},
      {R"({"epochs": 3})", {"epochs"}},
  };
  for (const auto& one : wrong) expect_error(ErrorCode::bad_input, one.second, [&] { parse_train_options(one.first); });
  for (const char* json :
       {R"({"steps": 1.5})", R"({"steps": "many"})", R"({"optimizer": 3})", R"({"trainable": "a"})", "[]", "{"})
    expect_error(ErrorCode::bad_config, {"options"}, [&] { parse_train_options(json); });
}

TEST(Collate, PadsAndAsksOnlyForRowsThatCount) {
  const auto model = testing::tiny_model(testing::tiny_bert());
  const std::vector<Example> examples = {{{5, 6, 7}, {0, 1, 1}, {kIgnore, 2, kIgnore}}, {{8}, {}, {3}}};
  const LabelledBatch b = collate(examples, model->config());
  EXPECT_EQ(b.batch.size, 2);
  EXPECT_EQ(b.batch.length, 3);
  EXPECT_EQ(b.batch.ids, (std::vector<int32_t>{5, 6, 7, 8, 0, 0}));
  EXPECT_EQ(b.batch.mask, (std::vector<int32_t>{1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(b.batch.types, (std::vector<int32_t>{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(b.batch.rows, (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(b.labels, (std::vector<int32_t>{2, 3}));
}

TEST(Evaluate, CountsByExample) {
  const auto model = testing::tiny_model(testing::tiny_config());
  const std::vector<Example> examples = {{{1, 2, 3}, {}, {0, kIgnore, 1}}, {{4}, {}, {kIgnore}}, {{5, 6}, {}, {2, 3}}};
  Arena arena;
  const std::vector<Evaluation> results = evaluate(*model, arena, examples);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].count, 2);
  EXPECT_EQ(results[1].count, 0);
  EXPECT_EQ(results[1].loss, 0.0);
  EXPECT_EQ(results[2].count, 2);
  EXPECT_EQ(results[0].correct5, 2);  // of four classes all are among the first five
  for (size_t i : {0u, 2u}) {         // each alone gives the same
    const Evaluation alone = evaluate(*model, arena, std::span(examples).subspan(i, 1)).front();
    EXPECT_NEAR(alone.loss, results[i].loss, 1e-5);
    EXPECT_EQ(alone.correct, results[i].correct);
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}

TEST(Evaluate, AModelOfNansIsNeverRight) {
  const auto model = testing::tiny_model(testing::tiny_config());
  Parameter& bias = model->weights().at("classifier.bias");
  const std::vector<float> nans(bias.size(), std::nanf(""));
  copy_in(bias, nans.data());
  Arena arena;
  EXPECT_EQ(evaluate(*model, arena, std::vector<Example>{{{1, 2}, {}, {0, 1}}}).front().correct, 0);
}

TEST(Evaluate, NamesTheClassOfAText) {
  const auto model = testing::tiny_model(testing::tiny_config({{"architectures", {"GlassformerForSequenceClassification"}}}));
  Arena arena;
  const std::vector<Example> examples = {{{1, 2, 3}, {}, {0}}, {{4}, {}, {kIgnore}}};
  const std::vector<Evaluation> results = evaluate(*model, arena, examples);
  for (const Evaluation& e : results) {
    EXPECT_GE(e.predicted, 0);
    EXPECT_LT(e.predicted, 4);
  }
  EXPECT_EQ(results[0].correct, results[0].predicted == 0);
  EXPECT_EQ(results[1].count, 0);
}

}  // namespace
}  // namespace glass
