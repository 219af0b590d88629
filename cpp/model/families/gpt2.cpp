// GPT-2, Radford et al. 2019: pre-norm decoder with learned positions and one joined projection, stored [in, out].
#include <cmath>

#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"GPT2Model", Task::none}, {"GPT2LMHeadModel", Task::language_model}};

Config parse(const JsonObject& json) {
  refuse_true(json, {"add_cross_attention", "is_encoder_decoder"});
  refuse_changed_weights(json);
  Config c;
  c.family = "gpt2";
  c.kind = Kind::decoder;
  c.task = read_task(json, kArchitectures);
  c.vocab_size = read_entries(json, "vocab_size", 50257);
  c.hidden_size = c.embedding_size = read_width(json, "n_embd", 768);
  c.decoder.n_layers = read_layers(json, "n_layer", 12);
  c.decoder.n_heads = c.decoder.n_key_heads = read_width(json, "n_head", 12);
  c.decoder.head_size = divided(json, "n_embd", c.hidden_size, "n_head", c.decoder.n_heads);
  c.decoder.feed_forward_size = read_width(json, "n_inner", 4 * c.hidden_size);
  c.max_positions = read_entries(json, "n_positions", 1024);
  c.activation = read_activation(json, "activation_function", "gelu_new");
  c.norm_eps = read_eps(json, "layer_norm_epsilon", 1e-5);
  c.norm_first = c.final_norm = true;
  c.embedding_norm = false;
  c.projections = Config::Projections::joined;
  c.scale_attention = json.boolean("scale_attn_weights", true);
  c.scale_by_layer = json.boolean("scale_attn_by_inverse_layer_idx", false);
  c.tied = json.boolean("tie_word_embeddings", true);
  c.hidden_dropout = read_rate(json, "resid_pdrop", 0.1);
  c.attention_dropout = read_rate(json, "attn_pdrop", 0.1);
  c.initializer_range = read_spread(json, "initializer_range", 0.02);
  c.pad_id = read_pad_token(json, c.vocab_size, -1);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "wte"},
    {"embed.position", "wpe"},
    {"blocks.{l}.norm1", "h.{l}.ln_1"},
    {"blocks.{l}.attn.qkv", "h.{l}.attn.c_attn"},
    {"blocks.{l}.attn.out", "h.{l}.attn.c_proj"},
    {"blocks.{l}.norm2", "h.{l}.ln_2"},
    {"blocks.{l}.mlp.in", "h.{l}.mlp.c_fc"},
    {"blocks.{l}.mlp.out", "h.{l}.mlp.c_proj"},
    {"final_norm", "ln_f"},
};

std::span<const NameRule> head(Task) {
  static constexpr NameRule kRules[] = {{"head.logits", "lm_head"}};
  return kRules;
}

constexpr std::string_view kIgnored[] = {"h.*.attn.bias", "h.*.attn.masked_bias", "lm_head.weight"};  // the first two are masks
constexpr Tie kTies[] = {{"lm_head.weight", "wte.weight"}};

// What adds to the residual stream begins smaller, by the number of additions (section 2.3 of the paper).
float spread(const Config& c, std::string_view name) {
  const bool adds = name.ends_with("attn.out.weight") || name.ends_with("mlp.out.weight");
  return adds ? c.initializer_range / std::sqrt(2.f * static_cast<float>(c.decoder.n_layers)) : c.initializer_range;
}

}  // namespace

const Family kGpt2{"gpt2", "transformer.", parse, kBody, head, kIgnored, kTies, true, spread};

}  // namespace glass
