// Beam search by hand: small tables of log-probabilities, with the texts and scores that follow from the rules.
#include "generate/beams.h"

#include <gtest/gtest.h>

#include <cmath>

namespace glass {
namespace {

using Rows = std::vector<std::vector<float>>;

// Token 0 ends a text.
GenerationOptions options(int64_t beams, EarlyStopping early = EarlyStopping::no, float penalty = 1.f) {
  GenerationOptions o;
  o.beams = beams;
  o.early_stopping = early;
  o.length_penalty = penalty;
  o.eos_token_id = {0};
  return o;
}

const Endings kEnd{{0}};

// log p of tokens 0, 1, 2
std::vector<float> row(float end, float one, float two) { return {std::log(end), std::log(one), std::log(two)}; }

TEST(Beams, FindWhatGreedyMisses) {
  BeamSearch search(options(2), kEnd, 2);
  // 1 is likelier at first, but what follows 2 is certain.
  search.advance(Rows(2, row(0.1f, 0.5f, 0.4f)));
  ASSERT_FALSE(search.done());
  ASSERT_EQ(search.running().size(), 2u);
  EXPECT_EQ(search.running()[0].ids, (std::vector<int32_t>{1}));
  EXPECT_EQ(search.running()[1].ids, (std::vector<int32_t>{2}));
  EXPECT_NEAR(search.running()[1].score, std::log(0.4f), 1e-6f);
  search.advance(Rows{row(0.4f, 0.3f, 0.3f), row(0.98f, 0.01f, 0.01f)});
  EXPECT_TRUE(search.done());  // two tokens are the most
  const std::vector<Beam> texts = search.finished();
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0].ids, (std::vector<int32_t>{2, 0}));
  EXPECT_NEAR(texts[0].score, (std::log(0.4f) + std::log(0.98f)) / 2, 1e-6f);
  EXPECT_EQ(texts[1].ids, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(texts[0].parent, 1);
}

TEST(Beams, AllGoOnFromOneTextAtFirst) {
  BeamSearch search(options(3), kEnd, 4);
  search.advance(Rows(3, {-9.f, -1.f, -2.f, -3.f, -4.f}));
  for (size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(search.running()[b].ids, (std::vector<int32_t>{static_cast<int32_t>(b) + 1}));
    EXPECT_EQ(search.running()[b].parent, 0);
  }
}

TEST(Beams, ACandidateBelowTheBeamsDoesNotFinish) {
  BeamSearch search(options(1), kEnd, 9);
  search.advance(Rows{row(0.3f, 0.6f, 0.1f)});
  EXPECT_TRUE(search.finished().empty());  // the end token is second, and there is one beam
  search.advance(Rows{row(0.6f, 0.3f, 0.1f)});
  ASSERT_EQ(search.finished().size(), 1u);
  EXPECT_EQ(search.finished()[0].ids, (std::vector<int32_t>{1, 0}));
}

// Two texts finish at once; a third, that would be better, could come one step later.
int steps_of(EarlyStopping early, float penalty) {
  BeamSearch search(options(2, early, penalty), kEnd, 20);
  search.advance(Rows(2, row(0.45f, 0.45f, 0.1f)));  // {0} finishes; {1} and {2} go on
  int steps = 1;
  while (!search.done()) {
    search.advance(Rows{row(0.2f, 0.6f, 0.2f), row(0.6f, 0.2f, 0.2f)});
    ++steps;
  }
  return steps;
}

TEST(Beams, StopAsTheirKindSays) {
  const int early = steps_of(EarlyStopping::yes, 1.f), heuristic = steps_of(EarlyStopping::no, 1.f),
            never = steps_of(EarlyStopping::never, 1.f);
  EXPECT_LT(early, never);
  EXPECT_LE(early, heuristic);
  EXPECT_LE(heuristic, never);
  EXPECT_EQ(never, 20);  // divided by 20 tokens, any running text may still become the best
  EXPECT_LT(steps_of(EarlyStopping::never, 0.f), 20);
}

TEST(Beams, LengthPenaltyPrefersLongOrShort) {
  const auto best = [](float penalty) {
    BeamSearch search(options(2, EarlyStopping::never, penalty), kEnd, 3);
    search.advance(Rows(2, row(0.5f, 0.4f, 0.1f)));
    while (!search.done()) search.advance(Rows(2, row(0.1f, 0.85f, 0.05f)));
    return search.finished().front().ids.size();
  };
  EXPECT_EQ(best(0.f), 1u);
  EXPECT_EQ(best(2.f), 3u);
}

TEST(Beams, StopStringsFinishATextAsEndTokensDo) {
  const Endings endings{{0}, StopStrings({"bb"}, TokenTexts("eab", {1, 2, 3}))};  // tokens "e", "a", "b"
  BeamSearch search(options(2, EarlyStopping::never), endings, 9);
  search.advance(Rows(2, row(0.05f, 0.35f, 0.6f)));
  EXPECT_TRUE(search.finished().empty());  // one b is no stop string
  search.advance(Rows(2, row(0.1f, 0.3f, 0.6f)));
  ASSERT_EQ(search.finished().size(), 1u);
  EXPECT_EQ(search.finished()[0].ids, (std::vector<int32_t>{2, 2}));
  EXPECT_NEAR(search.finished()[0].score, 2 * std::log(0.6f) / 2, 1e-6f);
  for (const Beam& beam : search.running()) EXPECT_NE(beam.ids, (std::vector<int32_t>{2, 2}));  // it does not go on
}

TEST(Beams, SamplingDrawsByProbability) {
  // The first place of two drawn without replacement goes to each token as often as its probability says.
  GenerationOptions o = options(1);
  o.do_sample = true;
  Random random(3);
  const std::vector<float> p = row(0.1f, 0.6f, 0.3f);
  int with_least = 0;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    BeamSearch search(o, kEnd, 5);
    search.advance(Rows{p}, &random);
    // One beam keeps two candidates; token 0 ends, so the best other one goes on.
    with_least += search.running()[0].ids[0] == 2;
  }
  // {2, 0} in either order: 0.3 · 0.1 / 0.7 + 0.1 · 0.3 / 0.9; four standard deviations of 4000 draws are 0.017.
  EXPECT_NEAR(static_cast<double>(with_least) / kDraws, 0.3 * 0.1 / 0.7 + 0.1 * 0.3 / 0.9, 0.017);
}

}  // namespace
}  // namespace glass
