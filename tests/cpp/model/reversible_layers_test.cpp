// Reversible layers beside a stored tape, and variants with a cache.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cpp/support/variants.h"

namespace glass {
namespace {

using testing::both_config;
using testing::causal_config;
using testing::recorded;
using testing::text;
using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;
using Json = nlohmann::json;

struct Trained {
  std::vector<float> gradients;
  size_t peak = 0;
};

Trained train_once(const Model& model, const Batch& batch, bool stored, float dropout_rate) {
  Trained result;
  Arena arena;
  Gradients gradients(model.weights().size());
  HookList listener;  // with a listener the layers run on an ordinary tape
  Tape tape(&gradients);
  Random masks(6);
  const Context cx{
      .arena = arena, .tape = &tape, .hooks = stored ? &listener : nullptr, .random = &masks, .dropout_rate = dropout_rate};
  tape.backward(model.forward(cx, batch).logits);
  result.gradients = gradients.values();
  result.peak = arena.peak_bytes();
  return result;
}

// Subtraction gives a layer's inputs back to within rounding: 6e-8 of a stream for each layer. Full attention draws the same
// dropout either way.
TEST(ReversibleLayers, GiveTheGradientsOfAStoredTape) {
  for (const bool both : {false, true}) {
    const Json changes = {{"reversible", true}, {"num_hidden_layers", 6}};
    const auto model = tiny_model(both ? both_config(changes) : causal_config(changes), 2, Layout::rows);
    Batch batch = text(7);
    if (both) batch.target = text(5, 9);
    for (const float rate : {0.f, 0.2f}) {
      const Trained expected = train_once(*model, batch, true, rate), got = train_once(*model, batch, false, rate);
      for (const Parameter& p : model->weights().parameters()) {
        float largest = 0;
        for (size_t i = p.offset; i < p.offset + p.size(); ++i) largest = std::max(largest, std::abs(expected.gradients[i]));
        if (p.name.ends_with("key.bias")) largest = 10;  // zeros but for rounding
        for (size_t i = p.offset; i < p.offset + p.size(); ++i)
          ASSERT_NEAR(got.gradients[i], expected.gradients[i], 1e-5f * std::max(largest, 1.f)) << p.name;
      }
    }
  }
}

TEST(ReversibleLayers, MemoryDoesNotGrowWithTheLayers) {
  const auto peak = [](int layers, bool stored, const Json& more) {
    Json changes = {{"reversible", true}, {"num_hidden_layers", layers}};
    changes.update(more);
    return train_once(*tiny_model(tiny_config(changes), 2, Layout::rows), text(64), stored, 0.1f).peak;
  };
  for (const Json& more : {Json::object(), Json{{"attention", "lsh"}, {"lsh_num_buckets", 8}, {"lsh_num_hashes", 2}}}) {
    const size_t few = peak(2, false, more), many = peak(16, false, more), stored_few = peak(2, true, more),
                 stored = peak(16, true, more);
    std::printf("peak of a training step, reversible: 2 layers %zu KB, 16 layers %zu KB; stored tape: %zu KB, %zu KB\n",
                few >> 10, many >> 10, stored_few >> 10, stored >> 10);
    EXPECT_EQ(few, many);
    EXPECT_GT(stored, 5 * stored_few);
  }
}

TEST(VariantCache, StepsGiveWhatTheWholeTextGives) {
  for (const std::string& config : {causal_config(), causal_config({{"reversible", true}}),
                                    // One bucket: what past tokens found does not depend on later ones.
                                    causal_config({{"attention", "lsh"}, {"lsh_num_buckets", 1}, {"reversible", true}})}) {
    const auto model = tiny_model(config);
    const Batch whole = text(7);
    Arena arena;
    {
      const std::vector<float> expected = values_of(model->forward(Context{arena}, whole).logits);
      DecoderState state = model->make_state(arena, 7);
      std::vector<float> got;
      for (const auto& [from, to] : {std::pair{0, 4}, std::pair{4, 5}, std::pair{5, 7}}) {
        Batch part;
        part.size = 1;
        part.length = to - from;
        part.ids.assign(whole.ids.begin() + from, whole.ids.begin() + to);
        const std::vector<float> logits = values_of(model->forward(Context{arena}, part, 0, &state).logits);
        got.insert(got.end(), logits.begin(), logits.end());
      }
      ASSERT_EQ(got.size(), expected.size());
      for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-5f);
    }
    EXPECT_EQ(arena.bytes_in_use(), 0u);
  }
}

TEST(VariantCache, AnLshStepFindsPastTokens) {
  const auto model = tiny_model(causal_config({{"attention", "lsh"}, {"lsh_num_buckets", 4}, {"num_hidden_layers", 1}}));
  const Batch whole = text(9);
  Arena arena;
  Trace all({"*hook_pattern"}, {}), last({"*hook_pattern"}, {});
  model->forward({.arena = arena, .hooks = &all}, whole);
  DecoderState state = model->make_state(arena, 9);
  Batch first = whole, step = whole;
  first.length = 8, step.length = 1;
  first.ids.resize(8);
  step.ids = {whole.ids.back()};
  model->forward(Context{arena}, first, 0, &state);
  model->forward({.arena = arena, .hooks = &last}, step, 0, &state);
  const Tensor full = recorded(all, "blocks.0.attn.hook_pattern"), row = recorded(last, "blocks.0.attn.hook_pattern");
  EXPECT_EQ(row.shape(), Shape({1, 3, 1, 9}));
  for (size_t h = 0; h < 3; ++h)  // the last token of a first layer finds what it finds in the whole text
    for (size_t s = 0; s < 9; ++s) EXPECT_NEAR(row.data()[h * 9 + s], full.data()[(h * 9 + 8) * 9 + s], 1e-6f);
}

}  // namespace
}  // namespace glass
