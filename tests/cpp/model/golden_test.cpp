// Checkpoints against transformers and, for our own family, PyTorch: logits, hidden states and attentions of every run.
#include "cpp/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cpp/support/folder.h"
#include "trace/trace.h"

namespace glass {
namespace {

using testing::Golden;
using testing::GoldenTensor;
using testing::Worst;

struct Case {
  std::string group, name;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* group : {"models", "family"}) {
    const nlohmann::json json = testing::golden_json(std::string(group) + "/models.json");
    for (const auto& model : json.at("models")) cases.push_back({group, model.at("name")});
  }
  return cases;
}

// Rows of the tokens whose mask is 1; [B, T, …] by the first two axes.
class RealRows {
 public:
  RealRows(std::vector<int32_t> mask, size_t T) : mask_(std::move(mask)), T_(T) {}

  // x: [B, T, …]
  std::vector<double> tokens(const std::vector<double>& x) const { return take(x, 1); }
  std::vector<float> tokens(const std::vector<float>& x) const { return take(x, 1); }
  // x: [B, H, T, …]
  template <class T>
  std::vector<T> queries(const std::vector<T>& x, size_t heads) const {
    return take(x, heads);
  }

 private:
  template <class T>
  std::vector<T> take(const std::vector<T>& x, size_t heads) const {
    const size_t width = x.size() / (mask_.size() * heads);
    std::vector<T> kept;
    for (size_t b = 0; b < mask_.size() / T_; ++b)
      for (size_t h = 0; h < heads; ++h)
        for (size_t t = 0; t < T_; ++t)
          if (mask_[b * T_ + t])
            kept.insert(kept.end(), x.begin() + static_cast<ptrdiff_t>(((b * heads + h) * T_ + t) * width),
                        x.begin() + static_cast<ptrdiff_t>(((b * heads + h) * T_ + t + 1) * width));
    return kept;
  }
  std::vector<int32_t> mask_;
  size_t T_;
};

Batch batch_of(const Golden& file, const std::string& run) {
  const GoldenTensor& ids = file.at(run + "input_ids");
  Batch batch{ids.shape[0], ids.shape[1], ids.ints(), {}, {}, {}};
  if (file.has(run + "attention_mask")) batch.mask = file.at(run + "attention_mask").ints();
  if (file.has(run + "token_type_ids")) batch.types = file.at(run + "token_type_ids").ints();
  return batch;
}

std::vector<float> values_of(const Tensor& x) { return {x.data(), x.data() + x.size()}; }

class Checkpoint : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const std::string path = GetParam().group + "/" + GetParam().name;
    model_ = testing::open_folder(testing::golden_path(path));
    golden_ = std::make_unique<Golden>(path + "/expected.safetensors");
    tolerance_ = testing::golden_json(GetParam().group + "/models.json").at("tolerance");
  }
  bool has_run(int i) const { return golden_->has("run" + std::to_string(i) + ".input_ids"); }

  std::unique_ptr<Model> model_;
  std::unique_ptr<Golden> golden_;
  double tolerance_ = 0;
};

TEST_P(Checkpoint, MatchesReference) {
  Worst worst(GetParam().name);
  for (int i = 0; has_run(i); ++i) {
    const std::string run = "run" + std::to_string(i) + ".";
    const Batch batch = batch_of(*golden_, run);
    Arena arena;
    Trace trace({"*"}, {});
    const Output output = model_->forward(Context{.arena = arena, .hooks = &trace}, batch);
    trace.check_all_met();
    const RealRows real(batch.mask.empty() ? std::vector<int32_t>(batch.ids.size(), 1) : batch.mask,
                        static_cast<size_t>(batch.length));
    const auto recorded = [&](const std::string& name) -> const Tensor& {
      const auto found =
          std::find_if(trace.recorded().begin(), trace.recorded().end(), [&](const Recorded& r) { return r.name == name; });
      if (found == trace.recorded().end()) throw std::runtime_error("nothing recorded as " + name);
      return found->value;
    };
    const auto compare_tokens = [&](const std::string& key, const std::vector<float>& got) {
      worst.expect_close(run + key, real.tokens(got), real.tokens(golden_->at(run + key).values), tolerance_);
    };

    for (int64_t l = 0; l < model_->config().encoder.n_layers; ++l) {
      const std::string layer = std::to_string(l);
      if (l == 0) compare_tokens("hidden_states.0", values_of(recorded("blocks.0.hook_resid_pre")));
      compare_tokens("hidden_states." + std::to_string(l + 1), values_of(recorded("blocks." + layer + ".hook_resid_post")));
      const Tensor& pattern = recorded("blocks." + layer + ".attn.hook_pattern");
      const size_t heads = static_cast<size_t>(model_->config().encoder.n_heads);
      EXPECT_EQ(pattern.shape(), golden_->at(run + "attentions." + layer).shape);
      worst.expect_close(run + "attentions." + layer, real.queries(values_of(pattern), heads),
                         real.queries(golden_->at(run + "attentions." + layer).values, heads), tolerance_);
    }
    if (golden_->has(run + "last_hidden_state")) compare_tokens("last_hidden_state", values_of(output.last_hidden));
    if (golden_->has(run + "pooler_output"))
      worst.expect_close(run + "pooler_output", values_of(output.pooled), golden_->at(run + "pooler_output").values,
                         tolerance_);
    ASSERT_EQ(golden_->has(run + "logits"), static_cast<bool>(output.logits));
    if (output.logits) {
      EXPECT_EQ(output.logits.shape(), golden_->at(run + "logits").shape);
      if (output.logits.shape().rank() == 3)
        compare_tokens("logits", values_of(output.logits));
      else
        worst.expect_close(run + "logits", values_of(output.logits), golden_->at(run + "logits").values, tolerance_);
    }
  }
}

// Every text of a padded batch, run alone without its padding.
TEST_P(Checkpoint, BatchEqualsOneByOne) {
  const Batch batch = batch_of(*golden_, "run0.");
  Arena arena;
  const Output together = model_->forward(Context{arena}, batch);
  for (int64_t b = 0; b < batch.size; ++b) {
    const auto row = [&](const std::vector<int32_t>& values) {
      const auto begin = values.begin() + b * batch.length;
      return values.empty() ? values : std::vector<int32_t>(begin, begin + batch.length);
    };
    Batch alone{1, 0, row(batch.ids), {}, row(batch.types), {}};
    for (const int32_t real : row(batch.mask)) alone.length += real;
    if (batch.mask.empty()) alone.length = batch.length;
    alone.ids.resize(static_cast<size_t>(alone.length));  // run0 is padded on the right, or not at all
    if (!alone.types.empty()) alone.types.resize(static_cast<size_t>(alone.length));
    const Output single = model_->forward(Context{arena}, alone);

    const auto expect_rows = [&](const Tensor& all, const Tensor& one) {
      const size_t rows = one.size(), step = all.size() / static_cast<size_t>(batch.size);
      const std::vector<float> got = values_of(one);
      const float* from = all.data() + static_cast<size_t>(b) * step;
      // Sums run over other lengths, so the last bits differ: a few hundred roundings of values of size 10.
      EXPECT_LE(testing::largest_difference(got, std::vector<double>(from, from + rows)), 2e-5) << "text " << b;
    };
    expect_rows(together.last_hidden, single.last_hidden);
    if (together.logits) expect_rows(together.logits, single.logits);
    if (together.pooled) expect_rows(together.pooled, single.pooled);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Checkpoint, ::testing::ValuesIn(all_cases()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace glass
