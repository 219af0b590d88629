// T5, Raffel et al. 2020, and its version 1.1: relative positions as a bias of the scores, which are not scaled.
#include <cmath>

#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"T5Model", Task::none}, {"T5ForConditionalGeneration", Task::language_model}};

// "relu" or "gated-gelu": whether it is gated, and its activation.
void read_feed_forward(const JsonObject& json, Config& c) {
  std::string name = json.string("feed_forward_proj", "relu");
  c.gated = name.starts_with("gated-");
  if (c.gated) name = name == "gated-gelu" ? "gelu_new" : name.substr(6);  // T5's gated GELU is the tanh form
  const std::optional<Activation> activation = activation_of_name(name);
  if (!activation) refuse(json, "feed_forward_proj", "\"relu\", \"gated-gelu\", \"gated-silu\" or another known activation");
  c.activation = *activation;
}

Config parse(const JsonObject& json) {
  refuse_true(json, {"is_decoder"});
  if (!json.boolean("is_encoder_decoder", true)) refuse(json, "is_encoder_decoder", "true");
  refuse_changed_weights(json);
  Config c;
  c.family = "t5";
  c.kind = Kind::encoder_decoder;
  c.task = read_task(json, kArchitectures);
  c.vocab_size = read_entries(json, "vocab_size", 32128);
  c.hidden_size = c.embedding_size = read_width(json, "d_model", 512);
  c.encoder.n_layers = read_layers(json, "num_layers", 6);
  c.encoder.n_heads = c.encoder.n_key_heads = read_width(json, "num_heads", 8);
  c.encoder.head_size = read_width(json, "d_kv", 64);
  c.encoder.feed_forward_size = read_width(json, "d_ff", 2048);
  c.decoder = c.encoder;
  c.decoder.n_layers = read_layers(json, "num_decoder_layers", c.encoder.n_layers);
  c.positions = Positions::relative;
  c.n_buckets = json.integer("relative_attention_num_buckets", {4, 1 << 16}, 32);
  c.max_distance = json.integer("relative_attention_max_distance", {1, 1 << 20}, 128);
  if (c.max_distance <= c.n_buckets / 2)
    refuse(json, "relative_attention_max_distance", "more than half of relative_attention_num_buckets");
  read_feed_forward(json, c);
  c.norm = NormKind::rms;
  c.norm_eps = read_eps(json, "layer_norm_epsilon", 1e-6);
  c.norm_first = c.final_norm = true;
  c.embedding_norm = c.attention_bias = c.attention_out_bias = c.feed_forward_bias = c.scale_attention = false;
  // Since transformers 5 a config says tie_word_embeddings: true also of an untied head and tells it by the other key.
  c.tied = json.boolean("scale_decoder_outputs", json.boolean("tie_word_embeddings", true));
  if (c.tied) c.logits_scale = 1.f / std::sqrt(static_cast<float>(c.hidden_size));
  c.hidden_dropout = c.attention_dropout = c.activation_dropout = read_rate(json, "dropout_rate", 0.1);
  c.initializer_range = read_spread(json, "initializer_factor", 1);
  c.pad_id = read_pad_token(json, c.vocab_size, 0);
  c.decoder_start_id = read_token(json, "decoder_start_token_id", c.vocab_size, c.pad_id);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "shared"},
    {"encoder.relative_bias", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias"},
    {"encoder.blocks.{l}.norm1", "encoder.block.{l}.layer.0.layer_norm"},
    {"encoder.blocks.{l}.attn.q", "encoder.block.{l}.layer.0.SelfAttention.q"},
    {"encoder.blocks.{l}.attn.k", "encoder.block.{l}.layer.0.SelfAttention.k"},
    {"encoder.blocks.{l}.attn.v", "encoder.block.{l}.layer.0.SelfAttention.v"},
    {"encoder.blocks.{l}.attn.out", "encoder.block.{l}.layer.0.SelfAttention.o"},
    {"encoder.blocks.{l}.norm2", "encoder.block.{l}.layer.1.layer_norm"},
    {"encoder.blocks.{l}.mlp.in", "encoder.block.{l}.layer.1.DenseReluDense.wi"},
    {"encoder.blocks.{l}.mlp.gate", "encoder.block.{l}.layer.1.DenseReluDense.wi_0"},
    {"encoder.blocks.{l}.mlp.up", "encoder.block.{l}.layer.1.DenseReluDense.wi_1"},
    {"encoder.blocks.{l}.mlp.out", "encoder.block.{l}.layer.1.DenseReluDense.wo"},
    {"encoder.final_norm", "encoder.final_layer_norm"},
    {"decoder.relative_bias", "decoder.block.0.layer.0.SelfAttention.relative_attention_bias"},
    {"decoder.blocks.{l}.norm1", "decoder.block.{l}.layer.0.layer_norm"},
    {"decoder.blocks.{l}.attn.q", "decoder.block.{l}.layer.0.SelfAttention.q"},
    {"decoder.blocks.{l}.attn.k", "decoder.block.{l}.layer.0.SelfAttention.k"},
    {"decoder.blocks.{l}.attn.v", "decoder.block.{l}.layer.0.SelfAttention.v"},
    {"decoder.blocks.{l}.attn.out", "decoder.block.{l}.layer.0.SelfAttention.o"},
    {"decoder.blocks.{l}.norm_cross", "decoder.block.{l}.layer.1.layer_norm"},
    {"decoder.blocks.{l}.cross_attn.q", "decoder.block.{l}.layer.1.EncDecAttention.q"},
    {"decoder.blocks.{l}.cross_attn.k", "decoder.block.{l}.layer.1.EncDecAttention.k"},
    {"decoder.blocks.{l}.cross_attn.v", "decoder.block.{l}.layer.1.EncDecAttention.v"},
    {"decoder.blocks.{l}.cross_attn.out", "decoder.block.{l}.layer.1.EncDecAttention.o"},
    {"decoder.blocks.{l}.norm2", "decoder.block.{l}.layer.2.layer_norm"},
    {"decoder.blocks.{l}.mlp.in", "decoder.block.{l}.layer.2.DenseReluDense.wi"},
    {"decoder.blocks.{l}.mlp.gate", "decoder.block.{l}.layer.2.DenseReluDense.wi_0"},
    {"decoder.blocks.{l}.mlp.up", "decoder.block.{l}.layer.2.DenseReluDense.wi_1"},
    {"decoder.blocks.{l}.mlp.out", "decoder.block.{l}.layer.2.DenseReluDense.wo"},
    {"decoder.final_norm", "decoder.final_layer_norm"},
};

std::span<const NameRule> head(Task) {
  static constexpr NameRule kRules[] = {{"head.logits", "lm_head"}};
  return kRules;
}

constexpr std::string_view kIgnored[] = {
    "lm_head.weight",
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",  // in early files; never used
};
constexpr Tie kTies[] = {
    // transformers 5 makes even an untied head the embedding's table, and leaves it out of the file.
    {"lm_head.weight", "shared.weight", true, true},
    {"encoder.embed_tokens.weight", "shared.weight", false},
    {"decoder.embed_tokens.weight", "shared.weight", false},
};

// As Mesh TensorFlow begins them: queries take over the scale of the scores, which nothing divides later.
float spread(const Config& c, std::string_view name) {
  const auto root = [](int64_t n) { return 1.f / std::sqrt(static_cast<float>(n)); };
  const StackShape& s = c.encoder;
  float one = root(c.hidden_size);
  if (name.ends_with("attn.q.weight")) one *= root(s.head_size);
  if (name.ends_with("attn.out.weight")) one = root(s.n_heads * s.head_size);
  if (name.ends_with("mlp.out.weight")) one = root(s.feed_forward_size);
  if (name == "embed.word.weight" || name == "head.logits.weight") one = 1.f;
  return one * c.initializer_range;
}

}  // namespace

const Family kT5{"t5", "", parse, kBody, head, kIgnored, kTies, false, spread};

}  // namespace glass
