// Variants of our own family: which configs are refused, what they compute beside full attention, edits, caches and memory.
#include "model/variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cpp/io/expect_error.h"
#include "cpp/support/tiny.h"
#include "trace/trace.h"

namespace glass {
namespace {

using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;
using Json = nlohmann::json;

constexpr ErrorCode kUnsupported = ErrorCode::unsupported, kBad = ErrorCode::bad_config;

std::string causal_config(Json changes = {}) {
  changes["architectures"] = {"GlassformerForCausalLM"};
  changes["num_labels"] = nullptr;
  return tiny_config(changes);
}

std::string both_config(Json changes = {}) {
  changes["architectures"] = {"GlassformerForConditionalGeneration"};
  changes["num_labels"] = nullptr;
  return tiny_config(changes);
}

std::string lsh_config(int hashes, int buckets, int chunk, Json changes = {}) {
  changes["attention"] = "lsh";
  changes["lsh_num_hashes"] = hashes;
  changes["lsh_num_buckets"] = buckets;
  changes["lsh_chunk_length"] = chunk;
  return tiny_config(changes);
}

Batch text(int64_t length, uint64_t seed = 3) {
  Batch batch;
  batch.size = 1;
  batch.length = length;
  Random random(seed);
  for (int64_t t = 0; t < length; ++t) batch.ids.push_back(1 + static_cast<int32_t>(random.bits() % 12));
  return batch;
}

const Tensor& recorded(Trace& trace, const std::string& name) {
  for (const Recorded& r : trace.recorded())
    if (r.name == name) return r.value;
  throw std::runtime_error("nothing recorded as " + name);
}

// ---- configs

struct Refused {
  const char* name;
  Json changes;
  ErrorCode code;
  std::vector<std::string> parts;
};

class RefusedVariant : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedVariant, SaysWhy) {
  std::vector<std::string> parts = GetParam().parts;
  parts.push_back("config.json");
  expect_error(GetParam().code, parts, [&] { parse_config(tiny_config(GetParam().changes)); });
}

const char* const kCausal = "GlassformerForCausalLM";
const char* const kBoth = "GlassformerForConditionalGeneration";

INSTANTIATE_TEST_SUITE_P(
    All, RefusedVariant,
    ::testing::Values(
        Refused{"attention", {{"attention", "sparse"}}, kUnsupported, {"attention", "sparse", "lsh", "linformer"}},
        Refused{"odd_buckets", {{"attention", "lsh"}, {"lsh_num_buckets", 5}}, kBad, {"lsh_num_buckets 5", "even"}},
        Refused{"no_hashes", {{"attention", "lsh"}, {"lsh_num_hashes", 0}}, kBad, {"lsh_num_hashes", "0"}},
        Refused{"no_chunk", {{"attention", "lsh"}, {"lsh_chunk_length", 0}}, kBad, {"lsh_chunk_length", "0"}},
        Refused{"rotations",
                {{"attention", "lsh"}, {"lsh_num_hashes", 64}, {"lsh_num_buckets", 4096}, {"hidden_size", 1536}},
                kBad,
                {"lsh_num_hashes 64", "lsh_num_buckets 4096", "hidden_size 1536"}},
        Refused{"lsh_keys_of_full", {{"lsh_num_hashes", 2}}, kBad, {"lsh_num_hashes 2", "attention \"lsh\""}},
        Refused{"seed_of_full", {{"attention_seed", 2}}, kBad, {"attention_seed 2", "attention \"lsh\""}},
        Refused{"lsh_keys_of_linformer",
                {{"attention", "linformer"}, {"lsh_num_buckets", 2}},
                kBad,
                {"lsh_num_buckets 2", "attention \"lsh\""}},
        Refused{"linformer_keys_of_lsh",
                {{"attention", "lsh"}, {"linformer_k", 2}},
                kBad,
                {"linformer_k 2", "attention \"linformer\""}},
        Refused{"linformer_share",
                {{"attention", "linformer"}, {"linformer_share", "all"}},
                kUnsupported,
                {"linformer_share", "all"}},
        Refused{"linformer_k",
                {{"attention", "linformer"}, {"linformer_k", 20}, {"max_position_embeddings", 16}},
                kBad,
                {"linformer_k 20", "max_position_embeddings 16"}},
        Refused{"linformer_causal",
                {{"attention", "linformer"}, {"architectures", {kCausal}}},
                kUnsupported,
                {"attention", "linformer", "decoder"}},
        Refused{"linformer_both",
                {{"attention", "linformer"}, {"architectures", {kBoth}}},
                kUnsupported,
                {"attention", "linformer", "decoder"}},
        Refused{"reversible_post_norm",
                {{"reversible", true}, {"norm_first", false}},
                kBad,
                {"reversible true", "norm_first false"}},
        Refused{
            "decoder_that_classifies", {{"is_decoder", true}}, kBad, {"is_decoder true", "GlassformerForTokenClassification"}},
        Refused{"encoder_that_generates",
                {{"is_decoder", false}, {"architectures", {kCausal}}},
                kBad,
                {"is_decoder false", kCausal}},
        Refused{"both_that_classify",
                {{"is_encoder_decoder", true}},
                kBad,
                {"is_encoder_decoder true", "GlassformerForTokenClassification"}},
        Refused{
            "not_both", {{"is_encoder_decoder", false}, {"architectures", {kBoth}}}, kBad, {"is_encoder_decoder false", kBoth}},
        Refused{"decoder_and_both",
                {{"is_decoder", true}, {"is_encoder_decoder", true}, {"architectures", {"GlassformerModel"}}},
                kBad,
                {"is_decoder true", "is_encoder_decoder true"}},
        Refused{
            "decoder_layers_of_an_encoder", {{"num_decoder_layers", 2}}, kBad, {"num_decoder_layers 2", "is_encoder_decoder"}},
        Refused{"factorised_decoder",
                {{"embedding_size", 6}, {"architectures", {kCausal}}},
                kBad,
                {"embedding_size 6", "hidden_size 12"}}),
    [](const auto& info) { return info.param.name; });

TEST(OwnFamily, KindsByArchitectureOrFlag) {
  const auto kind = [](const Json& changes) { return parse_config(tiny_config(changes)).kind; };
  EXPECT_EQ(kind({}), Kind::encoder);
  EXPECT_EQ(kind({{"architectures", {kCausal}}}), Kind::decoder);
  EXPECT_EQ(kind({{"architectures", {kBoth}}}), Kind::encoder_decoder);
  EXPECT_EQ(kind({{"architectures", {"GlassformerModel"}}, {"is_decoder", true}}), Kind::decoder);
  EXPECT_EQ(kind({{"architectures", {"GlassformerModel"}}, {"is_encoder_decoder", true}}), Kind::encoder_decoder);
  EXPECT_TRUE(parse_config(tiny_config({{"reversible", true}, {"norm_first", nullptr}})).norm_first);
}

// Vaswani et al. 2017, table 3: N, D, F and H of the base and the big model, vocabularies of section 5.1.
struct PaperModel {
  const char* name;
  int64_t layers, width, feed_forward, heads, vocabulary;
  double millions;  // as the paper counts them
};

class Paper : public ::testing::TestWithParam<PaperModel> {
 protected:
  static std::string config(const PaperModel& m) {
    return Json{{"model_type", "glassformer"},
                {"architectures", {kBoth}},
                {"vocab_size", m.vocabulary},
                {"hidden_size", m.width},
                {"num_hidden_layers", m.layers},
                {"num_decoder_layers", m.layers},
                {"num_attention_heads", m.heads},
                {"intermediate_size", m.feed_forward},
                {"hidden_act", "relu"},
                {"norm_first", false},
                {"attention_bias", false},
                {"hidden_dropout_prob", 0.1},
                {"attention_probs_dropout_prob", 0.0}}
        .dump();
  }
};

TEST_P(Paper, HasAsManyParametersAsTheFormulaSays) {
  const PaperModel& m = GetParam();
  const Model model(config(m), Layout::rows);
  const int64_t D = m.width, F = m.feed_forward, attention = 4 * D * D, feed_forward = 2 * D * F + F + D, norm = 2 * D;
  const int64_t encoder = attention + feed_forward + 2 * norm, decoder = 2 * attention + feed_forward + 3 * norm;
  EXPECT_EQ(static_cast<int64_t>(model.weights().size()), m.vocabulary * D + m.layers * (encoder + decoder));
  // The paper's own figure is rounded and says nothing of the vocabulary counted: within 4 %.
  EXPECT_NEAR(static_cast<double>(model.weights().size()) / 1e6, m.millions, 0.04 * m.millions);
}

TEST_P(Paper, RunsAtASmallScale) {
  PaperModel m = GetParam();
  m.width = 4 * m.heads;
  m.feed_forward = 4 * m.width;
  m.vocabulary = 23;
  const auto model = tiny_model(config(m));
  EXPECT_EQ(model->config().encoder.n_layers, 6);
  EXPECT_EQ(model->config().encoder.head_size, 4);
  Batch batch = text(5);
  batch.target = text(3, 8);
  Arena arena;
  const Output output = model->forward(Context{arena}, batch);
  EXPECT_EQ(output.logits.shape(), Shape({1, 3, 23}));
  for (const float value : values_of(output.logits)) EXPECT_TRUE(std::isfinite(value));
}

INSTANTIATE_TEST_SUITE_P(Table3, Paper,
                         ::testing::Values(PaperModel{"base", 6, 512, 2048, 8, 37000, 65},
                                           PaperModel{"big", 6, 1024, 4096, 16, 37000, 213}),
                         [](const auto& info) { return info.param.name; });

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

// ---- reversible layers and caches

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
  const Tensor &full = recorded(all, "blocks.0.attn.hook_pattern"), &row = recorded(last, "blocks.0.attn.hook_pattern");
  EXPECT_EQ(row.shape(), Shape({1, 3, 1, 9}));
  for (size_t h = 0; h < 3; ++h)  // the last token of a first layer finds what it finds in the whole text
    for (size_t s = 0; s < 9; ++s) EXPECT_NEAR(row.data()[h * 9 + s], full.data()[(h * 9 + 8) * 9 + s], 1e-6f);
}

}  // namespace
}  // namespace glass
