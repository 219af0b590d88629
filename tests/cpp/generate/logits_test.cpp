// What is done to scores before a token is chosen: against transformers' values and by hand.
#include "generate/logits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cpp/support/golden.h"

namespace glass {
namespace {

constexpr float kBanned = -std::numeric_limits<float>::infinity();
using Row = std::vector<float>;

bool banned(float score) { return score == kBanned; }

TEST(Logits, SamplersKeepWhatTransformersKeeps) {
  const nlohmann::json golden = testing::golden_json("generate/generate.json");
  const double tolerance = golden.at("tolerance").at("logits");
  ASSERT_GT(golden.at("samplers").size(), 10u);
  for (const auto& sampler : golden.at("samplers")) {
    Row scores = sampler.at("logits").get<Row>();
    const nlohmann::json& given = sampler.at("options");
    GenerationOptions o;
    o.do_sample = true;
    o.temperature = given.value("temperature", 1.f);
    o.top_k = given.value("topK", 0);
    o.top_p = given.value("topP", 1.f);
    const float penalty = given.value("repetitionPenalty", 1.f);
    if (penalty != 1.f) penalize_repetition(scores, sampler.at("seen").get<std::vector<int32_t>>(), penalty);
    process_for_sampling(scores, 1, o);
    for (size_t i = 0; i < scores.size(); ++i) {
      const std::string what = sampler.at("name").get<std::string>() + " " + std::to_string(i);
      if (sampler.at("expect")[i].is_null())
        EXPECT_TRUE(banned(scores[i])) << what;
      else
        EXPECT_NEAR(static_cast<double>(scores[i]), sampler.at("expect")[i].get<double>(), tolerance) << what;
    }
  }
}

TEST(Logits, RepeatedRunsAreBanned) {
  const std::vector<int32_t> tokens = {1, 2, 3, 1, 2, 4, 1, 2};
  Row pairs(6, 0.f), threes(6, 0.f), ones(6, 0.f), sixteens(6, 0.f);
  ban_repeated_ngrams(pairs, tokens, 2);  // 2 was followed by 3 and 4
  EXPECT_EQ(pairs, (Row{0, 0, 0, kBanned, kBanned, 0}));
  ban_repeated_ngrams(threes, tokens, 3);  // and 1, 2 by the same
  EXPECT_EQ(threes, pairs);
  ban_repeated_ngrams(ones, tokens, 1);
  EXPECT_EQ(ones, (Row{0, kBanned, kBanned, kBanned, kBanned, 0}));
  ban_repeated_ngrams(sixteens, tokens, 16);
  EXPECT_EQ(sixteens, Row(6, 0.f));
}

TEST(Logits, WordsAreBannedWhereTheyWouldEnd) {
  Row scores(6, 0.f);
  ban_words(scores, std::vector<int32_t>{1, 2}, {{3}, {2, 4}, {1, 5}, {1, 2, 0}, {9, 9, 9, 1}, {2}}, std::vector<int32_t>{2});
  EXPECT_EQ(scores, (Row{kBanned, 0, 0, kBanned, kBanned, 0}));  // not the end token, nor what follows something else
}

TEST(Logits, OptionsApplyWhereTheyShould) {
  GenerationOptions o;
  o.eos_token_id = {1, 4};
  o.min_new_tokens = 2;
  o.suppress_tokens = {0, 99};
  o.begin_suppress_tokens = {2};
  o.forced_eos_token_id = {4};
  const auto after = [&](const std::vector<int32_t>& tokens, Extent extent) {
    Row scores(6, 0.f);
    process_logits(scores, tokens, extent, o);
    return scores;
  };
  EXPECT_EQ(after({3, 3}, {2, 6}), (Row{kBanned, kBanned, kBanned, 0, kBanned, 0}));
  EXPECT_EQ(after({3, 3, 3}, {2, 6}), (Row{kBanned, kBanned, 0, 0, kBanned, 0}));
  EXPECT_EQ(after({3, 3, 3, 3}, {2, 6}), (Row{kBanned, 0, 0, 0, 0, 0}));
  EXPECT_EQ(after({3, 3, 3, 3, 3}, {2, 6}), (Row{kBanned, kBanned, kBanned, kBanned, 0, kBanned}));
  o.min_new_tokens = 0;
  o.min_length = 4;
  EXPECT_EQ(after({3, 3, 3}, {2, 9}), (Row{kBanned, kBanned, 0, 0, kBanned, 0}));
  EXPECT_EQ(after({3, 3, 3, 3}, {2, 9}), (Row{kBanned, 0, 0, 0, 0, 0}));
  o.min_new_tokens = 1;  // goes before min_length
  EXPECT_EQ(after({3, 3, 3}, {2, 9}), (Row{kBanned, 0, 0, 0, 0, 0}));
  // A forced first token comes behind a prompt of one, and what may not begin the text waits for it.
  o = {};
  o.forced_bos_token_id = 5;
  o.begin_suppress_tokens = {2};
  EXPECT_EQ(after({3}, {1, 9}), (Row{kBanned, kBanned, kBanned, kBanned, kBanned, 0}));
  EXPECT_EQ(after({3, 5}, {1, 9}), (Row{0, 0, kBanned, 0, 0, 0}));
  EXPECT_EQ(after({3, 3}, {2, 9}), (Row{0, 0, kBanned, 0, 0, 0}));
}

TEST(Logits, SamplingKeepsAtLeastSoMany) {
  GenerationOptions o;
  o.top_k = 1;
  o.top_p = 0.01f;
  Row scores = {1, 5, 3, 2};
  process_for_sampling(scores, 3, o);
  EXPECT_EQ(scores, (Row{kBanned, 5, 3, 2}));
}

TEST(Logits, SoftmaxAndOrder) {
  Row scores = {0, 1, kBanned, 1, -2};
  EXPECT_EQ(highest(scores, 3), (std::vector<size_t>{1, 3, 0}));
  EXPECT_EQ(highest(scores, 9), (std::vector<size_t>{1, 3, 0, 4, 2}));
  EXPECT_EQ(highest(scores, 0).size(), 0u);
  log_softmax(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(static_cast<double>(score));
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_TRUE(banned(scores[2]));
  Row nothing(3, kBanned);
  log_softmax(nothing);
  EXPECT_EQ(nothing, Row(3, kBanned));
}

}  // namespace
}  // namespace glass
