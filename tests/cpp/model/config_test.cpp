// Configs: defaults as transformers has them, and what is refused by name.
#include "model/config.h"

#include <gtest/gtest.h>

#include "cpp/io/expect_error.h"
#include "cpp/support/tiny.h"

namespace glass {
namespace {

using testing::tiny_bert;
using testing::tiny_config;
using Json = nlohmann::json;

TEST(ConfigTest, BertDefaults) {
  const Config c = parse_config(R"({"model_type": "bert"})");
  EXPECT_EQ(c.vocab_size, 30522);
  EXPECT_EQ(c.hidden_size, 768);
  EXPECT_EQ(c.embedding_size, 768);
  EXPECT_EQ(c.encoder.n_layers, 12);
  EXPECT_EQ(c.encoder.n_heads, 12);
  EXPECT_EQ(c.encoder.head_size, 64);
  EXPECT_EQ(c.encoder.feed_forward_size, 3072);
  EXPECT_EQ(c.max_positions, 512);
  EXPECT_EQ(c.n_types, 2);
  EXPECT_EQ(c.activation, Activation::gelu);
  EXPECT_EQ(c.norm_eps, 1e-12f);
  EXPECT_EQ(c.hidden_dropout, 0.1f);
  EXPECT_EQ(c.classifier_dropout, 0.1f);
  EXPECT_EQ(c.task, Task::none);
  EXPECT_TRUE(c.pooler);
  EXPECT_FALSE(c.norm_first);
  EXPECT_EQ(c.labels, (std::vector<std::string>{"LABEL_0", "LABEL_1"}));
}

TEST(ConfigTest, ElectraDefaults) {
  const Config c = parse_config(
      R"({"model_type": "electra", "architectures": ["ElectraForSequenceClassification"], "classifier_dropout": null})");
  EXPECT_EQ(c.embedding_size, 128);
  EXPECT_EQ(c.hidden_size, 256);
  EXPECT_EQ(c.encoder.n_heads, 4);
  EXPECT_EQ(c.encoder.feed_forward_size, 1024);
  EXPECT_EQ(c.pooling, Pooling::first_dense);
  EXPECT_EQ(c.pooling_activation, Activation::gelu);
  EXPECT_EQ(c.classifier_dropout, c.hidden_dropout);
  EXPECT_FALSE(c.pooler);
}

TEST(ConfigTest, OwnFamilysDefaults) {
  const Config c = parse_config(R"({"model_type": "glassformer", "norm_first": true, "hidden_act": "silu"})");
  EXPECT_EQ(c.positions, Positions::sinusoidal);
  EXPECT_TRUE(c.final_norm);  // where norms come first
  EXPECT_EQ(c.pooling, Pooling::mean);
  EXPECT_TRUE(c.embedding_scale);
  EXPECT_EQ(c.head_activation, Activation::silu);
  EXPECT_EQ(c.n_types, 0);
}

TEST(ConfigTest, TasksByArchitecture) {
  const auto task = [](const char* type, const char* architecture) {
    return parse_config(Json{{"model_type", type}, {"architectures", {architecture}}}.dump()).task;
  };
  EXPECT_EQ(task("bert", "BertForMaskedLM"), Task::masked_lm);
  EXPECT_EQ(task("bert", "BertForPreTraining"), Task::masked_lm);
  EXPECT_EQ(task("electra", "ElectraForTokenClassification"), Task::token_classification);
  EXPECT_EQ(task("electra", "ElectraForPreTraining"), Task::none);
  EXPECT_EQ(task("glassformer", "GlassformerForSequenceClassification"), Task::sequence_classification);
}

TEST(ConfigTest, LabelsInOrderOfTheirIds) {
  const Config c = parse_config(tiny_config({{"id2label",
                                              {{"1", "b"},
                                               {"0", "a"},
                                               {"10", "k"},
                                               {"2", "c"},
                                               {"3", "d"},
                                               {"4", "e"},
                                               {"5", "f"},
                                               {"6", "g"},
                                               {"7", "h"},
                                               {"8", "i"},
                                               {"9", "j"}}}}));
  EXPECT_EQ(c.n_labels(), 11);
  EXPECT_EQ(c.labels[2], "c");
  EXPECT_EQ(c.labels[10], "k");
}

struct Refused {
  const char* name;
  Json changes;
  ErrorCode code;
  std::vector<std::string> parts;
};

class RefusedConfig : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedConfig, SaysWhy) {
  std::vector<std::string> parts = GetParam().parts;
  parts.push_back("config.json");
  expect_error(GetParam().code, parts, [&] { parse_config(tiny_bert(GetParam().changes)); });
}

constexpr ErrorCode kUnsupported = ErrorCode::unsupported, kBad = ErrorCode::bad_config;

INSTANTIATE_TEST_SUITE_P(
    All, RefusedConfig,
    ::testing::Values(Refused{"decoder", {{"is_decoder", true}}, kUnsupported, {"is_decoder", "true"}},
                      Refused{"cross_attention", {{"add_cross_attention", true}}, kUnsupported, {"add_cross_attention"}},
                      Refused{"encoder_decoder", {{"is_encoder_decoder", true}}, kUnsupported, {"is_encoder_decoder"}},
                      Refused{"relative_positions",
                              {{"position_embedding_type", "relative_key_query"}},
                              kUnsupported,
                              {"position_embedding_type", "relative_key_query", "absolute"}},
                      Refused{"untied", {{"tie_word_embeddings", false}}, kUnsupported, {"tie_word_embeddings", "false"}},
                      Refused{"pruned", {{"pruned_heads", {{"0", {1}}}}}, kUnsupported, {"pruned_heads"}},
                      Refused{"quantised", {{"quantization_config", {{"bits", 4}}}}, kUnsupported, {"quantization_config"}},
                      Refused{"activation", {{"hidden_act", "mish"}}, kUnsupported, {"hidden_act", "mish", "gelu_new"}},
                      Refused{"architecture",
                              {{"architectures", {"BertForQuestionAnswering"}}},
                              kUnsupported,
                              {"BertForQuestionAnswering", "BertForMaskedLM"}},
                      Refused{
                          "model_type", {{"model_type", "bloom"}}, kUnsupported, {"model_type", "bloom", "roberta", "electra"}},
                      Refused{"no_model_type", {{"model_type", nullptr}}, kBad, {"model_type"}},
                      Refused{"long_model_type", {{"model_type", std::string(100000, 'x')}}, kUnsupported, {"model_type"}},
                      Refused{"heads", {{"num_attention_heads", 5}}, kBad, {"hidden_size 12", "multiple", "5"}},
                      Refused{"no_heads", {{"num_attention_heads", 0}}, kBad, {"num_attention_heads", "0"}},
                      Refused{"negative_width", {{"hidden_size", -12}}, kBad, {"hidden_size", "-12"}},
                      Refused{"enormous_width", {{"hidden_size", int64_t{1} << 62}}, kBad, {"hidden_size"}},
                      Refused{"enormous_vocabulary", {{"vocab_size", 1e30}}, kBad, {"vocab_size"}},
                      Refused{"no_layers", {{"num_hidden_layers", 0}}, kBad, {"num_hidden_layers"}},
                      Refused{"many_layers", {{"num_hidden_layers", 1000000}}, kBad, {"num_hidden_layers"}},
                      Refused{"fractional_layers", {{"num_hidden_layers", 2.5}}, kBad, {"num_hidden_layers", "2.5"}},
                      Refused{"text_for_a_number", {{"vocab_size", "13"}}, kBad, {"vocab_size"}},
                      Refused{"number_for_a_text", {{"hidden_act", 3}}, kBad, {"hidden_act"}},
                      Refused{"text_for_a_list", {{"architectures", "BertModel"}}, kBad, {"architectures"}},
                      Refused{"number_for_a_flag", {{"is_decoder", 0}}, kBad, {"is_decoder"}},
                      Refused{"eps", {{"layer_norm_eps", -1e-5}}, kBad, {"layer_norm_eps"}},
                      Refused{"dropout", {{"hidden_dropout_prob", 1.0}}, kBad, {"hidden_dropout_prob"}},
                      Refused{"pad", {{"pad_token_id", 13}}, kBad, {"pad_token_id", "13"}},
                      Refused{"label_gap", {{"id2label", {{"0", "a"}, {"2", "c"}}}}, kBad, {"id2label", "\"1\""}},
                      Refused{"no_positions", {{"max_position_embeddings", 0}}, kBad, {"max_position_embeddings"}}),
    [](const auto& info) { return info.param.name; });

TEST(ConfigTest, OwnFamilysRefusals) {
  expect_error(kUnsupported, {"position_embedding_type", "rotary", "sinusoidal", "learned"}, [] {
    parse_config(tiny_config({{"position_embedding_type", "rotary"}}));
  });
  expect_error(kUnsupported, {"pooling", "max", "mean", "first"}, [] { parse_config(tiny_config({{"pooling", "max"}})); });
  expect_error(kBad, {"norm_first"}, [] { parse_config(tiny_config({{"norm_first", "yes"}})); });
  expect_error(kBad, {"embedding_size"}, [] { parse_config(tiny_config({{"embedding_size", 0}})); });
}

TEST(ConfigTest, NotAnObject) {
  for (const char* text : {"", "[]", "3", "{\"a\": }", "null", "{\"model_type\": \"bert\"} x"})
    expect_error(kBad, {"config.json"}, [&] { parse_config(text); });
}

}  // namespace
}  // namespace glass
