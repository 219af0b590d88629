// Checkpoints against transformers and, for our own family, PyTorch: logits, hidden states and attentions of every run.
#include "cpp/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cpp/support/batch.h"
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
  for (const char* group : {"models", "family", "decoders", "seq2seq"}) {
    const nlohmann::json json = testing::golden_json(std::string(group) + "/models.json");
    for (const auto& model : json.at("models")) cases.push_back({group, model.at("name")});
  }
  return cases;
}

// Rows of the tokens whose mask is 1.
class RealRows {
 public:
  explicit RealRows(const Tokens& tokens)
      : mask_(tokens.mask.empty() ? std::vector<int32_t>(tokens.ids.size(), 1) : tokens.mask),
        T_(static_cast<size_t>(tokens.length)) {}

  // x: [B, T, …], or with heads [B, H, T, …]
  template <class T>
  std::vector<T> take(const std::vector<T>& x, size_t heads = 1) const {
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

 private:
  std::vector<int32_t> mask_;
  size_t T_;
};

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

// One run: everything that was recorded and given against the file.
class Comparison {
 public:
  Comparison(const Golden& golden, std::string run, double tolerance, Worst& worst)
      : golden_(golden), run_(std::move(run)), tolerance_(tolerance), worst_(worst) {}

  // `rows` null: all of them count.
  void compare(const std::string& key, const Tensor& got, const RealRows* rows, size_t heads = 1) {
    if (!golden_.has(run_ + key)) return;
    const GoldenTensor& expected = golden_.at(run_ + key);
    ASSERT_EQ(got.shape(), expected.shape) << run_ << key;
    const std::vector<float> values = values_of(got);
    const double limit = tolerance_ * std::max(1.0, expected.largest());
    if (rows)
      worst_.expect_close(run_ + key, rows->take(values, heads), rows->take(expected.values, heads), limit);
    else
      worst_.expect_close(run_ + key, values, expected.values, limit);
    ++compared_;
  }
  void expect_all_compared() const {
    size_t listed = 0;
    for (const auto& [name, value] : golden_.all())
      listed += name.rfind(run_, 0) == 0 && value.dtype != DType::i32;  // what is I32 was given to the model
    EXPECT_EQ(compared_, listed) << run_;
  }

 private:
  const Golden& golden_;
  std::string run_;
  double tolerance_;
  Worst& worst_;
  size_t compared_ = 0;
};

TEST_P(Checkpoint, MatchesReference) {
  Worst worst(GetParam().name);
  const Config& config = model_->config();
  for (int i = 0; has_run(i); ++i) {
    const std::string run = "run" + std::to_string(i) + ".";
    const Batch batch = testing::batch_of(*golden_, run);
    Arena arena;
    Trace trace({"*"}, {});
    const Output output = model_->forward(Context{.arena = arena, .hooks = &trace}, batch);
    trace.check_all_met();
    const auto recorded = [&](const std::string& name) -> const Tensor& {
      const auto found =
          std::find_if(trace.recorded().begin(), trace.recorded().end(), [&](const Recorded& r) { return r.name == name; });
      if (found == trace.recorded().end()) throw std::runtime_error("nothing recorded as " + name);
      return found->value;
    };
    Comparison comparison(*golden_, run, tolerance_, worst);

    // The layers of a side; their values and their hooks have the same prefix.
    const auto compare_stack = [&](const std::string& prefix, const StackShape& stack, const RealRows& rows) {
      const size_t heads = static_cast<size_t>(stack.n_heads);
      comparison.compare(prefix + "hidden_states.0", recorded(prefix + "blocks.0.hook_resid_pre"), &rows);
      for (int64_t l = 0; l < stack.n_layers; ++l) {
        const std::string layer = std::to_string(l), block = prefix + "blocks." + layer + ".";
        comparison.compare(prefix + "hidden_states." + std::to_string(l + 1), recorded(block + "hook_resid_post"), &rows);
        comparison.compare(prefix + "attentions." + layer, recorded(block + "attn.hook_pattern"), &rows, heads);
        if (prefix == "decoder.")
          comparison.compare(prefix + "cross_attentions." + layer, recorded(block + "cross_attn.hook_pattern"), &rows, heads);
      }
    };
    const RealRows source(batch);
    if (config.kind == Kind::encoder_decoder) {
      const RealRows target(batch.target);
      compare_stack("encoder.", config.encoder, source);
      compare_stack("decoder.", config.decoder, target);
      comparison.compare("encoder.last_hidden_state", output.encoder_last_hidden, &source);
      comparison.compare("last_hidden_state", output.last_hidden, &target);
      if (output.logits) comparison.compare("logits", output.logits, &target);
    } else {
      compare_stack("", config.stack(), source);
      comparison.compare("last_hidden_state", output.last_hidden, &source);
      if (output.pooled) comparison.compare("pooler_output", output.pooled, nullptr);
      if (output.logits) comparison.compare("logits", output.logits, output.logits.shape().rank() == 3 ? &source : nullptr);
    }
    comparison.expect_all_compared();
  }
}

// Every text of a padded batch, run alone without its padding.
TEST_P(Checkpoint, BatchEqualsOneByOne) {
  const Batch batch = testing::batch_of(*golden_, "run0.");
  Arena arena;
  const Output together = model_->forward(Context{arena}, batch);
  for (int64_t b = 0; b < batch.size; ++b) {
    Batch one;
    static_cast<Tokens&>(one) = testing::alone(batch, b);  // run0 is padded on the right, or not at all
    if (batch.target.size > 0) one.target = testing::alone(batch.target, b);
    const Output single = model_->forward(Context{arena}, one);

    const auto expect_rows = [&](const Tensor& all, const Tensor& part) {
      const size_t rows = part.size(), step = all.size() / static_cast<size_t>(batch.size);
      const std::vector<float> got = values_of(part);
      const float* from = all.data() + static_cast<size_t>(b) * step;
      // Sums run over other lengths, so the last bits differ: a few hundred roundings of values of size 10.
      EXPECT_LE(testing::largest_difference(got, std::vector<double>(from, from + rows)), 2e-5) << "text " << b;
    };
    expect_rows(together.last_hidden, single.last_hidden);
    if (together.encoder_last_hidden) expect_rows(together.encoder_last_hidden, single.encoder_last_hidden);
    if (together.logits) expect_rows(together.logits, single.logits);
    if (together.pooled) expect_rows(together.pooled, single.pooled);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Checkpoint, ::testing::ValuesIn(all_cases()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace glass
