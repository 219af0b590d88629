// Our own family: the transformer of Vaswani et al. 2017 as encoder, decoder or both, with its choices as config keys, and the
// variants of two later papers. BERT's keys and tensor names, and
//   norm_first, final_norm, embedding_norm, embedding_scale, attention_bias, pooling ("mean", "first"), embedding_size,
//   position_embedding_type ("sinusoidal", "learned");
//   is_decoder (true: GlassformerModel, GlassformerForCausalLM), is_encoder_decoder (true: GlassformerModel,
//   GlassformerForConditionalGeneration) with num_decoder_layers and decoder_start_token_id;
//   attention ("full", "lsh", "linformer"), lsh_num_hashes, lsh_num_buckets, lsh_chunk_length, attention_seed, linformer_k,
//   linformer_share ("headwise", "key-value", "layerwise"); reversible.
// The paper's own shape is norm_first, final_norm, embedding_norm and attention_bias false, hidden_act "relu".
#include <algorithm>
#include <cmath>

#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {
    {"GlassformerModel", Task::none},
    {"GlassformerForMaskedLM", Task::masked_lm},
    {"GlassformerForSequenceClassification", Task::sequence_classification},
    {"GlassformerForTokenClassification", Task::token_classification},
    {"GlassformerForCausalLM", Task::language_model},
    {"GlassformerForConditionalGeneration", Task::language_model},
};

// Beyond any use; drawing so many rotations takes a second.
constexpr int64_t kMostRotations = 1 << 24;

[[noreturn]] void fail(const JsonObject& json, std::initializer_list<Part> message) {
  throw_error(ErrorCode::bad_config, {json.where(), ": ", joined(message)});
}

// The place of the key's value among `names`, the first where it is absent; anything else is refused.
size_t choose(const JsonObject& json, std::string_view key, std::initializer_list<std::string_view> names) {
  const std::string value = json.string(key, *names.begin());
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) refuse(json, key, join_names({names.begin(), names.end()}));
  return static_cast<size_t>(found - names.begin());
}

void refuse_without(const JsonObject& json, std::initializer_list<std::string_view> keys, const char* needed) {
  for (const std::string_view key : keys)
    if (json.has(key)) fail(json, {key, " ", json.shown(key), " means nothing without ", needed});
}

Kind read_kind(const JsonObject& json) {
  const std::vector<std::string> names = json.strings("architectures");
  const std::string name = names.empty() ? "GlassformerModel" : names.front();
  const bool language = name == "GlassformerForCausalLM", both = name == "GlassformerForConditionalGeneration";
  const bool is_decoder = json.boolean("is_decoder", language), is_both = json.boolean("is_encoder_decoder", both);
  const bool plain = name == "GlassformerModel";
  if ((is_decoder != language && !plain) || (is_decoder && is_both))
    fail(json, {"is_decoder ", json.shown("is_decoder"), " does not fit architecture ", name,
                (is_both ? " with is_encoder_decoder true" : "")});
  if (is_both != both && !plain)
    fail(json, {"is_encoder_decoder ", json.shown("is_encoder_decoder"), " does not fit architecture ", name});
  return is_both ? Kind::encoder_decoder : is_decoder ? Kind::decoder : Kind::encoder;
}

void read_stacks(const JsonObject& json, Config& c) {
  c.kind = read_kind(json);
  if (c.kind != Kind::encoder_decoder)
    refuse_without(json, {"num_decoder_layers", "decoder_start_token_id"}, "is_encoder_decoder true");
  if (c.kind == Kind::encoder) return;
  c.decoder = c.encoder;
  if (c.kind == Kind::decoder) {
    c.encoder = {};
  } else {
    c.decoder.n_layers = read_layers(json, "num_decoder_layers", c.encoder.n_layers);
    c.decoder_start_id = read_token(json, "decoder_start_token_id", c.vocab_size, c.pad_id);
  }
  if (c.embedding_size != c.hidden_size)
    fail(json, {"embedding_size ", c.embedding_size,
                " does not fit a decoder, whose logits come from its table: expected hidden_size ", c.hidden_size});
}

void read_lsh(const JsonObject& json, Config& c) {
  c.lsh_rounds = json.integer("lsh_num_hashes", {1, 64}, 4);
  c.lsh_buckets = json.integer("lsh_num_buckets", {1, 4096}, 16);
  c.lsh_chunk_length = json.has("lsh_chunk_length") ? json.integer("lsh_chunk_length", {1, 1 << 24}) : 0;
  c.attention_seed = static_cast<uint64_t>(json.integer("attention_seed", {0, int64_t{1} << 53}, 0));
  if (c.lsh_buckets != 1 && c.lsh_buckets % 2 != 0)
    fail(json, {"lsh_num_buckets ", c.lsh_buckets,
                ": expected 1 or an even number, as rotated vectors and their negatives are what is compared"});
  const int64_t layers = c.encoder.n_layers + c.decoder.n_layers, most = kMostRotations / layers;
  if (c.lsh_rounds * (c.lsh_buckets / 2) > most / c.hidden_size)
    fail(json, {"lsh_num_hashes ", c.lsh_rounds, " and lsh_num_buckets ", c.lsh_buckets, " need more than ", kMostRotations,
                " random numbers for hidden_size ", c.hidden_size, " and ", layers, " layers"});
}

void read_linformer(const JsonObject& json, Config& c) {
  if (c.kind != Kind::encoder)
    refuse(json, "attention", "\"full\" or \"lsh\" with a decoder: mixed positions would show what comes later");
  c.linformer_k = json.integer("linformer_k", {1, 1 << 20}, std::min<int64_t>(64, c.max_positions));
  if (c.linformer_k > c.max_positions)
    fail(json, {"linformer_k ", c.linformer_k, " is more than max_position_embeddings ", c.max_positions});
  constexpr LinformerShare kShares[] = {LinformerShare::headwise, LinformerShare::key_value, LinformerShare::layerwise};
  c.linformer_share = kShares[choose(json, "linformer_share", {"headwise", "key-value", "layerwise"})];
}

void read_variants(const JsonObject& json, Config& c) {
  constexpr AttentionKind kKinds[] = {AttentionKind::full, AttentionKind::lsh, AttentionKind::linformer};
  c.attention = kKinds[choose(json, "attention", {"full", "lsh", "linformer"})];
  if (c.attention == AttentionKind::lsh)
    read_lsh(json, c);
  else
    refuse_without(json, {"lsh_num_hashes", "lsh_num_buckets", "lsh_chunk_length", "attention_seed"}, "attention \"lsh\"");
  if (c.attention == AttentionKind::linformer)
    read_linformer(json, c);
  else
    refuse_without(json, {"linformer_k", "linformer_share"}, "attention \"linformer\"");
  if (c.reversible && !c.norm_first)
    fail(json, {"reversible true does not fit norm_first false: a norm after the sum cannot be undone"});
}

Config parse(const JsonObject& json) {
  Config c = read_encoder(json, "glassformer", {8000, 128, 2, 4, 512, 512, 0, true});
  c.embedding_size = json.integer("embedding_size", {1, 1 << 20}, c.hidden_size);
  c.task = read_task(json, kArchitectures);
  c.reversible = json.boolean("reversible", false);
  c.norm_first = json.boolean("norm_first", c.reversible);
  c.final_norm = json.boolean("final_norm", c.norm_first);
  c.embedding_norm = json.boolean("embedding_norm", false);
  c.embedding_scale = json.boolean("embedding_scale", true);
  c.attention_bias = c.attention_out_bias = json.boolean("attention_bias", true);
  c.positions =
      choose(json, "position_embedding_type", {"sinusoidal", "learned"}) == 0 ? Positions::sinusoidal : Positions::learned;
  c.pooling = choose(json, "pooling", {"mean", "first"}) == 0 ? Pooling::mean : Pooling::first;
  c.head_activation = c.activation;
  read_stacks(json, c);
  read_variants(json, c);
  return c;
}

constexpr NameRule kRules[] = {
    {"embed.word", "embeddings.word_embeddings"},
    {"embed.position", "embeddings.position_embeddings"},
    {"embed.type", "embeddings.token_type_embeddings"},
    {"embed.norm", "embeddings.LayerNorm"},
    {"embed.project", "embeddings_project"},
    {"mix", "encoder.linformer"},
    {"blocks.{l}.attn.q", "encoder.layer.{l}.attention.self.query"},
    {"blocks.{l}.attn.qk", "encoder.layer.{l}.attention.self.query_key"},
    {"blocks.{l}.attn.k", "encoder.layer.{l}.attention.self.key"},
    {"blocks.{l}.attn.v", "encoder.layer.{l}.attention.self.value"},
    {"blocks.{l}.attn.mix", "encoder.layer.{l}.attention.self.linformer"},
    {"blocks.{l}.attn.mix_k", "encoder.layer.{l}.attention.self.linformer_key"},
    {"blocks.{l}.attn.mix_v", "encoder.layer.{l}.attention.self.linformer_value"},
    {"blocks.{l}.attn.out", "encoder.layer.{l}.attention.output.dense"},
    {"blocks.{l}.norm1", "encoder.layer.{l}.attention.output.LayerNorm"},
    {"blocks.{l}.mlp.in", "encoder.layer.{l}.intermediate.dense"},
    {"blocks.{l}.mlp.out", "encoder.layer.{l}.output.dense"},
    {"blocks.{l}.norm2", "encoder.layer.{l}.output.LayerNorm"},
    {"final_norm", "encoder.norm"},
    // encoder–decoders
    {"encoder.embed.position", "encoder.embeddings.position_embeddings"},
    {"encoder.embed.type", "encoder.embeddings.token_type_embeddings"},
    {"encoder.embed.norm", "encoder.embeddings.LayerNorm"},
    {"encoder.blocks.{l}.attn.q", "encoder.layer.{l}.attention.self.query"},
    {"encoder.blocks.{l}.attn.qk", "encoder.layer.{l}.attention.self.query_key"},
    {"encoder.blocks.{l}.attn.k", "encoder.layer.{l}.attention.self.key"},
    {"encoder.blocks.{l}.attn.v", "encoder.layer.{l}.attention.self.value"},
    {"encoder.blocks.{l}.attn.out", "encoder.layer.{l}.attention.output.dense"},
    {"encoder.blocks.{l}.norm1", "encoder.layer.{l}.attention.output.LayerNorm"},
    {"encoder.blocks.{l}.mlp.in", "encoder.layer.{l}.intermediate.dense"},
    {"encoder.blocks.{l}.mlp.out", "encoder.layer.{l}.output.dense"},
    {"encoder.blocks.{l}.norm2", "encoder.layer.{l}.output.LayerNorm"},
    {"encoder.final_norm", "encoder.norm"},
    {"decoder.embed.position", "decoder.embeddings.position_embeddings"},
    {"decoder.embed.type", "decoder.embeddings.token_type_embeddings"},
    {"decoder.embed.norm", "decoder.embeddings.LayerNorm"},
    {"decoder.blocks.{l}.attn.q", "decoder.layer.{l}.attention.self.query"},
    {"decoder.blocks.{l}.attn.qk", "decoder.layer.{l}.attention.self.query_key"},
    {"decoder.blocks.{l}.attn.k", "decoder.layer.{l}.attention.self.key"},
    {"decoder.blocks.{l}.attn.v", "decoder.layer.{l}.attention.self.value"},
    {"decoder.blocks.{l}.attn.out", "decoder.layer.{l}.attention.output.dense"},
    {"decoder.blocks.{l}.norm1", "decoder.layer.{l}.attention.output.LayerNorm"},
    {"decoder.blocks.{l}.cross_attn.q", "decoder.layer.{l}.crossattention.self.query"},
    {"decoder.blocks.{l}.cross_attn.k", "decoder.layer.{l}.crossattention.self.key"},
    {"decoder.blocks.{l}.cross_attn.v", "decoder.layer.{l}.crossattention.self.value"},
    {"decoder.blocks.{l}.cross_attn.out", "decoder.layer.{l}.crossattention.output.dense"},
    {"decoder.blocks.{l}.norm_cross", "decoder.layer.{l}.crossattention.output.LayerNorm"},
    {"decoder.blocks.{l}.mlp.in", "decoder.layer.{l}.intermediate.dense"},
    {"decoder.blocks.{l}.mlp.out", "decoder.layer.{l}.output.dense"},
    {"decoder.blocks.{l}.norm2", "decoder.layer.{l}.output.LayerNorm"},
    {"decoder.final_norm", "decoder.norm"},
};

// Linformer's projections start as its paper's proof draws them, N(0, 1/k): lengths are kept in the mean. Everything else as
// the config says.
float spread(const Config& c, std::string_view name) {
  const bool mixes = name.find("mix") != std::string_view::npos;
  return mixes ? 1.f / std::sqrt(static_cast<float>(c.linformer_k)) : c.initializer_range;
}

}  // namespace

const Family kGlassformer{"glassformer", "", parse, kRules, bert_head, {}, {}, false, spread};

}  // namespace glass
