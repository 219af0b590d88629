// Configs that ask for what is not computed here, or for nothing that can be: each is refused by name, before it is run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cpp/io/expect_error.h"
#include "cpp/support/batch.h"
#include "cpp/support/folder.h"
#include "cpp/support/tiny.h"

namespace glass {
namespace {

using Json = nlohmann::json;

const Json& refusals() {
  static const Json json = testing::golden_json("refusals.json");
  return json;
}

// The base folder's config with keys set, or removed where they are null; or with one piece of its text replaced.
std::string config_of(const Json& one) {
  std::string text = testing::read_text(testing::golden_path(one.at("base").get<std::string>() + "/config.json"));
  if (one.contains("replace")) {
    const std::string from = one.at("replace")[0];
    return text.replace(text.find(from), from.size(), one.at("replace")[1].get<std::string>());
  }
  Json config = Json::parse(text);
  for (const auto& [key, value] : one.at("changes").items()) {
    config.erase(key);
    if (!value.is_null()) config[key] = value;
  }
  return config.dump();
}

std::unique_ptr<Model> open(const Json& one) {
  return testing::open_folder(testing::golden_path(one.at("base")), Layout::panels, config_of(one));
}

ErrorCode code_of(const std::string& name) {
  if (name == "unsupported") return ErrorCode::unsupported;
  return name == "bad-weights" ? ErrorCode::bad_weights : ErrorCode::bad_config;
}

class Refusal : public ::testing::TestWithParam<size_t> {};

TEST_P(Refusal, NamesTheKey) {
  const Json& one = refusals().at("refused")[GetParam()];
  const std::string at = one.at("at");
  expect_error(code_of(one.at("code")), one.at("names").get<std::vector<std::string>>(), [&] {
    if (at == "config") {
      parse_config(config_of(one));
      return;
    }
    const auto model = open(one);
    if (at == "weights") return;
    const int64_t length = one.at("length");
    Arena arena;
    Batch batch;
    static_cast<Tokens&>(batch) = {1, length, std::vector<int32_t>(static_cast<size_t>(length), 3)};
    model->forward(Context{arena}, batch);
  });
}

INSTANTIATE_TEST_SUITE_P(All, Refusal, ::testing::Range<size_t>(0, refusals().at("refused").size()), [](const auto& info) {
  return refusals().at("refused")[info.param].at("name").template get<std::string>();
});

// What looks like these and changes no number.
TEST(Refusals, WhatChangesNothingIsAccepted) {
  for (const Json& one : refusals().at("allowed")) {
    const std::string name = one.at("name");
    const testing::Golden golden(one.at("base").get<std::string>() + "/expected.safetensors");
    const Batch batch = testing::batch_of(golden, "run0.");
    Arena arena;
    const auto plain = testing::open_folder(testing::golden_path(one.at("base"))), changed = open(one);
    const Output expected = plain->forward(Context{arena}, batch), got = changed->forward(Context{arena}, batch);
    EXPECT_EQ(testing::values_of(got.logits), testing::values_of(expected.logits)) << name;
  }
}

}  // namespace
}  // namespace glass
