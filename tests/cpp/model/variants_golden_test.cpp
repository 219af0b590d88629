// Variants of our own family against PyTorch: attention matrices, buckets, states, logits, and the gradient of every parameter.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cpp/support/folder.h"
#include "cpp/support/golden.h"
#include "cpp/support/tiny.h"
#include "model/variants.h"
#include "trace/trace.h"

namespace glass {
namespace {

using testing::Golden;
using testing::GoldenTensor;
using testing::values_of;
using testing::Worst;

const nlohmann::json& index_of_models() {
  static const nlohmann::json json = testing::golden_json("variants/models.json");
  return json;
}

// The values of the queries whose mask is 1. x: [B, heads, T, …], mask: [B, T]
template <class T>
std::vector<T> real_rows(const std::vector<T>& x, const std::vector<int32_t>& mask, size_t length, size_t heads) {
  const size_t width = x.size() / (mask.size() * heads);
  std::vector<T> kept;
  for (size_t row = 0; row < mask.size() * heads; ++row) {
    const size_t b = row / (heads * length), t = row % length;
    const auto begin = x.begin() + static_cast<ptrdiff_t>(row * width);
    if (mask[b * length + t]) kept.insert(kept.end(), begin, begin + static_cast<ptrdiff_t>(width));
  }
  return kept;
}

Tokens tokens_of(const Golden& file, const std::string& ids, const std::string& mask) {
  const GoldenTensor& given = file.at(ids);
  Tokens tokens{given.shape[0], given.shape[1], given.ints()};
  if (file.has(mask)) tokens.mask = file.at(mask).ints();
  return tokens;
}

class Variant : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    entry_ = index_of_models().at("models")[GetParam()];
    const std::string path = "variants/" + entry_.at("name").get<std::string>();
    model_ = testing::open_folder(testing::golden_path(path), Layout::rows);
    golden_ = std::make_unique<Golden>(path + "/expected.safetensors");
  }
  double tolerance(const char* kind) const { return index_of_models().at("tolerance").at(kind); }
  bool both() const { return model_->config().kind == Kind::encoder_decoder; }
  Batch batch(const std::string& run) const {
    Batch batch;
    static_cast<Tokens&>(batch) = tokens_of(*golden_, run + "input_ids", run + "attention_mask");
    if (both()) batch.target = tokens_of(*golden_, run + "decoder_input_ids", run + "decoder_attention_mask");
    return batch;
  }
  static std::vector<int32_t> mask_of(const Tokens& tokens) {
    return tokens.mask.empty() ? std::vector<int32_t>(tokens.ids.size(), 1) : tokens.mask;
  }
  // Rows of the output that mean something.
  void expect_rows(Worst& worst, const std::string& key, const Tokens& tokens, const std::vector<float>& got,
                   size_t heads) const {
    const GoldenTensor& expected = golden_->at(key);
    const size_t length = static_cast<size_t>(tokens.length);
    worst.expect_close(key, real_rows(got, mask_of(tokens), length, heads),
                       real_rows(expected.values, mask_of(tokens), length, heads),
                       tolerance("forward") * std::max(1.0, expected.largest()));
  }
  void expect_output(Worst& worst, const std::string& run, const Batch& batch, const Output& output) const {
    const Tokens& side = both() ? batch.target : batch;
    expect_rows(worst, run + "last_hidden_state", side, values_of(output.last_hidden), 1);
    if (both()) expect_rows(worst, run + "encoder.last_hidden_state", batch, values_of(output.encoder_last_hidden), 1);
    ASSERT_EQ(golden_->has(run + "logits"), static_cast<bool>(output.logits));
    if (!output.logits) return;
    if (output.logits.shape().rank() == 3)
      expect_rows(worst, run + "logits", side, values_of(output.logits), 1);
    else
      worst.expect_close(run + "logits", values_of(output.logits), golden_->at(run + "logits").values, tolerance("forward"));
  }

  nlohmann::json entry_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Golden> golden_;
};

TEST_P(Variant, WithAndWithoutListeners) {
  Worst worst(entry_.at("name").get<std::string>());
  size_t compared = 0;
  for (size_t i = 0; i < entry_.at("runs").size(); ++i) {
    const std::string run = "run" + std::to_string(i) + ".";
    const Batch given = batch(run);
    Arena arena;
    expect_output(worst, run, given, model_->forward(Context{arena}, given));
    Trace trace({"*"}, {});
    expect_output(worst, run, given, model_->forward(Context{.arena = arena, .hooks = &trace}, given));
    for (const Recorded& r : trace.recorded()) {
      const size_t at = r.name.find("blocks.");
      if (at == std::string::npos) continue;
      const std::string side = r.name.substr(0, at), layer = r.name.substr(at + 7, r.name.find('.', at + 7) - at - 7);
      const Tokens& tokens = side == "decoder." ? given.target : given;
      const auto compare = [&](const std::string& key, size_t heads) {
        expect_rows(worst, run + side + key + layer, tokens, values_of(r.value), heads);
        EXPECT_EQ(r.value.shape(), golden_->at(run + side + key + layer).shape);
        ++compared;
      };
      const size_t heads = static_cast<size_t>(model_->config().stack().n_heads);
      if (r.name.ends_with(".hook_resid_post")) {
        const int l = std::stoi(layer) + 1;
        expect_rows(worst, run + side + "hidden_states." + std::to_string(l), tokens, values_of(r.value), 1);
      }
      if (r.name.ends_with(".attn.hook_pattern") && r.name.find("cross") == std::string::npos) compare("attentions.", heads);
      if (r.name.ends_with(".cross_attn.hook_pattern")) compare("cross_attentions.", heads);
      if (r.name.ends_with(".hook_pattern_projected")) compare("attentions_projected.", heads);
      if (r.name.ends_with(".hook_buckets")) {
        EXPECT_EQ(testing::largest_difference(values_of(r.value), golden_->at(run + side + "buckets." + layer).values), 0)
            << r.name;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, entry_.at("runs").size());
}

TEST_P(Variant, GradientOfEveryParameter) {
  const Batch given = batch("run0.");
  const std::vector<float> upstream = golden_->at("run0.upstream").floats();
  const std::set<std::string> faint = entry_.at("faintGradients");
  double largest = 0;
  for (const Parameter& p : model_->weights().parameters())
    largest = std::max(largest, golden_->at("run0.gradient." + p.name).largest());
  for (const bool listens : {false, true}) {
    Worst worst("gradients of " + entry_.at("name").get<std::string>() + (listens ? ", somebody listening" : ""));
    Arena arena;
    Gradients gradients(model_->weights().size());
    HookList listener;
    {
      Tape tape(&gradients);
      const Output output = model_->forward({.arena = arena, .tape = &tape, .hooks = listens ? &listener : nullptr}, given);
      const Tensor& y = output.logits ? output.logits : output.last_hidden;
      ASSERT_EQ(y.size(), upstream.size());
      tape.backward(y, upstream.data());
    }
    EXPECT_EQ(arena.bytes_in_use(), 0u);
    for (const Parameter& p : model_->weights().parameters()) {
      const GoldenTensor& expected = golden_->at("run0.gradient." + p.name);
      // Zero or under 3/1000 of the largest: sums of large terms that cancel, so they are held to the largest.
      const double limit =
          faint.count(p.name) ? tolerance("faintGradient") * largest : tolerance("gradient") * expected.largest();
      worst.expect_close(p.name, {gradients.of(p), p.size()}, expected.values, limit);
    }
  }
}

TEST_P(Variant, RotationsComeFromTheSeed) {
  const Config& c = model_->config();
  for (const char* side : {"", "encoder.", "decoder."})
    for (int64_t l = 0; golden_->has("run0." + (side + ("rotations." + std::to_string(l)))); ++l) {
      const StackShape& shape = c.stack();
      const std::vector<float> drawn =
          lsh_rotations(c.attention_seed + static_cast<uint64_t>(l), {c.lsh_rounds, c.lsh_buckets, c.lsh_chunk_length},
                        shape.n_heads, shape.head_size);
      // The C libraries' logarithm and cosine may differ in the last bit before the result is rounded.
      EXPECT_LE(testing::largest_difference(drawn, golden_->at("run0." + (side + ("rotations." + std::to_string(l)))).values),
                1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Variant, ::testing::Range<size_t>(0, index_of_models().at("models").size()),
                         [](const auto& info) {
                           return index_of_models().at("models")[info.param].at("name").template get<std::string>();
                         });

}  // namespace
}  // namespace glass
