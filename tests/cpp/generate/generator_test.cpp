// Generation with whole models: equal to transformers, equal with and without what is kept, bounded, hooked.
#include "generate/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cpp/io/expect_error.h"
#include "cpp/support/folder.h"
#include "cpp/support/golden.h"
#include "cpp/support/tiny.h"
#include "trace/step_edits.h"

namespace glass {
namespace {

using testing::values_of;

std::string folder(const std::string& model) { return testing::golden_path("generate/" + model); }

GenerationOptions options_of(const std::string& name, const Model& model, const std::string& call) {
  return parse_generation_options(model.config(), model.config_json(),
                                  testing::read_text(folder(name) + "/generation_config.json"), call);
}

// No end token, so that texts are as long as asked for.
constexpr const char* kEndless = R"({"beams": 1, "maxNewTokens": 6, "eosTokenId": null, "forcedEosTokenId": null})";

class Generation : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { model_ = testing::open_folder(folder(GetParam())); }
  bool two() const { return model_->config().kind == Kind::encoder_decoder; }
  // A run over a whole text at once.
  Batch whole(const std::vector<int32_t>& source, const std::vector<int32_t>& text) const {
    Batch batch;
    Tokens tokens{1, static_cast<int64_t>(text.size()), text, {}, {}};
    static_cast<Tokens&>(batch) = two() ? Tokens{1, static_cast<int64_t>(source.size()), source, {}, {}} : tokens;
    if (two()) batch.target = tokens;
    return batch;
  }
  std::unique_ptr<Model> model_;
};

// The texts of a tokenizer's tokens, as transformers has them.
TokenTexts texts_of(const nlohmann::json& hex) {
  std::string bytes;
  std::vector<int32_t> ends;
  for (const std::string text : hex) {
    for (size_t i = 0; i < text.size(); i += 2) bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    ends.push_back(static_cast<int32_t>(bytes.size()));
  }
  return {bytes, ends};
}

TEST_P(Generation, WritesWhatTransformersWrites) {
  const nlohmann::json golden = testing::golden_json("generate/generate.json");
  const nlohmann::json stops = testing::golden_json("generate/stops.json");
  const float tolerance = golden.at("tolerance").at("score");
  nlohmann::json cases = golden.at("cases");
  cases.insert(cases.end(), stops.at("cases").begin(), stops.at("cases").end());
  int compared = 0;
  for (const auto& one : cases) {
    if (one.at("model") != GetParam()) continue;
    Arena arena;
    Prompt prompt{one.at("ids").get<std::vector<int32_t>>()};
    if (one.contains("decoderIds")) prompt.decoder_ids = one.at("decoderIds").get<std::vector<int32_t>>();
    Generator generator(*model_, arena, options_of(GetParam(), *model_, one.at("options").dump()), prompt,
                        one.contains("tokenizer") ? texts_of(stops.at("texts").at(one.at("tokenizer"))) : TokenTexts());
    while (!generator.done()) generator.step(Context{arena});
    const Generated text = generator.result();
    EXPECT_EQ(text.ids, one.at("expect").at("ids").get<std::vector<int32_t>>()) << one.at("name");
    if (one.at("expect").contains("score")) {
      EXPECT_NEAR(text.score, one.at("expect").at("score").get<float>(), tolerance) << one.at("name");
    }
    ++compared;
  }
  EXPECT_GE(compared, 25);
}

// Learned, sinusoidal, rotary and relative positions, grouped heads, cross-attention: the keys and values kept from earlier
// steps give what a forward over the whole text gives.
TEST_P(Generation, EqualsForwardsWithoutACache) {
  Arena arena;
  Generator generator(*model_, arena, options_of(GetParam(), *model_, kEndless), {{5, 9, 3, 7}});
  std::vector<int32_t> text;
  size_t last_bytes = 0;
  while (!generator.done()) {
    const Step step = generator.step(Context{arena});
    EXPECT_EQ(step.past, static_cast<int64_t>(text.size()));
    text.insert(text.end(), step.read.ids.begin(), step.read.ids.end());
    const Output full = model_->forward(Context{arena}, whole({5, 9, 3, 7}, text));
    const size_t V = full.logits.width();
    const float* row = full.logits.data() + (text.size() - 1) * V;
    // The same sums in another order: some roundings of numbers of size 10.
    EXPECT_LE(testing::largest_difference(values_of(step.output.logits), std::vector<double>(row, row + V)), 2e-5);
    EXPECT_EQ(step.output.logits.shape(), (Shape{1, static_cast<int64_t>(V)}));
    EXPECT_EQ(step.top.size(), 10u);
    EXPECT_EQ(step.chosen.id, step.top.front().id);
    EXPECT_TRUE(last_bytes == 0 || generator.cache_bytes() == last_bytes) << "the cache is bounded";
    last_bytes = generator.cache_bytes();
    EXPECT_TRUE(std::is_sorted(step.top.begin(), step.top.end(), [](const TokenChance& a, const TokenChance& b) {
      return a.log_probability > b.log_probability;
    }));
  }
  EXPECT_EQ(generator.result().ids.size(), 6u);
  EXPECT_EQ(generator.ending(), Ending::length);
  expect_error(ErrorCode::bad_input, {"ended"}, [&] { generator.step(Context{arena}); });
}

// The option that keeps nothing writes the same text, with more work at each step and no bytes.
TEST_P(Generation, WithoutACacheIsTheSameText) {
  std::vector<int32_t> ids[2];
  uint64_t macs[2] = {0, 0};
  for (const bool cache : {true, false}) {
    GenerationOptions options = options_of(GetParam(), *model_, kEndless);
    options.cache = cache;
    Arena arena;
    Generator generator(*model_, arena, options, {{5, 9, 3, 7}});
    Context cx{arena};
    cx.macs = &macs[cache];
    int64_t length = generator.reading();
    for (int64_t i = 0; !generator.done(); ++i) {
      EXPECT_EQ(generator.reading(), cache && i > 0 ? 1 : length + (cache ? 0 : i));
      const Step step = generator.step(cx);
      EXPECT_EQ(step.past, cache && i > 0 ? length + i - 1 : 0);
      EXPECT_EQ(generator.cache_bytes() > 0, cache);
    }
    ids[cache] = generator.result().ids;
  }
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_GT(macs[false], 2 * macs[true]);
}

// Beams change places in the cache: each running text's scores must be those of a forward over it alone.
TEST_P(Generation, BeamsKeepTheirOwnPast) {
  Arena arena;
  Generator generator(
      *model_, arena,
      options_of(GetParam(), *model_, R"({"beams": 3, "maxNewTokens": 6, "eosTokenId": null, "forcedEosTokenId": null})"),
      {{5, 9, 3, 7}});
  std::vector<std::vector<int32_t>> texts;
  bool changed = false;
  while (!generator.done()) {
    const Step step = generator.step(Context{arena});
    if (texts.empty()) texts.emplace_back();
    const size_t T = static_cast<size_t>(step.read.length), V = step.output.logits.width();
    ASSERT_EQ(step.read.size, static_cast<int64_t>(texts.size()));
    std::vector<int32_t> start = step.past == 0 ? step.read.ids : texts[0];
    for (size_t b = 0; b < texts.size(); ++b) {
      if (step.past == 0) texts[b] = start;
      const Output full = model_->forward(Context{arena}, whole({5, 9, 3, 7}, texts[b]));
      const float* row = full.logits.data() + (texts[b].size() - 1) * V;
      const float* got = step.output.logits.data() + b * V;
      EXPECT_LE(testing::largest_difference(std::vector<float>(got, got + V), std::vector<double>(row, row + V)), 2e-5)
          << "beam " << b << " after " << step.past << " + " << T;
    }
    std::vector<std::vector<int32_t>> next;
    for (const Beam& beam : step.beams) {
      next.push_back(texts[static_cast<size_t>(texts.size() == 1 ? 0 : beam.parent)]);
      next.back().push_back(beam.ids.back());
      changed = changed || (step.past > 0 && beam.parent != static_cast<int32_t>(next.size()) - 1);
    }
    texts = std::move(next);
  }
  EXPECT_TRUE(changed) << "no beam ever changed its place: another prompt would say more";
}

// A step's recorded row covers all past keys; edits, their positions counted from the text's beginning, act as in one run.
TEST_P(Generation, HooksAndEditsOfSteps) {
  const std::string own = two() ? "decoder." : "", pattern = own + "blocks.0.attn.hook_pattern";
  const std::vector<Edit> edits = {{pattern, {{"head", 0}, {"key", 0}}, Edit::Kind::scale, {0.5f}},
                                   {own + "blocks.0.hook_resid_post", {{"pos", two() ? 2 : 5}}, Edit::Kind::scale, {-1.f}}};
  Arena arena;
  const size_t bytes = arena.bytes_in_use();
  {
    Generator generator(*model_, arena, options_of(GetParam(), *model_, kEndless), {{5, 9, 3, 7}});
    std::vector<int32_t> text;
    while (!generator.done()) {
      const int64_t past = generator.past(), length = generator.reading();
      Trace trace({"*"}, edits_of_step(edits, past, length, 1, 1));
      Context cx{arena};
      cx.hooks = &trace;
      const Step step = generator.step(cx);
      text.insert(text.end(), step.read.ids.begin(), step.read.ids.end());

      Trace whole_trace({pattern}, edits_of_step(edits, 0, static_cast<int64_t>(text.size()), 1, 1));
      Context whole_cx{arena};
      whole_cx.hooks = &whole_trace;
      const Output full = model_->forward(whole_cx, whole({5, 9, 3, 7}, text));
      const size_t V = full.logits.width();
      const float* row = full.logits.data() + (text.size() - 1) * V;
      EXPECT_LE(testing::largest_difference(values_of(step.output.logits), std::vector<double>(row, row + V)), 2e-5);

      std::set<std::string> names;
      for (const Recorded& r : trace.recorded()) {
        names.insert(r.name);
        if (r.name != pattern) continue;
        EXPECT_EQ(r.value.shape(), (Shape{1, model_->config().decoder.n_heads, length, past + length}));
      }
      EXPECT_TRUE(names.contains(pattern));
      EXPECT_EQ(names.contains("encoder.blocks.0.attn.hook_pattern"), two() && past == 0);
      EXPECT_EQ(names.contains("decoder.blocks.0.cross_attn.hook_pattern"), two());
    }
  }
  EXPECT_EQ(arena.bytes_in_use(), bytes) << "nothing stays";
}

INSTANTIATE_TEST_SUITE_P(All, Generation, ::testing::Values("gpt2", "opt", "gpt_neox", "llama", "marian", "bart", "t5"),
                         [](const auto& info) { return info.param; });

TEST(Generator, ASeedRepeatsASample) {
  const auto model = testing::open_folder(folder("llama"));
  const auto write = [&](int seed, float temperature) {
    GenerationOptions o = options_of("llama", *model, kEndless);
    o.do_sample = true;
    o.seed = static_cast<uint64_t>(seed);
    o.temperature = temperature;
    Arena arena;
    Generator generator(*model, arena, o, {{4, 8, 12}});
    while (!generator.done()) generator.step(Context{arena});
    return generator.result().ids;
  };
  EXPECT_EQ(write(1, 3.f), write(1, 3.f));
  std::set<std::vector<int32_t>> texts;
  for (int seed = 0; seed < 8; ++seed) texts.insert(write(seed, 3.f));
  EXPECT_GT(texts.size(), 4u);
}

TEST(Generator, LengthsAreTransformers) {
  const auto model = testing::open_folder(folder("gpt2"));  // 32 positions
  const auto length = [&](size_t prompt, const std::string& call, Ending ending) {
    Arena arena;
    Generator generator(*model, arena, options_of("gpt2", *model, call), {std::vector<int32_t>(prompt, 4)});
    while (!generator.done()) generator.step(Context{arena});
    EXPECT_EQ(ending_name(generator.ending()), ending_name(ending)) << call;
    return generator.result().ids.size();
  };
  EXPECT_EQ(length(3, R"({"eosTokenId": null})", Ending::length), 20u);
  EXPECT_EQ(length(20, R"({"eosTokenId": null})", Ending::positions), 12u);
  EXPECT_EQ(length(3, R"({"eosTokenId": null, "maxLength": 7})", Ending::length), 4u);
  EXPECT_EQ(length(3, R"({"eosTokenId": null, "maxLength": 7, "maxNewTokens": 5})", Ending::length), 5u);
  EXPECT_EQ(length(30, R"({"eosTokenId": null, "maxNewTokens": 9})", Ending::positions), 3u);  // the last need not be read
  EXPECT_EQ(length(32, R"({"eosTokenId": null, "maxNewTokens": 9})", Ending::positions), 1u);
  std::string ends = "[0";
  for (int id = 1; id < model->config().vocab_size; ++id) ends += "," + std::to_string(id);
  EXPECT_EQ(length(3, R"({"eosTokenId": )" + ends + "]}", Ending::end_token), 1u);
}

TEST(Generator, WhatDoesNotFitIsRefusedBeforeItIsAllocated) {
  const auto gpt2 = testing::open_folder(folder("gpt2")), llama = testing::open_folder(folder("llama")),
             bert = testing::tiny_model(testing::tiny_bert()), marian = testing::open_folder(folder("marian"));
  Arena arena;
  const auto open = [&](const Model& model, const std::string& call, Prompt prompt) {
    Generator(model, arena, parse_generation_options(model.config(), "{}", "{}", call), std::move(prompt));
  };
  expect_error(ErrorCode::bad_input, {"ids", "at most 32", "got 33"},
               [&] { open(*gpt2, "{}", {std::vector<int32_t>(33, 4)}); });
  expect_error(ErrorCode::bad_input, {"at least one token"}, [&] { open(*gpt2, "{}", {{}}); });
  expect_error(ErrorCode::bad_input, {"maxLength", "3 tokens"}, [&] { open(*gpt2, R"({"maxLength": 3})", {{4, 5, 6}}); });
  expect_error(ErrorCode::bad_input, {"decoderIds"}, [&] { open(*gpt2, "{}", {{4}, {}, {5}}); });
  expect_error(ErrorCode::bad_input, {"mask"}, [&] { open(*gpt2, "{}", {{4, 5}, {0, 1}}); });
  expect_error(ErrorCode::bad_input, {"encoder"}, [&] { open(*bert, "{}", {{4}}); });
  expect_error(ErrorCode::out_of_memory, {"1024 × 16000001 tokens", "MB"},
               [&] { open(*llama, R"({"beams": 1024, "maxNewTokens": 16000000})", {{4}}); });
  expect_error(ErrorCode::bad_input, {"decoderIds", "at most"}, [&] {
    const std::vector<int32_t> long_text(5000, 3);
    const auto bart = testing::open_folder(folder("bart"));
    open(*bart, "{}", {{4}, {}, long_text});
  });
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  // The start token is put where it is missing; a source's padding is hidden.
  const auto write = [&](Prompt prompt) {
    Generator generator(*marian, arena, options_of("marian", *marian, kEndless), std::move(prompt));
    while (!generator.done()) generator.step(Context{arena});
    return generator.result().ids;
  };
  const int32_t start = marian->config().decoder_start_id;
  EXPECT_EQ(write({{4, 5, 6}, {}, {7}}), write({{4, 5, 6}, {}, {start, 7}}));
  EXPECT_EQ(write({{4, 5, 6}}), write({{4, 5, 6, 9}, {1, 1, 1, 0}}));
}

TEST(DecoderState, SelectCopiesPastsAndKeepsTheEncoders) {
  Arena arena;
  DecoderState state(arena, 2, 1, 2, 4);
  const auto append = [&](size_t layer, std::vector<float> values) {
    const int64_t B = state.sequences();
    Tensor x(arena, {B, static_cast<int64_t>(values.size()) / (2 * B), 1, 2});
    std::copy(values.begin(), values.end(), x.data());
    state.self(layer).append(x, x);
  };
  const auto row = [&](size_t layer, size_t sequence) {
    const float* at = state.self(layer).keys.data() + sequence * 8;
    return std::vector<float>(at, at + 2 * state.length());
  };
  for (size_t layer : {0u, 1u}) append(layer, {1, 2, 3, 4});
  const size_t bytes = state.bytes();
  EXPECT_EQ(bytes, decoder_state_bytes(2, 1, 2, 4, 1));
  state.select(std::vector<int32_t>{0, 0, 0});
  EXPECT_EQ(state.bytes(), 3 * bytes);
  for (size_t layer : {0u, 1u}) append(layer, {5, 6, 7, 8, 9, 10});
  state.select(std::vector<int32_t>{2, 0, 2});
  for (size_t layer : {0u, 1u}) {
    EXPECT_EQ(row(layer, 0), (std::vector<float>{1, 2, 3, 4, 9, 10}));
    EXPECT_EQ(row(layer, 1), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(row(layer, 2), row(layer, 0));
  }
  append(0, {0, 0, 0, 0, 0, 0});
  expect_error(ErrorCode::bad_input, {"room for 3 × 4"}, [&] { append(0, {0, 0, 0, 0, 0, 0}); });
}

TEST(StepEdits, PositionsCountFromTheBeginning) {
  const auto of = [](const char* at, std::map<std::string, int64_t> where, int64_t past, int64_t length) {
    return edits_of_step(std::vector<Edit>{{at, std::move(where), Edit::Kind::set, {0.f}}}, past, length, 1, 1);
  };
  EXPECT_TRUE(of("blocks.0.hook_resid_post", {{"pos", 3}}, 0, 3).empty());
  EXPECT_EQ(of("blocks.0.hook_resid_post", {{"pos", 3}}, 3, 1).at(0).where.at("pos"), 0);
  EXPECT_TRUE(of("blocks.0.hook_resid_post", {{"pos", 3}}, 4, 1).empty());
  EXPECT_EQ(of("blocks.0.hook_resid_post", {{"pos", -1}}, 4, 1).at(0).where.at("pos"), -1);
  EXPECT_EQ(of("blocks.0.attn.hook_pattern", {{"query", 4}, {"key", 2}}, 4, 1).at(0).where.at("key"), 2);
  EXPECT_EQ(of("decoder.blocks.0.cross_attn.hook_v", {{"pos", 0}}, 4, 1).size(), 1u);
  EXPECT_EQ(of("encoder.blocks.0.hook_resid_post", {{"pos", 9}}, 4, 1).at(0).where.at("pos"), 9);
  const std::vector<Edit> third = {{"hook_embed", {{"batch", 2}}, Edit::Kind::set, {0.f}}};
  EXPECT_TRUE(edits_of_step(third, 0, 3, 1, 3).empty());
  EXPECT_EQ(edits_of_step(third, 3, 1, 3, 3).size(), 1u);
  EXPECT_EQ(edits_of_step(third, 0, 3, 1, 1).size(), 1u) << "an error for the trace to tell";
}

}  // namespace
}  // namespace glass
