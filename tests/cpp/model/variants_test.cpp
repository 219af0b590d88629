// Variants of attention: what they compute beside full attention on the same input, and edits of what they announce.
#include "model/variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "cpp/io/expect_error.h"
#include "cpp/support/variants.h"

namespace glass {
namespace {

using testing::causal_config;
using testing::recorded;
using testing::text;
using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;
using Json = nlohmann::json;

std::string lsh_config(int hashes, int buckets, int chunk, Json changes = {}) {
  changes["attention"] = "lsh";
  changes["lsh_num_hashes"] = hashes;
  changes["lsh_num_buckets"] = buckets;
  changes["lsh_chunk_length"] = chunk;
  return tiny_config(changes);
}

// ---- LSH attention beside full attention

// softmax of shared queries and keys in which no token sees itself, as the ops give it. [H, T, T]
std::vector<float> full_pattern(Arena& arena, const Tensor& q, bool causal) {
  const Context cx{arena};
  const int64_t T = q.dim(1);
  Tensor k = scale(cx, 1.f / std::sqrt(static_cast<float>(q.dim(3))), rms_norm(cx, nullptr, 1e-6f, q));
  AttentionMask mask;
  mask.values = cx.zeros({T, T});
  mask.query = T;
  mask.causal = causal;
  for (int64_t t = causal ? 1 : 0; t < T; ++t) mask.values.data()[t * T + t] = -std::numeric_limits<float>::infinity();
  return values_of(softmax(cx, attention_scores(cx, q, k, 1.f, mask)));
}

TEST(LshAttention, WithOneBucketIsFullAttention) {
  for (const bool causal : {false, true}) {
    Json changes = {{"attention", "lsh"}, {"lsh_num_hashes", 2}, {"lsh_num_buckets", 1}};
    const auto model = tiny_model(causal ? causal_config(changes) : tiny_config(changes));
    Arena arena;
    Trace trace({"*"}, {});
    model->forward({.arena = arena, .hooks = &trace}, text(9));
    for (const std::string layer : {"blocks.0.attn.", "blocks.1.attn."}) {
      const std::vector<float> got = values_of(recorded(trace, layer + "hook_pattern")),
                               full = full_pattern(arena, recorded(trace, layer + "hook_q"), causal);
      ASSERT_EQ(got.size(), full.size());
      for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], full[i], 1e-6f);
    }
  }
}

// How much of full attention's weight lies where LSH attention looks: more with more rounds, less with more buckets.
double mass(int hashes, int buckets, int chunk) {
  const auto model = tiny_model(lsh_config(hashes, buckets, chunk, {{"hidden_size", 24}}), 5);
  Arena arena;
  Trace trace({"blocks.0.attn.*"}, {});
  model->forward({.arena = arena, .hooks = &trace}, text(48));
  const std::vector<float> full = full_pattern(arena, recorded(trace, "blocks.0.attn.hook_q"), false),
                           got = values_of(recorded(trace, "blocks.0.attn.hook_pattern"));
  double captured = 0;
  for (size_t i = 0; i < got.size(); ++i) captured += got[i] > 0.f ? static_cast<double>(full[i]) : 0;
  return captured / (3 * 48);
}

TEST(LshAttention, MoreRoundsCaptureMoreOfFullAttention) {
  const double one = mass(1, 8, 12), two = mass(2, 8, 12), eight = mass(8, 8, 12), all = mass(1, 1, 48);
  std::printf(
      "share of full attention's weight that 8 buckets in chunks of 12 find in 48 tokens: 1 round %.3f, 2 %.3f, 8 %.3f\n", one,
      two, eight);
  EXPECT_NEAR(all, 1, 1e-5);
  EXPECT_GT(one, 0.15);  // more than the eighth that buckets drawn blindly would find
  EXPECT_GT(two, one);
  EXPECT_GT(eight, two);
  EXPECT_GT(eight, 0.7);
  EXPECT_GT(mass(2, 2, 24), two);
}

TEST(LshAttention, RowsOfThePatternAddUpToOne) {
  const auto model = tiny_model(lsh_config(2, 4, 3));
  Arena arena;
  Trace trace({"*hook_pattern", "*hook_attn_scores"}, {});
  Batch batch = text(11);
  batch.mask = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
  model->forward({.arena = arena, .hooks = &trace}, batch);
  const Tensor &pattern = recorded(trace, "blocks.0.attn.hook_pattern"),
               &scores = recorded(trace, "blocks.0.attn.hook_attn_scores");
  for (size_t row = 0; row < pattern.rows(); ++row) {
    const float* p = pattern.data() + row * 11;
    EXPECT_NEAR(std::accumulate(p, p + 11, 0.f), row % 11 < 9 ? 1.f : 0.f, 1e-6f);  // padding finds nothing
    for (size_t s = 0; s < 11; ++s)
      EXPECT_EQ(p[s] == 0.f, scores.data()[row * 11 + s] == -std::numeric_limits<float>::infinity());
  }
}

// ---- edits

std::vector<float> edited(const Model& model, const Batch& batch, std::vector<Edit> edits) {
  Arena arena;
  Trace trace({}, std::move(edits));
  std::vector<float> logits = values_of(model.forward({.arena = arena, .hooks = &trace}, batch).logits);
  trace.check_all_met();
  return logits;
}

TEST(VariantEdits, OfTheMatrixChangeTheOutput) {
  for (const std::string& config : {lsh_config(2, 4, 3, {{"num_hidden_layers", 1}}),
                                    tiny_config({{"attention", "linformer"}, {"linformer_k", 3}, {"num_hidden_layers", 1}})}) {
    const auto model = tiny_model(config);
    const Batch batch = text(8);
    Arena arena;
    Trace trace({"*"}, {});
    model->forward({.arena = arena, .hooks = &trace}, batch);
    // Token 2 reads the value of token 5 alone, in every head.
    Edit none{"blocks.0.attn.hook_pattern", {{"query", 2}}, Edit::Kind::set, {0.f}};
    Edit one{"blocks.0.attn.hook_pattern", {{"query", 2}, {"key", 5}}, Edit::Kind::set, {1.f}};
    Trace changed({"blocks.0.attn.hook_z"}, {none, one});
    model->forward({.arena = arena, .hooks = &changed}, batch);
    const Tensor &v = recorded(trace, "blocks.0.attn.hook_v"), &z = recorded(changed, "blocks.0.attn.hook_z"),
                 &before = recorded(trace, "blocks.0.attn.hook_z");
    for (size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(z.data()[2 * 12 + i], v.data()[5 * 12 + i]);
      EXPECT_EQ(z.data()[3 * 12 + i], before.data()[3 * 12 + i]);
    }
  }
}

TEST(VariantEdits, OfBucketsAreFollowed) {
  const auto model = tiny_model(lsh_config(1, 4, 100));
  const Batch batch = text(8);
  Arena arena;
  Trace trace({"blocks.0.attn.hook_pattern", "blocks.0.attn.hook_buckets"},
              {{"blocks.0.attn.hook_buckets", {}, Edit::Kind::set, {1.f}}});
  model->forward({.arena = arena, .hooks = &trace}, batch);
  EXPECT_EQ(recorded(trace, "blocks.0.attn.hook_buckets").shape(), Shape({1, 3, 1, 8}));
  const Tensor& pattern = recorded(trace, "blocks.0.attn.hook_pattern");
  for (size_t i = 0; i < pattern.size(); ++i) EXPECT_EQ(pattern.data()[i] > 0.f, i / 8 % 8 != i % 8);  // all see all others
}

TEST(VariantEdits, OfReversibleStreamsAreFollowed) {
  const auto model = tiny_model(tiny_config({{"reversible", true}}));
  const Batch batch = text(6);
  const std::vector<float> plain = edited(*model, batch, {});
  for (const char* name :
       {"hook_resid_pre", "hook_resid_pre_second", "hook_attn_out", "hook_resid_mid", "hook_mlp_out", "hook_resid_post"})
    EXPECT_NE(edited(*model, batch, {{std::string("blocks.1.") + name, {{"pos", 2}, {"dim", 1}}, Edit::Kind::add, {0.5f}}}),
              plain)
        << name;
}

// ---- Linformer

TEST(Linformer, TheSmallPatternIsADistributionTheWholeOneNeedNotBe) {
  const auto model = tiny_model(tiny_config({{"attention", "linformer"}, {"linformer_k", 3}, {"max_position_embeddings", 9}}));
  Arena arena;
  Trace trace({"*"}, {});
  Batch batch = text(9);
  batch.mask = {1, 1, 1, 1, 1, 1, 0, 0, 0};
  model->forward({.arena = arena, .hooks = &trace}, batch);
  const Tensor& small = recorded(trace, "blocks.1.attn.hook_pattern_projected");
  EXPECT_EQ(small.shape(), Shape({1, 3, 9, 3}));
  for (size_t row = 0; row < small.rows(); ++row)
    EXPECT_NEAR(std::accumulate(small.data() + row * 3, small.data() + row * 3 + 3, 0.f), 1.f, 1e-6f);
  const Tensor& pattern = recorded(trace, "blocks.1.attn.hook_pattern");
  EXPECT_EQ(pattern.shape(), Shape({1, 3, 9, 9}));
  float furthest = 0;
  for (size_t row = 0; row < pattern.rows(); ++row) {
    const float* p = pattern.data() + row * 9;
    furthest = std::max(furthest, std::abs(std::accumulate(p, p + 9, 0.f) - 1.f));
    for (size_t s = 6; s < 9; ++s) EXPECT_EQ(p[s], 0.f);  // padding is never read
  }
  EXPECT_GT(furthest, 0.1f);
  expect_error(ErrorCode::bad_input, {"ids", "at most 9", "10"}, [&] { model->forward(Context{arena}, text(10)); });
}

TEST(Linformer, ProjectionsStartAsThePaperDrawsThem) {
  const auto model =
      tiny_model(tiny_config({{"attention", "linformer"}, {"linformer_k", 16}, {"max_position_embeddings", 400}}));
  const std::vector<float> values = values_of(model->weights().at("encoder.layer.1.attention.self.linformer_key.weight"));
  double squares = 0;
  for (const float x : values) squares += static_cast<double>(x) * static_cast<double>(x);
  EXPECT_NEAR(squares / static_cast<double>(values.size()), 1.0 / 16, 0.005);  // variance 1/k; five deviations of 6400 draws
}
}  // namespace
}  // namespace glass
