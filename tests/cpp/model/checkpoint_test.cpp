// Reading what is broken, and reading back what was written.
#include "model/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cpp/io/expect_error.h"
#include "cpp/support/tiny.h"
#include "io/half.h"
#include "io/json.h"
#include "io/safetensors.h"

namespace glass {
namespace {

using testing::tiny_bert;
using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;

// A checkpoint in memory that a test may spoil.
struct Stored {
  std::string name;
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  std::vector<float> values;  // ignored for types that are not floats: zeros then
};

std::vector<Stored> stored(const Model& model) {
  std::vector<Stored> tensors;
  for (const Parameter& p : model.weights().parameters())
    tensors.push_back({p.name, DType::f32, {p.shape.extents().begin(), p.shape.extents().end()}, values_of(p)});
  return tensors;
}

std::vector<uint8_t> file_of(const std::vector<Stored>& tensors) {
  std::vector<TensorEntry> entries;
  std::map<std::string, const Stored*> by_name;
  for (const Stored& t : tensors) {
    entries.push_back({t.name, t.dtype, t.shape, 0, 0});
    by_name[t.name] = &t;
  }
  std::vector<uint8_t> file = write_header(entries);
  for (const TensorEntry& entry : entries) {
    file.resize(entry.end);
    if (entry.dtype == DType::f32 || entry.dtype == DType::f16 || entry.dtype == DType::bf16)
      from_float(entry.dtype, by_name.at(entry.name)->values, std::span(file).subspan(entry.begin), entry.name);
  }
  return file;
}

void read_file(CheckpointReader& reader, const std::vector<uint8_t>& file, const std::string& name = "model.safetensors") {
  for (const auto& wanted : reader.open_file(file, file.size(), name))
    reader.read(wanted.name, std::span(file).subspan(wanted.begin, wanted.end - wanted.begin));
}

std::unique_ptr<Model> open(const std::string& config, const std::vector<Stored>& tensors) {
  CheckpointReader reader(config);
  read_file(reader, file_of(tensors));
  return reader.finish();
}

Stored& named(std::vector<Stored>& tensors, const std::string& name) {
  for (Stored& t : tensors)
    if (t.name == name) return t;
  throw std::runtime_error("no tensor " + name);
}

void expect_equal(const Model& a, const Model& b) {
  const auto &left = a.weights().parameters(), &right = b.weights().parameters();
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) EXPECT_EQ(values_of(left[i]), values_of(right[i])) << left[i].name;
}

// ---- names ----------------------------------------------------------------------------------------------------------------

TEST(CheckpointNames, PrefixIsOptionalBothWays) {
  for (const char* architecture : {"BertModel", "BertForMaskedLM"}) {
    const std::string config = tiny_bert({{"architectures", {architecture}}});
    const auto model = tiny_model(config);
    std::vector<Stored> with = stored(*model), without = with;
    for (Stored& t : with)
      if (!t.name.starts_with("bert.") && !t.name.starts_with("cls.")) t.name = "bert." + t.name;
    for (Stored& t : without)
      if (t.name.starts_with("bert.")) t.name = t.name.substr(5);
    expect_equal(*open(config, with), *model);
    expect_equal(*open(config, without), *model);
  }
}

TEST(CheckpointNames, OfBefore2019) {
  const auto model = tiny_model(tiny_bert());
  std::vector<Stored> tensors = stored(*model);
  for (Stored& t : tensors) {
    const size_t norm = t.name.find("LayerNorm.");
    if (norm != std::string::npos)
      t.name = t.name.substr(0, norm) + (t.name.ends_with("weight") ? "LayerNorm.gamma" : "LayerNorm.beta");
  }
  expect_equal(*open(tiny_bert(), tensors), *model);
}

TEST(CheckpointNames, WhatARunDoesNotNeedIsLeftOut) {
  const auto model = tiny_model(tiny_bert());
  std::vector<Stored> tensors = stored(*model);
  tensors.push_back({"bert.embeddings.position_ids", DType::i64, {1, 16}, {}});
  tensors.push_back({"cls.seq_relationship.weight", DType::f32, {2, 12}, std::vector<float>(24, 9.f)});
  tensors.push_back({"bert.pooler.dense.weight", DType::f32, {12, 12}, std::vector<float>(144, 9.f)});
  expect_equal(*open(tiny_bert(), tensors), *model);
}

TEST(CheckpointTies, CopiesAreComparedAndLeftOut) {
  const auto model = tiny_model(tiny_bert());
  for (const auto& [original, copy] : {std::pair{"bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"},
                                       std::pair{"cls.predictions.bias", "cls.predictions.decoder.bias"}}) {
    std::vector<Stored> tensors = stored(*model);
    tensors.push_back(named(tensors, original));
    tensors.back().name = copy;
    expect_equal(*open(tiny_bert(), tensors), *model);
    tensors.back().values.back() += 1.f;
    expect_error(ErrorCode::unsupported, {copy, original, "tied"}, [&] { open(tiny_bert(), tensors); });
    tensors.back().shape[0] = 1;
    tensors.back().values.resize(tensors.back().shape.size() == 2 ? 12 : 1);
    expect_error(ErrorCode::bad_weights, {copy, "expected shape [13"}, [&] { open(tiny_bert(), tensors); });
  }
}

TEST(CheckpointTies, WithoutTheHeadACopyDoesNotMatter) {
  const std::string config = tiny_bert({{"architectures", {"BertModel"}}});
  const auto model = tiny_model(config);
  std::vector<Stored> tensors = stored(*model);
  tensors.push_back({"cls.predictions.decoder.weight", DType::f32, {13, 12}, std::vector<float>(156, 9.f)});
  expect_equal(*open(config, tensors), *model);
}

// ---- what is refused
// ----------------------------------------------------------------------------------------------------------

class BrokenCheckpoint : public ::testing::Test {
 protected:
  void refuses(const std::vector<std::string>& parts) {
    expect_error(ErrorCode::bad_weights, parts, [&] { open(tiny_bert(), tensors_); });
  }
  std::vector<Stored> tensors_ = stored(*tiny_model(tiny_bert()));
  const std::string query_ = "bert.encoder.layer.1.attention.self.query.weight";
};

TEST_F(BrokenCheckpoint, MissingTensor) {
  std::erase_if(tensors_, [&](const Stored& t) { return t.name == query_; });
  refuses({"lacks 1 of", query_});
}

TEST_F(BrokenCheckpoint, EverythingMissing) {
  tensors_.clear();
  refuses({"lacks", "bert.embeddings.word_embeddings.weight"});
}

TEST_F(BrokenCheckpoint, MisshapedTensor) {
  named(tensors_, query_).shape = {6, 24};
  refuses({"model.safetensors", query_, "expected shape [12, 12]", "got [6, 24]"});
}

TEST_F(BrokenCheckpoint, RightSizeAsAVector) {
  named(tensors_, query_).shape = {144};
  refuses({query_, "[12, 12]", "[144]"});
}

TEST_F(BrokenCheckpoint, UnknownTensor) {
  tensors_.push_back({"bert.encoder.layer.1.attention.self.qwery.weight", DType::f32, {1}, {0.f}});
  refuses({"model.safetensors", "does not explain", "qwery", "nearest", query_});
}

TEST_F(BrokenCheckpoint, ALayerTooMany) {
  tensors_.push_back({"bert.encoder.layer.2.attention.self.query.weight", DType::f32, {12, 12}, std::vector<float>(144)});
  refuses({"does not explain", "layer.2"});
}

TEST_F(BrokenCheckpoint, LongUnknownName) {
  tensors_.push_back({std::string(100000, 'x'), DType::f32, {1}, {0.f}});
  refuses({"does not explain"});
}

TEST_F(BrokenCheckpoint, SameTensorUnderTwoNames) {
  Stored copy = named(tensors_, query_);
  copy.name = copy.name.substr(5);
  tensors_.push_back(copy);
  refuses({"came before", query_});
}

TEST_F(BrokenCheckpoint, SameTensorInTwoFiles) {
  const std::vector<uint8_t> file = file_of(tensors_);
  CheckpointReader reader(tiny_bert());
  reader.open_file(file, file.size(), "model-00001-of-00002.safetensors");
  expect_error(ErrorCode::bad_weights, {"model-00002-of-00002.safetensors", "came before"},
               [&] { reader.open_file(file, file.size(), "model-00002-of-00002.safetensors"); });
}

TEST_F(BrokenCheckpoint, AFileBehindTheFirstTensor) {
  const std::vector<uint8_t> file = file_of(tensors_);
  CheckpointReader reader(tiny_bert());
  read_file(reader, file);
  expect_error(ErrorCode::bad_input, {"more.safetensors", "before the first tensor"},
               [&] { reader.open_file(file, file.size(), "more.safetensors"); });
}

TEST_F(BrokenCheckpoint, IntegerTensor) {
  named(tensors_, query_).dtype = DType::i32;
  refuses({query_, "F32, F16 or BF16", "I32"});
}

TEST_F(BrokenCheckpoint, DoubleTensor) {
  named(tensors_, query_).dtype = DType::f64;
  refuses({query_, "F64"});
}

TEST_F(BrokenCheckpoint, NotANumber) {
  named(tensors_, query_).values[7] = std::nanf("");
  refuses({query_, "finite", "nan", "index 7"});
}

TEST_F(BrokenCheckpoint, Infinite) {
  named(tensors_, query_).values[143] = -INFINITY;
  refuses({query_, "finite", "-inf", "index 143"});
}

TEST_F(BrokenCheckpoint, NotAskedFor) {
  CheckpointReader reader(tiny_bert());
  expect_error(ErrorCode::bad_input, {"not asked for"}, [&] { reader.read("nothing", {}); });
}

TEST_F(BrokenCheckpoint, AnnouncedButNeverRead) {
  const std::vector<uint8_t> file = file_of(tensors_);
  CheckpointReader reader(tiny_bert());
  reader.open_file(file, file.size(), "model.safetensors");
  expect_error(ErrorCode::bad_weights, {"lacks"}, [&] { reader.finish(); });
}

TEST_F(BrokenCheckpoint, TooFewBytes) {
  const std::vector<uint8_t> file = file_of(tensors_);
  CheckpointReader reader(tiny_bert());
  const auto wanted = reader.open_file(file, file.size(), "model.safetensors").front();
  expect_error(ErrorCode::bad_input, {wanted.name},
               [&] { reader.read(wanted.name, std::span(file).subspan(wanted.begin, 4)); });
}

// What a config claims costs nothing until the files are known to hold it.
TEST_F(BrokenCheckpoint, FewerTensorsThanTheConfigClaimsTakeNoMemory) {
  const std::vector<uint8_t> file = file_of(tensors_);
  CheckpointReader reader(tiny_bert({{"num_hidden_layers", 1000}}));
  const auto wanted = reader.open_file(file, file.size(), "model.safetensors").front();
  expect_error(ErrorCode::bad_weights, {"lacks", "encoder.layer."},
               [&] { reader.read(wanted.name, std::span(file).subspan(wanted.begin, wanted.end - wanted.begin)); });
  EXPECT_EQ(wanted.parameter->data, nullptr);
}

TEST_F(BrokenCheckpoint, MemoryComesWithTheFirstTensor) {
  const std::vector<uint8_t> file = file_of(tensors_);
  CheckpointReader reader(tiny_bert());
  const auto wanted = reader.open_file(file, file.size(), "model.safetensors").front();
  EXPECT_EQ(wanted.parameter->data, nullptr);
  reader.read(wanted.name, std::span(file).subspan(wanted.begin, wanted.end - wanted.begin));
  EXPECT_NE(wanted.parameter->data, nullptr);
}

TEST(ModelSize, EnormousModelsAreRefusedBeforeMemoryIsTaken) {
  expect_error(ErrorCode::out_of_memory, {"MB"}, [] {
    Model(tiny_bert(
        {{"hidden_size", 8192}, {"num_attention_heads", 1}, {"num_hidden_layers", 100}, {"intermediate_size", 32768}}));
  });
}

// ---- saving
// -------------------------------------------------------------------------------------------------------------------

std::vector<uint8_t> saved_file(const Model& model, DType dtype) {
  SavedHeader saved = saved_header(model, dtype);
  for (const Parameter* p : saved.order) {
    const std::vector<uint8_t> bytes = saved_tensor(*p, dtype);
    saved.bytes.insert(saved.bytes.end(), bytes.begin(), bytes.end());
  }
  return saved.bytes;
}

TEST(Saving, ReopensEqual) {
  for (const std::string& config :
       {tiny_bert(), tiny_config(),
        tiny_bert(
            {{"model_type", "electra"}, {"embedding_size", 5}, {"architectures", {"ElectraForSequenceClassification"}}})}) {
    const auto model = tiny_model(config, 5);
    CheckpointReader reader(saved_config(*model, DType::f32));
    read_file(reader, saved_file(*model, DType::f32));
    expect_equal(*reader.finish(), *model);
  }
}

TEST(Saving, HalvesAreRounded) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    const auto model = tiny_model(tiny_bert(), 5);
    CheckpointReader reader(saved_config(*model, dtype));
    read_file(reader, saved_file(*model, dtype));
    const auto reopened = reader.finish();
    for (size_t i = 0; i < model->weights().parameters().size(); ++i) {
      std::vector<float> expected = values_of(model->weights().parameters()[i]);
      for (float& x : expected) x = dtype == DType::f16 ? f16_to_f32(f32_to_f16(x)) : bf16_to_f32(f32_to_bf16(x));
      EXPECT_EQ(values_of(reopened->weights().parameters()[i]), expected);
    }
  }
}

TEST(Saving, OtherValuesCanStandForTheModels) {
  const auto model = tiny_model(tiny_bert());
  const Parameter& p = model->weights().parameters().front();
  const std::vector<float> values(p.size(), 0.5f);
  std::vector<float> back(p.size());
  to_float(DType::f32, saved_tensor(p, DType::f32, values.data()), back, p.name);
  EXPECT_EQ(back, values);
}

TEST(Saving, TheConfigKeepsItsKeysAndSaysTheType) {
  const auto model = tiny_model(tiny_bert({{"torch_dtype", "float64"}, {"my_note", "kept"}}));
  const JsonObject json = JsonObject::parse(saved_config(*model, DType::f16), "config.json");
  EXPECT_EQ(json.string("dtype"), "float16");
  EXPECT_EQ(json.string("my_note"), "kept");
  EXPECT_FALSE(json.has("torch_dtype"));
}

TEST(Saving, AnOverflowIsRefused) {
  const auto model = tiny_model(tiny_bert());
  Parameter& bias = model->weights().at("cls.predictions.bias");
  const std::vector<float> large(bias.size(), 70000.f);
  copy_in(bias, large.data());
  expect_error(ErrorCode::bad_input, {"cls.predictions.bias"}, [&] { saved_tensor(bias, DType::f16); });
}

}  // namespace
}  // namespace glass
