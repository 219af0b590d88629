// BART, Lewis et al. 2020: a post-norm encoder–decoder with learned positions and a norm on its embeddings.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"BartModel", Task::none}, {"BartForConditionalGeneration", Task::language_model}};

Config parse(const JsonObject& json) {
  if (!json.boolean("normalize_embedding", true)) refuse(json, "normalize_embedding", "true");
  refuse_true(json, {"static_position_embeddings"});
  Config c = read_bart(json, "bart", {50265, 1024, 12, 16, 4096, 1024, 0}, kArchitectures);
  c.positions = Positions::learned;
  c.position_offset = 2;
  c.embedding_norm = true;
  c.pad_id = read_pad_token(json, c.vocab_size, 1);
  c.decoder_start_id = read_token(json, "decoder_start_token_id", c.vocab_size, 2);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "shared"},
    {"encoder.embed.position", "encoder.embed_positions"},
    {"encoder.embed.norm", "encoder.layernorm_embedding"},
    {"encoder.blocks.{l}.attn.q", "encoder.layers.{l}.self_attn.q_proj"},
    {"encoder.blocks.{l}.attn.k", "encoder.layers.{l}.self_attn.k_proj"},
    {"encoder.blocks.{l}.attn.v", "encoder.layers.{l}.self_attn.v_proj"},
    {"encoder.blocks.{l}.attn.out", "encoder.layers.{l}.self_attn.out_proj"},
    {"encoder.blocks.{l}.norm1", "encoder.layers.{l}.self_attn_layer_norm"},
    {"encoder.blocks.{l}.mlp.in", "encoder.layers.{l}.fc1"},
    {"encoder.blocks.{l}.mlp.out", "encoder.layers.{l}.fc2"},
    {"encoder.blocks.{l}.norm2", "encoder.layers.{l}.final_layer_norm"},
    {"decoder.embed.position", "decoder.embed_positions"},
    {"decoder.embed.norm", "decoder.layernorm_embedding"},
    {"decoder.blocks.{l}.attn.q", "decoder.layers.{l}.self_attn.q_proj"},
    {"decoder.blocks.{l}.attn.k", "decoder.layers.{l}.self_attn.k_proj"},
    {"decoder.blocks.{l}.attn.v", "decoder.layers.{l}.self_attn.v_proj"},
    {"decoder.blocks.{l}.attn.out", "decoder.layers.{l}.self_attn.out_proj"},
    {"decoder.blocks.{l}.norm1", "decoder.layers.{l}.self_attn_layer_norm"},
    {"decoder.blocks.{l}.cross_attn.q", "decoder.layers.{l}.encoder_attn.q_proj"},
    {"decoder.blocks.{l}.cross_attn.k", "decoder.layers.{l}.encoder_attn.k_proj"},
    {"decoder.blocks.{l}.cross_attn.v", "decoder.layers.{l}.encoder_attn.v_proj"},
    {"decoder.blocks.{l}.cross_attn.out", "decoder.layers.{l}.encoder_attn.out_proj"},
    {"decoder.blocks.{l}.norm_cross", "decoder.layers.{l}.encoder_attn_layer_norm"},
    {"decoder.blocks.{l}.mlp.in", "decoder.layers.{l}.fc1"},
    {"decoder.blocks.{l}.mlp.out", "decoder.layers.{l}.fc2"},
    {"decoder.blocks.{l}.norm2", "decoder.layers.{l}.final_layer_norm"},
};

constexpr std::string_view kIgnored[] = {"lm_head.weight", "final_logits_bias"};
constexpr Tie kTies[] = {
    {"lm_head.weight", "shared.weight"},
    {"encoder.embed_tokens.weight", "shared.weight", false},
    {"decoder.embed_tokens.weight", "shared.weight", false},
};

}  // namespace

Config read_bart(const JsonObject& json, std::string_view family, const Defaults& d, std::span<const Architecture> names) {
  refuse_true(json, {"is_decoder", "normalize_before", "add_final_layer_norm"});
  if (!json.boolean("is_encoder_decoder", true)) refuse(json, "is_encoder_decoder", "true");
  if (!json.boolean("tie_word_embeddings", true)) refuse(json, "tie_word_embeddings", "true");
  refuse_changed_weights(json);
  Config c;
  c.family = family;
  c.kind = Kind::encoder_decoder;
  c.task = read_task(json, names);
  c.vocab_size = read_entries(json, "vocab_size", d.vocab_size);
  c.hidden_size = c.embedding_size = read_width(json, "d_model", d.hidden_size);
  const auto stack = [&](const std::string& side) {
    StackShape s;
    s.n_layers = read_layers(json, side + "_layers", d.n_layers);
    s.n_heads = s.n_key_heads = read_width(json, side + "_attention_heads", d.n_heads);
    s.head_size = divided(json, "d_model", c.hidden_size, side + "_attention_heads", s.n_heads);
    s.feed_forward_size = read_width(json, side + "_ffn_dim", d.feed_forward_size);
    return s;
  };
  c.encoder = stack("encoder");
  c.decoder = stack("decoder");
  c.max_positions = read_entries(json, "max_position_embeddings", d.max_positions);
  c.activation = read_activation(json, "activation_function", "gelu");
  c.norm_eps = 1e-5f;
  c.embedding_scale = json.boolean("scale_embedding", false);
  c.logits_bias = true;
  c.hidden_dropout = read_rate(json, "dropout", 0.1);
  c.attention_dropout = read_rate(json, "attention_dropout", 0);
  c.activation_dropout = read_rate(json, "activation_dropout", 0);
  c.initializer_range = read_spread(json, "init_std", 0.02);
  return c;
}

const std::span<const NameRule> kBartBody = kBody;
std::span<const NameRule> bart_head(Task) {
  static constexpr NameRule kRules[] = {{"head.bias", "final_logits_bias"}};
  return kRules;
}
const std::span<const Tie> kBartTies = kTies;

const Family kBart{"bart", "model.", parse, kBody, bart_head, kIgnored, kTies};

}  // namespace glass
