// Running a model: input that is refused, memory that comes back, weights that can be changed, where a new one starts.
#include <gtest/gtest.h>

#include <cmath>

#include "cpp/io/expect_error.h"
#include "cpp/support/golden.h"
#include "cpp/support/tiny.h"

namespace glass {
namespace {

using testing::tiny_bert;
using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;

std::vector<float> logits_of(const Model& model, const Batch& batch) {
  Arena arena;
  return values_of(model.forward(Context{arena}, batch).logits);
}

TEST(Input, IsRefusedByName) {
  const auto model = tiny_model(tiny_bert());
  const auto refuses = [&](const Batch& batch, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::bad_input, parts, [&] { logits_of(*model, batch); });
  };
  refuses(Batch(), {"ids", "at least one"});
  refuses({1, 0, {}, {}, {}, {}}, {"ids", "at least one token"});
  refuses({1, -3, {}, {}, {}, {}}, {"ids", "-3"});
  refuses({2, 2, {1, 2, 3}, {}, {}, {}}, {"ids", "4 values", "got 3"});
  refuses({1, 2, {1, 13}, {}, {}, {}}, {"ids", "0 to 12", "got 13", "sequence 0", "position 1"});
  refuses({2, 1, {1, -1}, {}, {}, {}}, {"ids", "got -1", "sequence 1", "position 0"});
  refuses({1, 2, {1, 2}, {1}, {}, {}}, {"mask", "2 values", "got 1"});
  refuses({1, 2, {1, 2}, {1, 2}, {}, {}}, {"mask", "0 to 1", "got 2"});
  refuses({1, 2, {1, 2}, {1, -1}, {}, {}}, {"mask", "got -1"});
  refuses({1, 2, {1, 2}, {}, {0, 2}, {}}, {"typeIds", "0 to 1", "got 2"});
  refuses({1, 2, {1, 2}, {}, {0}, {}}, {"typeIds", "got 1"});
  Batch outside{1, 2, {1, 2}};
  outside.rows = {2};
  refuses(outside, {"rows", "got 2"});
  refuses({1, 17, std::vector<int32_t>(17, 1), {}, {}, {}}, {"at most 16", "17"});
  EXPECT_FALSE(logits_of(*model, {1, 16, std::vector<int32_t>(16, 1), {}, {}, {}}).empty());

  const auto sinusoidal = tiny_model(tiny_config());
  EXPECT_FALSE(logits_of(*sinusoidal, {1, 600, std::vector<int32_t>(600, 1), {}, {}, {}}).empty());  // no table, no limit
  expect_error(ErrorCode::bad_input, {"typeIds", "0 to 0"}, [&] { logits_of(*sinusoidal, {1, 1, {1}, {}, {1}, {}}); });
}

TEST(Input, ATextOfPaddingAloneIsFinite) {
  for (const std::string& config : {tiny_bert(), tiny_config({{"architectures", {"GlassformerForSequenceClassification"}}})})
    for (const float value : logits_of(*tiny_model(config), {2, 2, {1, 2, 0, 0}, {1, 1, 0, 0}, {}, {}}))
      EXPECT_TRUE(std::isfinite(value));
}

TEST(Input, RowsAskForPartOfTheLogits) {
  for (const std::string& config : {tiny_bert(), tiny_config()}) {
    const auto model = tiny_model(config);
    Batch batch{2, 3, {1, 2, 3, 4, 5, 6}, {}, {}, {}};
    const std::vector<float> all = logits_of(*model, batch);
    const size_t width = all.size() / 6;
    batch.rows = {4, 0, 4};
    const std::vector<float> some = logits_of(*model, batch);
    ASSERT_EQ(some.size(), 3 * width);
    for (size_t i = 0; i < some.size(); ++i)
      EXPECT_NEAR(some[i], all[static_cast<size_t>(batch.rows[i / width]) * width + i % width],
                  1e-5);  // other tiles, other roundings
  }
}

TEST(ModelTest, LayoutsGiveTheSameNumbers) {
  for (const std::string& config : {tiny_bert(), tiny_config()}) {
    const Batch batch{2, 5, {1, 2, 3, 4, 5, 6, 7, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, {}, {}};
    const auto panels = tiny_model(config, 1, Layout::panels), rows = tiny_model(config, 1, Layout::rows);
    EXPECT_EQ(logits_of(*panels, batch), logits_of(*rows, batch));
    panels->weights().set_layout(Layout::rows);
    EXPECT_EQ(logits_of(*panels, batch), logits_of(*rows, batch));
    rows->weights().set_layout(Layout::panels);
    EXPECT_EQ(logits_of(*panels, batch), logits_of(*rows, batch));
  }
}

TEST(ModelTest, WeightsOfEightBitsStayNearTheirFloats) {
  for (const std::string& config : {tiny_bert(), tiny_config()}) {
    const Batch batch{2, 5, {1, 2, 3, 4, 5, 6, 7, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, {}, {}};
    const auto floats = tiny_model(config, 1), bytes = tiny_model(config, 1, Layout::int8);
    const std::vector<float> expected = logits_of(*floats, batch), found = logits_of(*bytes, batch);
    ASSERT_EQ(found.size(), expected.size());
    double squares = 0, errors = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      squares += expected[i] * expected[i];
      errors += (found[i] - expected[i]) * (found[i] - expected[i]);
    }
    // Each weight is off by some 0.6 % of their deviation, evenly spread, and four products follow one another in a layer.
    EXPECT_GT(errors, 0);
    EXPECT_LT(std::sqrt(errors / squares), 0.03);

    // What comes out of the model is what it computes with, so a model of these floats gives nearly the same.
    for (Parameter& p : floats->weights().parameters()) copy_in(p, values_of(bytes->weights().at(p.name)).data());
    const std::vector<float> same = logits_of(*floats, batch);
    for (size_t i = 0; i < same.size(); ++i) EXPECT_NEAR(found[i], same[i], 1e-3f);  // inputs are rounded to 1/32767
  }
}

TEST(ModelTest, WeightsOfEightBitsAreNotTrained) {
  const auto model = tiny_model(tiny_bert(), 1, Layout::int8);
  expect_error(ErrorCode::unsupported, {"dtype 'F32'", "int8"}, [&] { model->weights().set_layout(Layout::rows); });
  for (const Parameter& p : model->weights().parameters())
    EXPECT_EQ(p.layout == Layout::int8, p.shape.rank() == 2 && p.name.find("position") == std::string::npos &&
                                            p.name.find("token_type") == std::string::npos)
        << p.name;
}

TEST(ModelTest, RunsLeaveNothingBehind) {
  for (const std::string& config : {tiny_bert(), tiny_config({{"architectures", {"GlassformerForSequenceClassification"}}})}) {
    const auto model = tiny_model(config);
    Arena arena;
    const Batch batch{2, 8, std::vector<int32_t>(16, 3), {}, {}, {}};
    size_t peak = 0;
    for (int i = 0; i < 4; ++i) {
      arena.reset_peak();
      model->forward(Context{arena}, batch);
      EXPECT_EQ(arena.bytes_in_use(), 0u);
      if (i > 0) {
        EXPECT_EQ(arena.peak_bytes(), peak);
      }
      peak = arena.peak_bytes();
      expect_error(ErrorCode::bad_input, {"ids"}, [&] { model->forward(Context{arena}, {1, 1, {99}, {}, {}, {}}); });
      EXPECT_EQ(arena.bytes_in_use(), 0u);
    }
  }
}

TEST(ModelTest, ABackwardLeavesNothingBehind) {
  const auto model = tiny_model(tiny_bert(), 1, Layout::rows);
  Arena arena;
  Gradients gradients(model->weights().size());
  for (const int recompute_every : {0, 1, 2}) {
    Tape tape(&gradients);
    Random random(3);
    const Context cx{.arena = arena, .tape = &tape, .random = &random, .dropout_rate = 0.1f};
    tape.backward(model->forward(cx, {2, 8, std::vector<int32_t>(16, 3), {}, {}, {}}, recompute_every).logits);
    EXPECT_EQ(arena.bytes_in_use(), 0u);
    Tape dropped(&gradients);  // a forward that nobody goes back from
    model->forward({.arena = arena, .tape = &dropped}, {1, 2, {1, 2}, {}, {}, {}}, recompute_every);
  }
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}

TEST(ModelTest, ChangedWeightsAreSeenByTheNextRun) {
  const auto model = tiny_model(tiny_bert());
  const Batch batch{1, 2, {1, 2}, {}, {}, {}};
  const std::vector<float> before = logits_of(*model, batch);
  Parameter& bias = model->weights().at("cls.predictions.bias");
  std::vector<float> values = values_of(bias);
  values[4] += 1.f;
  copy_in(bias, values.data());
  const std::vector<float> after = logits_of(*model, batch);
  for (size_t i = 0; i < before.size(); ++i)  // the bias may be added first or last
    EXPECT_NEAR(after[i], before[i] + (i % 13 == 4 ? 1.f : 0.f), 1e-6);

  Parameter& table = model->weights().at("bert.embeddings.word_embeddings.weight");  // in panels
  const std::vector<float> words = values_of(table);
  const std::vector<float> zeros(table.size(), 0.f);
  copy_in(table, zeros.data());
  EXPECT_NE(logits_of(*model, batch), after);
  copy_in(table, words.data());
  EXPECT_EQ(logits_of(*model, batch), after);
}

TEST(ModelTest, UnknownParametersGetTheNearestNames) {
  const auto model = tiny_model(tiny_bert());
  expect_error(ErrorCode::not_found, {"cls.predictions.bais", "\"cls.predictions.bias\""},
               [&] { model->weights().at("cls.predictions.bais"); });
}

TEST(ModelTest, StartsAsItsFamilyDoes) {
  const auto model = tiny_model(tiny_bert({{"vocab_size", 500}, {"initializer_range", 0.05}, {"pad_token_id", 7}}), 3);
  for (const Parameter& p : model->weights().parameters()) {
    const std::vector<float> values = values_of(p);
    if (p.shape.rank() == 1) {
      const float expected = p.name.ends_with("LayerNorm.weight") ? 1.f : 0.f;
      for (const float x : values) EXPECT_EQ(x, expected) << p.name;
      continue;
    }
    double squares = 0;
    for (const float x : values) squares += static_cast<double>(x) * static_cast<double>(x);
    const double n = static_cast<double>(values.size());
    EXPECT_NEAR(std::sqrt(squares / n), 0.05, 0.05 * 5 / std::sqrt(2 * n)) << p.name;  // five standard deviations
  }
  const std::vector<float> table = values_of(model->weights().at("bert.embeddings.word_embeddings.weight"));
  for (size_t i = 7 * 12; i < 8 * 12; ++i) EXPECT_EQ(table[i], 0.f);  // the padding token's row
  EXPECT_NE(table[0], 0.f);
  EXPECT_EQ(testing::weights_of(*model), testing::weights_of(*tiny_model(model->config_json(), 3)));
  EXPECT_NE(testing::weights_of(*model), testing::weights_of(*tiny_model(model->config_json(), 4)));
}

}  // namespace
}  // namespace glass
