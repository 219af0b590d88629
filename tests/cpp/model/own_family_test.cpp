// Our own family's configs: what is refused by name, and the models of Vaswani et al. 2017 as its paper counts them.
#include <gtest/gtest.h>

#include <cmath>

#include "cpp/io/expect_error.h"
#include "cpp/support/variants.h"

namespace glass {
namespace {

using testing::text;
using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;
using Json = nlohmann::json;

constexpr ErrorCode kUnsupported = ErrorCode::unsupported, kBad = ErrorCode::bad_config;

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
}  // namespace
}  // namespace glass
