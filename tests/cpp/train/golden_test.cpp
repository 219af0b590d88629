// Whole models against PyTorch in float64: the gradient of every parameter, and five steps of AdamW.
#include "cpp/support/golden.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cpp/support/folder.h"
#include "cpp/support/tiny.h"
#include "ops/ops.h"
#include "train/trainer.h"

namespace glass {
namespace {

using testing::Golden;
using testing::GoldenTensor;
using testing::Worst;

const nlohmann::json& train_json() {
  static const nlohmann::json json = testing::golden_json("train/train.json");
  return json;
}

// The rows of a padded array [B, T] without their padding, which in these files is on the right.
std::vector<std::vector<int32_t>> unpadded(const GoldenTensor& values, const GoldenTensor& mask) {
  const size_t B = static_cast<size_t>(mask.shape[0]), T = static_cast<size_t>(mask.shape[1]);
  std::vector<std::vector<int32_t>> rows(B);
  for (size_t b = 0; b < B; ++b)
    for (size_t t = 0; t < T; ++t)
      if (mask.values[b * T + t] != 0) rows[b].push_back(static_cast<int32_t>(values.values[b * T + t]));
  return rows;
}

// The examples of a step, unpadded; collate() pads them on the right again.
std::vector<Example> examples_of(const Golden& file, int step) {
  const std::string at = "step" + std::to_string(step) + ".";
  const GoldenTensor &mask = file.at(at + "attention_mask"), &labels = file.at(at + "labels");
  const bool two_sides = file.has(at + "decoder_input_ids");
  const GoldenTensor& target_mask = two_sides ? file.at(at + "decoder_attention_mask") : mask;
  std::vector<Example> examples(static_cast<size_t>(mask.shape[0]));
  for (size_t b = 0; b < examples.size(); ++b) {
    examples[b].ids = unpadded(file.at(at + "input_ids"), mask)[b];
    if (file.has(at + "token_type_ids")) examples[b].types = unpadded(file.at(at + "token_type_ids"), mask)[b];
    if (two_sides) examples[b].decoder_ids = unpadded(file.at(at + "decoder_input_ids"), target_mask)[b];
    examples[b].labels = labels.shape.rank() == 1 ? std::vector<int32_t>{labels.ints()[b]} : unpadded(labels, target_mask)[b];
  }
  return examples;
}

TrainOptions options_of(const nlohmann::json& run) {
  TrainOptions o;
  o.batch_size = 64;
  o.beta1 = run.at("betas")[0];
  o.beta2 = run.at("betas")[1];
  o.eps = run.at("eps");
  o.weight_decay = run.at("weightDecay");
  o.label_smoothing = run.at("labelSmoothing");
  o.clip = run.at("clip");
  o.dropout = 0.f;
  return o;
}

class GoldenRun : public ::testing::TestWithParam<size_t> {
 protected:
  const nlohmann::json& run() const { return train_json().at("runs")[GetParam()]; }
  Golden file() const { return Golden("train/" + run().at("tensors").get<std::string>()); }
  std::unique_ptr<Model> model() const { return testing::open_folder(testing::golden_path(run().at("model")), Layout::rows); }
  std::set<std::string> zero_gradients() const { return run().at("zeroGradients"); }
};

// Gradients of the mean loss, before clipping.
std::vector<float> gradients_of(const Model& model, const std::vector<Example>& examples, float smoothing,
                                int recompute_every = 0) {
  Arena arena;
  Gradients gradients(model.weights().size());
  Tape tape(&gradients);
  const Context cx{.arena = arena, .tape = &tape};
  const LabelledBatch batch = collate(examples, model.config());
  const Output output = model.forward(cx, batch.batch, recompute_every);
  const Loss loss = cross_entropy(cx, output.logits, batch.labels, smoothing);
  tape.backward(scale(cx, 1.f / static_cast<float>(loss.counted), loss.sum));
  return gradients.values();
}

// The layer that a parameter belongs to: its name up to the first number, "encoder.layer.0." or "transformer.h.1.".
std::string layer_of(const std::string& name) {
  const size_t digit = name.find_first_of("0123456789");
  return digit == std::string::npos ? "" : name.substr(0, name.find('.', digit) + 1);
}

TEST_P(GoldenRun, GradientOfEveryParameter) {
  const Golden golden = file();
  const auto m = model();
  const std::vector<float> gradients = gradients_of(*m, examples_of(golden, 0), run().at("labelSmoothing"));
  const double tolerance = train_json().at("tolerance").at("gradient"), zero = train_json().at("tolerance").at("zeroGradient");
  std::map<std::string, double> largest;  // by layer
  for (const Parameter& p : m->weights().parameters()) {
    double& most = largest[layer_of(p.name)];
    most = std::max(most, golden.at("gradient." + p.name).largest());
  }
  Worst worst("gradients of " + run().at("name").get<std::string>()), worst_zero("key biases of the same");
  for (const Parameter& p : m->weights().parameters()) {
    const GoldenTensor& expected = golden.at("gradient." + p.name);
    std::vector<float> got(p.size());
    to_file_order(p, gradients.data() + p.offset, got.data());
    if (zero_gradients().count(p.name))
      worst_zero.expect_close(p.name, got, std::vector<double>(p.size(), 0.0), zero * largest.at(layer_of(p.name)));
    else
      worst.expect_close(p.name, got, expected.values, tolerance * expected.largest());
  }
}

TEST_P(GoldenRun, FiveSteps) {
  const Golden golden = file();
  const auto m = model();
  const std::set<std::string> decaying = run().at("decay");
  for (const Parameter& p : m->weights().parameters()) EXPECT_EQ(p.decays, decaying.count(p.name) == 1) << p.name;

  std::vector<uint8_t> state;  // the rates come from the file, so each step is a trainer of its own that goes on from the last
  for (int i = 0; i < 5; ++i) {
    const nlohmann::json& expected = run().at("steps")[static_cast<size_t>(i)];
    TrainOptions o = options_of(run());
    o.lr = expected.at("lr");
    Trainer trainer(*m, o);
    if (!state.empty()) trainer.restore(state);
    const StepResult result = trainer.step(examples_of(golden, i));
    const double tolerance = train_json().at("tolerance").at("loss");
    EXPECT_NEAR(result.loss, expected.at("loss"), tolerance * expected.at("loss").get<double>()) << "step " << i;
    EXPECT_NEAR(result.gradient_norm, expected.at("gradNorm"), tolerance * expected.at("gradNorm").get<double>())
        << "step " << i;
    EXPECT_EQ(result.step, i + 1);
    state = trainer.state();
  }
  Worst worst("parameters after five steps of " + run().at("name").get<std::string>());
  for (const Parameter& p : m->weights().parameters()) {
    if (zero_gradients().count(p.name)) continue;
    std::vector<float> values(p.size());
    copy_to_file(p, values.data());
    worst.expect_close(p.name, values, golden.at("after." + p.name).values, train_json().at("tolerance").at("parameters"));
  }
}

// Marian's final_logits_bias: to the last bit, whatever average is kept; unless it is named.
TEST(Buffers, AreNotTrainedUnlessAskedFor) {
  const std::string bias = "final_logits_bias", other = "model.shared.weight";
  const auto values = [](Model& m, const std::string& name) { return testing::values_of(m.weights().at(name)); };
  for (const bool asked : {false, true}) {
    const auto m = testing::open_folder(testing::golden_path("seq2seq/marian_mt"), Layout::rows);
    const std::vector<float> before = values(*m, bias), table = values(*m, other);
    ASSERT_NE(before, std::vector<float>(before.size(), 0.f));
    TrainOptions o;
    o.steps = 3;
    o.ema = 0.9f;
    if (asked) o.trainable = {"*"};
    {
      Trainer trainer(*m, o);
      const Golden golden("train/marian_mt.safetensors");
      for (int i = 0; i < 3; ++i) trainer.step(examples_of(golden, i));
      trainer.finish();
    }
    EXPECT_EQ(values(*m, bias) == before, !asked);
    EXPECT_NE(values(*m, other), table);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, GoldenRun, ::testing::Range<size_t>(0, train_json().at("runs").size()), [](const auto& info) {
  return train_json().at("runs")[info.param].at("name").template get<std::string>();
});

}  // namespace
}  // namespace glass
