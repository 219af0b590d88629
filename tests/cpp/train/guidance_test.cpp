// Guided alignment: a cross-attention head that is taught where to look.
#include <gtest/gtest.h>

#include <string>

#include "cpp/support/tiny.h"
#include "train/trainer.h"

namespace glass {
namespace {

using testing::tiny_model;

// A head that is taught where to look looks there, and the others are left to themselves.
TEST(Trainer, GuidesAHead) {
  const auto model = tiny_model(R"({"model_type": "bart", "architectures": ["BartForConditionalGeneration"], "vocab_size": 13,
      "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
      "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "max_position_embeddings": 16, "pad_token_id": 0,
      "decoder_start_token_id": 1, "init_std": 0.2, "dropout": 0})",
                                1, Layout::rows);
  TrainOptions o;
  o.steps = 300;
  o.lr = 3e-3f;
  o.clip = 1.f;
  o.guide = {0, 1, 1.f};
  const auto examples = [](uint64_t seed) {  // reversed texts: label t comes from the source token as far from its end
    Random random(seed);
    std::vector<Example> all(16);
    for (Example& e : all) {
      for (int t = 0; t < 5; ++t) e.ids.push_back(2 + static_cast<int32_t>(random.bits() % 11));
      e.labels.assign(e.ids.rbegin(), e.ids.rend());
      e.decoder_ids = {1};
      e.decoder_ids.insert(e.decoder_ids.end(), e.labels.begin(), e.labels.end() - 1);
      e.links = {4, 3, 2, 1, 0};
    }
    return all;
  };
  {
    Trainer trainer(*model, o);
    while (!trainer.done()) trainer.step(examples(static_cast<uint64_t>(trainer.steps_done())));
  }
  Arena arena;  // outlives what is kept of it
  struct Keeper : Hooks {
    Tensor pattern;
    Tensor visit(const Context&, const std::string& name, std::string_view, Tensor value) override {
      if (name == "decoder.blocks.0.cross_attn.hook_pattern") pattern = value;
      return value;
    }
  } keeper;
  Context cx{arena};
  cx.hooks = &keeper;
  model->forward(cx, collate(examples(1000), model->config()).batch);
  double linked = 0;
  for (int64_t b = 0; b < 16; ++b)
    for (int64_t t = 0; t < 5; ++t) linked += static_cast<double>(keeper.pattern.data()[((b * 2 + 1) * 5 + t) * 5 + 4 - t]);
  EXPECT_GT(linked / 80, 0.9);  // 0.2 where it looked everywhere alike
}

}  // namespace
}  // namespace glass
