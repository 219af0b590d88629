// GPT-NeoX, Black et al. 2022 (also Pythia): attention and feed-forward side by side, a part of each head turned.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"GPTNeoXModel", Task::none}, {"GPTNeoXForCausalLM", Task::language_model}};

Config parse(const JsonObject& json) {
  refuse_true(json, {"is_encoder_decoder"});
  refuse_changed_weights(json);
  Config c;
  c.family = "gpt_neox";
  c.kind = Kind::decoder;
  c.task = read_task(json, kArchitectures);
  c.vocab_size = read_entries(json, "vocab_size", 50432);
  c.hidden_size = c.embedding_size = read_width(json, "hidden_size", 6144);
  c.decoder.n_layers = read_layers(json, "num_hidden_layers", 44);
  c.decoder.n_heads = c.decoder.n_key_heads = read_width(json, "num_attention_heads", 64);
  c.decoder.head_size = divided(json, "hidden_size", c.hidden_size, "num_attention_heads", c.decoder.n_heads);
  c.decoder.feed_forward_size = read_width(json, "intermediate_size", 24576);
  c.max_positions = read_entries(json, "max_position_embeddings", 2048);
  c.positions = Positions::rotary;
  c.rotary_frequencies = read_rotary(json, c.decoder.head_size, 0.25);
  c.activation = read_activation(json, "hidden_act", "gelu");
  c.norm_eps = read_eps(json, "layer_norm_eps", 1e-5);
  c.norm_first = c.final_norm = true;
  c.embedding_norm = false;
  c.parallel_residual = json.boolean("use_parallel_residual", true);
  c.projections = Config::Projections::interleaved;
  c.attention_bias = c.attention_out_bias = json.boolean("attention_bias", true);
  c.tied = json.boolean("tie_word_embeddings", false);
  c.hidden_dropout = read_rate(json, "hidden_dropout", 0);
  c.attention_dropout = read_rate(json, "attention_dropout", 0);
  c.initializer_range = read_spread(json, "initializer_range", 0.02);
  c.pad_id = read_pad_token(json, c.vocab_size, -1);
  return c;
}

constexpr NameRule kBody[] = {
    {"embed.word", "embed_in"},
    {"blocks.{l}.norm1", "layers.{l}.input_layernorm"},
    {"blocks.{l}.attn.qkv", "layers.{l}.attention.query_key_value"},
    {"blocks.{l}.attn.out", "layers.{l}.attention.dense"},
    {"blocks.{l}.norm2", "layers.{l}.post_attention_layernorm"},
    {"blocks.{l}.mlp.in", "layers.{l}.mlp.dense_h_to_4h"},
    {"blocks.{l}.mlp.out", "layers.{l}.mlp.dense_4h_to_h"},
    {"final_norm", "final_layer_norm"},
};

std::span<const NameRule> head(Task) {
  static constexpr NameRule kRules[] = {{"head.logits", "embed_out"}};
  return kRules;
}

constexpr std::string_view kIgnored[] = {"layers.*.attention.bias", "layers.*.attention.masked_bias",
                                         "layers.*.attention.rotary_emb.inv_freq", "rotary_emb.inv_freq", "embed_out.weight"};
constexpr Tie kTies[] = {{"embed_out.weight", "embed_in.weight"}};

}  // namespace

const Family kGptNeoX{"gpt_neox", "gpt_neox.", parse, kBody, head, kIgnored, kTies};

}  // namespace glass
