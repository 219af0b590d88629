// Tensors that come in parts, as the bindings read them.
#include <gtest/gtest.h>

#include "cpp/io/expect_error.h"
#include "cpp/support/tiny.h"
#include "model/checkpoint.h"

namespace glass {
namespace {

using testing::tiny_bert;
using testing::tiny_model;
using testing::values_of;

constexpr const char* kTable = "bert.embeddings.word_embeddings.weight";
// Rows of 12 values: more than one part of about a million.
const std::string kConfig = tiny_bert({{"vocab_size", 100001}});

class CheckpointParts : public ::testing::TestWithParam<std::tuple<Layout, DType>> {
 protected:
  CheckpointParts() : model_(tiny_model(kConfig)), reader_(kConfig, std::get<0>(GetParam())) {
    const DType dtype = std::get<1>(GetParam());
    const SavedHeader saved = saved_header(*model_, dtype);
    file_ = saved.bytes;
    for (const Parameter* p : saved.order) {
      const std::vector<uint8_t> bytes = saved_tensor(*p, dtype);
      file_.insert(file_.end(), bytes.begin(), bytes.end());
    }
    wanted_ = reader_.open_file(file_, file_.size(), "model.safetensors");
  }
  std::span<const uint8_t> bytes(uint64_t begin, uint64_t end) const {
    return std::span(file_).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }
  const CheckpointReader::Wanted& table() const {
    for (const auto& wanted : wanted_)
      if (wanted.name == kTable) return wanted;
    throw std::logic_error("no word table");
  }

  std::unique_ptr<Model> model_;
  CheckpointReader reader_;
  std::vector<uint8_t> file_;
  std::vector<CheckpointReader::Wanted> wanted_;
};

TEST_P(CheckpointParts, GiveTheWhole) {
  ASSERT_GT(table().end - table().begin, table().part);
  for (const auto& [name, begin, end, dtype, parameter, is_copy, part] : wanted_)
    for (uint64_t at = begin; at < end; at += part) reader_.read(name, bytes(at, std::min(at + part, end)));
  const std::unique_ptr<Model> read = reader_.finish();
  CheckpointReader whole(kConfig, std::get<0>(GetParam()));
  for (const auto& wanted : whole.open_file(file_, file_.size(), "model.safetensors"))
    whole.read(wanted.name, bytes(wanted.begin, wanted.end));
  const std::unique_ptr<Model> expected = whole.finish();
  for (size_t i = 0; i < read->weights().parameters().size(); ++i)
    EXPECT_TRUE(values_of(read->weights().parameters()[i]) == values_of(expected->weights().parameters()[i]))
        << read->weights().parameters()[i].name;
}

TEST_P(CheckpointParts, OfOtherSizesAreRefused) {
  const uint64_t begin = table().begin, end = table().end, part = table().part;
  const auto refuses = [&](uint64_t from, uint64_t to) {
    expect_error(ErrorCode::bad_input, {kTable, "does not fit"}, [&] { reader_.read(kTable, bytes(from, to)); });
  };
  refuses(begin, begin);
  refuses(begin, begin + 1);
  refuses(begin, begin + 4);
  refuses(begin, begin + part + 4);
  reader_.read(kTable, bytes(begin, begin + part));
  refuses(begin, end);
}

TEST_P(CheckpointParts, ThatAreMissingAreATensorThatIsMissing) {
  for (const auto& wanted : wanted_)
    reader_.read(wanted.name, bytes(wanted.begin, wanted.name == kTable ? wanted.begin + wanted.part : wanted.end));
  expect_error(ErrorCode::bad_weights, {kTable, "lacks 1 of"}, [&] { reader_.finish(); });
}

INSTANTIATE_TEST_SUITE_P(LayoutsAndTypes, CheckpointParts,
                         ::testing::Combine(::testing::Values(Layout::rows, Layout::panels, Layout::int8),
                                            ::testing::Values(DType::f32, DType::f16)));

}  // namespace
}  // namespace glass
