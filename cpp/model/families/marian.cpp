// Marian, Junczys-Dowmunt et al. 2018: the encoder–decoder of Vaswani et al. 2017, with all sines before all cosines.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"MarianModel", Task::none}, {"MarianMTModel", Task::language_model}};

Config parse(const JsonObject& json) {
  refuse_true(json, {"normalize_embedding"});
  if (!json.boolean("static_position_embeddings", true)) refuse(json, "static_position_embeddings", "true");
  if (!json.boolean("share_encoder_decoder_embeddings", true)) refuse(json, "share_encoder_decoder_embeddings", "true");
  Config c = read_bart(json, "marian", {58101, 1024, 12, 16, 4096, 1024, 0}, kArchitectures);
  if (json.integer("decoder_vocab_size", {}, c.vocab_size) != c.vocab_size)
    refuse(json, "decoder_vocab_size", std::to_string(c.vocab_size) + ", as vocab_size");
  c.positions = Positions::sinusoidal_halves;
  c.embedding_norm = false;
  c.pad_id = read_pad_token(json, c.vocab_size, 58100);
  c.decoder_start_id = read_token(json, "decoder_start_token_id", c.vocab_size, 58100);
  return c;
}

constexpr std::string_view kIgnored[] = {"encoder.embed_positions.weight", "decoder.embed_positions.weight", "lm_head.weight",
                                         "final_logits_bias"};

}  // namespace

const Family kMarian{"marian", "model.", parse, kBartBody, bart_head, kIgnored, kBartTies};

}  // namespace glass
