// Settings from files and calls: names, defaults, what goes before what, what is refused.
#include "generate/options.h"

#include <gtest/gtest.h>

#include "cpp/io/expect_error.h"
#include "tensor/error.h"

namespace glass {
namespace {

Config config(Kind kind = Kind::decoder) {
  Config c;
  c.kind = kind;
  c.task = Task::language_model;
  c.vocab_size = 100;
  c.decoder_start_id = 7;
  return c;
}
GenerationOptions of_file(const std::string& file, const std::string& call = "{}") {
  return parse_generation_options(config(), "{}", file, call);
}

TEST(GenerationOptions, DefaultsAreTransformers) {
  const GenerationOptions o = of_file("{}");
  EXPECT_EQ(o.beams, 1);
  EXPECT_EQ(o.top_k, 50);
  EXPECT_FALSE(o.do_sample);
  EXPECT_EQ(o.early_stopping, EarlyStopping::no);
  EXPECT_EQ(o.max_new_tokens, 0);
  EXPECT_TRUE(o.eos_token_id.empty());
}

TEST(GenerationOptions, TheCallGoesBeforeTheFile) {
  const std::string file = R"({"num_beams": 4, "max_length": 30, "eos_token_id": [2, 3], "bad_words_ids": [[5], [6, 7]],
    "forced_eos_token_id": 2, "early_stopping": true, "renormalize_logits": true, "use_cache": true,
    "transformers_version": "4.30.0", "num_beam_groups": 1})";
  const GenerationOptions o = of_file(file);
  EXPECT_EQ(o.beams, 4);
  EXPECT_EQ(o.max_length, 30);
  EXPECT_EQ(o.eos_token_id, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(o.bad_words_ids, (std::vector<std::vector<int32_t>>{{5}, {6, 7}}));
  EXPECT_EQ(o.early_stopping, EarlyStopping::yes);
  EXPECT_TRUE(o.renormalize_logits);
  const GenerationOptions called = of_file(file, R"({"beams": 2, "maxNewTokens": 5, "eosTokenId": 9, "badWordsIds": [],
    "forcedEosTokenId": null, "earlyStopping": "never", "topK": 0, "seed": 12})");
  EXPECT_EQ(called.beams, 2);
  EXPECT_EQ(called.max_new_tokens, 5);
  EXPECT_EQ(called.eos_token_id, std::vector<int32_t>{9});
  EXPECT_TRUE(called.bad_words_ids.empty());
  EXPECT_TRUE(called.forced_eos_token_id.empty());
  EXPECT_EQ(called.early_stopping, EarlyStopping::never);
  EXPECT_EQ(called.top_k, 0);
  EXPECT_EQ(called.seed, 12u);
}

TEST(GenerationOptions, OldCheckpointsHaveThemInTheirConfig) {
  const std::string old = R"({"model_type": "bart", "d_model": 16, "num_beams": 3, "decoder_start_token_id": 2})";
  const GenerationOptions o = parse_generation_options(config(Kind::encoder_decoder), old, "", "{}");
  EXPECT_EQ(o.beams, 3);
  EXPECT_EQ(o.decoder_start_token_id, 2);
  EXPECT_EQ(parse_generation_options(config(Kind::encoder_decoder), old, R"({"bos_token_id": 1})", "{}").beams, 1);
  EXPECT_EQ(
      parse_generation_options(config(Kind::encoder_decoder), "{}", R"({"bos_token_id": 1})", "{}").decoder_start_token_id, 1);
  EXPECT_EQ(parse_generation_options(config(Kind::encoder_decoder), "{}", "{}", "{}").decoder_start_token_id, 7);
}

TEST(GenerationOptions, WhatChangesResultsIsRefusedByName) {
  for (const char* setting :
       {R"("num_beam_groups": 2)", R"("diversity_penalty": 0.5)", R"("penalty_alpha": 0.6)", R"("guidance_scale": 1.5)",
        R"("constraints": [1])", R"("force_words_ids": [[1]])", R"("min_p": 0.1)", R"("typical_p": 0.9)",
        R"("sequence_bias": [[[1], 2.0]])", R"("encoder_repetition_penalty": 1.2)",
        R"("exponential_decay_length_penalty": [5, 1.1])", R"("num_return_sequences": 2)", R"("remove_invalid_values": true)",
        R"("watermarking_config": {})"}) {
    const std::string text = std::string("{") + setting + "}", name(setting + 1, std::string(setting).find('"', 1) - 1);
    expect_error(ErrorCode::unsupported, {"generation_config.json", name}, [&] { of_file(text); });
    expect_error(ErrorCode::unsupported, {"config.json", name}, [&] { parse_generation_options(config(), text, "", "{}"); });
  }
  expect_error(ErrorCode::unsupported, {"no_such_thing"}, [] { of_file(R"({"no_such_thing": 1})"); });
  EXPECT_NO_THROW(of_file(R"({"typical_p": 1.0, "diversity_penalty": 0.0, "no_such_thing": null, "min_p": null})"));
}

TEST(GenerationOptions, StopStringsComeFromTheFileOrTheCall) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(of_file(R"({"stop_strings": ["a", "b"]})").stop_strings, (Strings{"a", "b"}));
  EXPECT_EQ(of_file(R"({"stop_strings": "ab"})").stop_strings, (Strings{"ab"}));
  EXPECT_EQ(of_file(R"({"stop_strings": "ab"})", R"({"stop": ["c"]})").stop_strings, (Strings{"c"}));
  EXPECT_EQ(of_file(R"({"stop_strings": "ab"})", R"({"stop": null})").stop_strings, Strings{});
  expect_error(ErrorCode::bad_config, {"generation_config.json", "stop_strings"}, [] { of_file(R"({"stop_strings": [1]})"); });
  expect_error(ErrorCode::bad_input, {"options", "stop"}, [] { of_file("{}", R"({"stop": 1})"); });
}

// The first LLaMA's config.json: its padding token is none, as transformers warns and goes on.
TEST(GenerationOptions, NoPaddingTokenIsSaidByMinusOne) {
  EXPECT_EQ(of_file(R"({"pad_token_id": -1})").pad_token_id, -1);
  EXPECT_EQ(of_file(R"({"pad_token_id": 3})").pad_token_id, 3);
  expect_error(ErrorCode::bad_config, {"pad_token_id", "-2"}, [] { of_file(R"({"pad_token_id": -2})"); });
  expect_error(ErrorCode::bad_config, {"eos_token_id", "-1"}, [] { of_file(R"({"eos_token_id": -1})"); });
  expect_error(ErrorCode::bad_input, {"padTokenId", "-1"}, [] { of_file("{}", R"({"padTokenId": -1})"); });
}

TEST(GenerationOptions, AnEncoderDecoderMustHaveAStartToken) {
  Config none = config(Kind::encoder_decoder);
  none.decoder_start_id = -1;
  expect_error(ErrorCode::bad_config, {"decoder_start_token_id", "bos_token_id"},
               [&] { parse_generation_options(none, "{}", "{}", "{}"); });
}

TEST(GenerationOptions, WrongValuesNameTheirPlace) {
  const auto of_call = [](const std::string& call) { return of_file("{}", call); };
  for (const char* call :
       {R"({"beams": 0})", R"({"beams": 1.5})", R"({"temperature": 0})", R"({"topP": 1.1})", R"({"topK": -1})",
        R"({"maxNewTokens": 0})", R"({"eosTokenId": 100})", R"({"suppressTokens": [-1]})", R"({"badWordsIds": [1]})",
        R"({"badWordsIds": [[]]})", R"({"earlyStopping": "always"})", R"({"repetitionPenalty": 0})", R"({"num_beams": 2})",
        R"({"doSample": 1})", R"({"cache": 1})", "[]", "{"})
    expect_error(ErrorCode::bad_input, {"options"}, [&] { of_call(call); });
  expect_error(ErrorCode::bad_input, {"cache", "beams", "2"}, [&] { of_call(R"({"cache": false, "beams": 2})"); });
  expect_error(ErrorCode::bad_config, {"generation_config.json", "num_beams"}, [] { of_file(R"({"num_beams": 0})"); });
  expect_error(ErrorCode::bad_config, {"forced", "100"}, [] { of_file(R"({"forced_bos_token_id": 100})"); });
  EXPECT_EQ(of_file(R"({"eos_token_id": 50256})").eos_token_id.front(), 50256);  // never comes
}

}  // namespace
}  // namespace glass
