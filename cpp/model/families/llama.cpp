// Llama, Touvron et al. 2023: pre-norm by root mean squares, rotary positions, gated feed-forward, shared key heads.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"LlamaModel", Task::none}, {"LlamaForCausalLM", Task::language_model}};

Config parse(const JsonObject& json) {
  Config c = read_llama(json, "llama", 0, kArchitectures);
  c.attention_bias = c.attention_out_bias = json.boolean("attention_bias", false);
  c.feed_forward_bias = json.boolean("mlp_bias", false);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "embed_tokens"},
    {"blocks.{l}.norm1", "layers.{l}.input_layernorm"},
    {"blocks.{l}.attn.q", "layers.{l}.self_attn.q_proj"},
    {"blocks.{l}.attn.k", "layers.{l}.self_attn.k_proj"},
    {"blocks.{l}.attn.v", "layers.{l}.self_attn.v_proj"},
    {"blocks.{l}.attn.out", "layers.{l}.self_attn.o_proj"},
    {"blocks.{l}.norm2", "layers.{l}.post_attention_layernorm"},
    {"blocks.{l}.mlp.gate", "layers.{l}.mlp.gate_proj"},
    {"blocks.{l}.mlp.up", "layers.{l}.mlp.up_proj"},
    {"blocks.{l}.mlp.out", "layers.{l}.mlp.down_proj"},
    {"final_norm", "norm"},
};
constexpr std::string_view kIgnored[] = {"layers.*.self_attn.rotary_emb.inv_freq", "rotary_emb.inv_freq", "lm_head.weight"};
constexpr Tie kTies[] = {{"lm_head.weight", "embed_tokens.weight"}};

}  // namespace

Config read_llama(const JsonObject& json, std::string_view family, int64_t key_heads, std::span<const Architecture> names) {
  refuse_true(json, {"is_encoder_decoder", "add_cross_attention"});
  refuse_changed_weights(json);
  Config c;
  c.family = family;
  c.kind = Kind::decoder;
  c.task = read_task(json, names);
  c.vocab_size = read_entries(json, "vocab_size", 32000);
  c.hidden_size = c.embedding_size = read_width(json, "hidden_size", 4096);
  c.decoder.n_layers = read_layers(json, "num_hidden_layers", 32);
  c.decoder.n_heads = read_width(json, "num_attention_heads", 32);
  c.decoder.n_key_heads = read_width(json, "num_key_value_heads", key_heads > 0 ? key_heads : c.decoder.n_heads);
  divided(json, "num_attention_heads", c.decoder.n_heads, "num_key_value_heads", c.decoder.n_key_heads);
  c.decoder.head_size = json.has("head_dim")
                            ? read_width(json, "head_dim", 0)
                            : divided(json, "hidden_size", c.hidden_size, "num_attention_heads", c.decoder.n_heads);
  c.decoder.feed_forward_size = read_width(json, "intermediate_size", 11008);
  c.max_positions = read_entries(json, "max_position_embeddings", 2048);
  c.positions = Positions::rotary;
  c.rotary_frequencies = read_rotary(json, c.decoder.head_size);
  c.activation = read_activation(json, "hidden_act", "silu");
  c.gated = true;
  c.norm = NormKind::rms;
  c.norm_eps = read_eps(json, "rms_norm_eps", 1e-6);
  c.norm_first = c.final_norm = true;
  c.embedding_norm = c.attention_bias = c.attention_out_bias = c.feed_forward_bias = false;
  c.tied = json.boolean("tie_word_embeddings", false);
  c.hidden_dropout = 0.f;
  c.attention_dropout = read_rate(json, "attention_dropout", 0);
  c.initializer_range = read_spread(json, "initializer_range", 0.02);
  c.pad_id = read_pad_token(json, c.vocab_size, -1);
  return c;
}

const std::span<const NameRule> kLlamaBody = kBody;
std::span<const NameRule> llama_head(Task) {
  static constexpr NameRule kRules[] = {{"head.logits", "lm_head"}};
  return kRules;
}
const std::span<const std::string_view> kLlamaIgnored = kIgnored;
const std::span<const Tie> kLlamaTies = kTies;

const Family kLlama{"llama", "model.", parse, kBody, llama_head, kIgnored, kTies};

}  // namespace glass
