// OPT, Zhang et al. 2022: a decoder whose positions count real tokens and whose embeddings may be narrower than its layers.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"OPTModel", Task::none}, {"OPTForCausalLM", Task::language_model}};

Config parse(const JsonObject& json) {
  refuse_true(json, {"is_encoder_decoder"});
  refuse_changed_weights(json);
  Config c;
  c.family = "opt";
  c.kind = Kind::decoder;
  c.task = read_task(json, kArchitectures);
  c.vocab_size = read_entries(json, "vocab_size", 50272);
  c.hidden_size = read_width(json, "hidden_size", 768);
  c.embedding_size = read_width(json, "word_embed_proj_dim", c.hidden_size);
  c.decoder.n_layers = read_layers(json, "num_hidden_layers", 12);
  c.decoder.n_heads = c.decoder.n_key_heads = read_width(json, "num_attention_heads", 12);
  c.decoder.head_size = divided(json, "hidden_size", c.hidden_size, "num_attention_heads", c.decoder.n_heads);
  c.decoder.feed_forward_size = read_width(json, "ffn_dim", 3072);
  c.max_positions = read_entries(json, "max_position_embeddings", 2048);
  c.position_ids = PositionIds::mask;
  c.position_offset = 2;
  c.late_positions = true;
  c.activation = read_activation(json, "activation_function", "relu");
  c.norm_eps = 1e-5f;
  c.norm_first = json.boolean("do_layer_norm_before", true);
  c.final_norm = c.norm_first && !json.boolean("_remove_final_layer_norm", false);
  c.norm_affine = json.boolean("layer_norm_elementwise_affine", true);
  c.embedding_norm = c.projection_bias = false;
  c.project_out = true;
  c.attention_bias = c.attention_out_bias = c.feed_forward_bias = json.boolean("enable_bias", true);
  c.tied = json.boolean("tie_word_embeddings", true);
  c.hidden_dropout = read_rate(json, "dropout", 0.1);
  c.attention_dropout = read_rate(json, "attention_dropout", 0);
  c.initializer_range = read_spread(json, "init_std", 0.02);
  c.pad_id = read_pad_token(json, c.vocab_size, 1);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "decoder.embed_tokens"},
    {"embed.position", "decoder.embed_positions"},
    {"embed.project", "decoder.project_in"},
    {"project_out", "decoder.project_out"},
    {"blocks.{l}.attn.q", "decoder.layers.{l}.self_attn.q_proj"},
    {"blocks.{l}.attn.k", "decoder.layers.{l}.self_attn.k_proj"},
    {"blocks.{l}.attn.v", "decoder.layers.{l}.self_attn.v_proj"},
    {"blocks.{l}.attn.out", "decoder.layers.{l}.self_attn.out_proj"},
    {"blocks.{l}.norm1", "decoder.layers.{l}.self_attn_layer_norm"},
    {"blocks.{l}.mlp.in", "decoder.layers.{l}.fc1"},
    {"blocks.{l}.mlp.out", "decoder.layers.{l}.fc2"},
    {"blocks.{l}.norm2", "decoder.layers.{l}.final_layer_norm"},
    {"final_norm", "decoder.final_layer_norm"},
};

std::span<const NameRule> head(Task) {
  static constexpr NameRule kRules[] = {{"head.logits", "lm_head"}};
  return kRules;
}

constexpr std::string_view kIgnored[] = {"lm_head.weight"};
constexpr Tie kTies[] = {{"lm_head.weight", "decoder.embed_tokens.weight"}};

}  // namespace

const Family kOpt{"opt", "model.", parse, kBody, head, kIgnored, kTies};

}  // namespace glass
