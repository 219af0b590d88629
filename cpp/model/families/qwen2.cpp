// Qwen2, Yang et al. 2024: Llama with biases on queries, keys and values.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"Qwen2Model", Task::none}, {"Qwen2ForCausalLM", Task::language_model}};

Config parse(const JsonObject& json) {
  Config c = read_llama(json, "qwen2", 0, kArchitectures);
  c.attention_bias = true;
  if (json.boolean("use_sliding_window", false)) c.sliding_window = read_entries(json, "sliding_window", 4096);
  return c;
}

}  // namespace

const Family kQwen2{"qwen2", "model.", parse, kLlamaBody, llama_head, kLlamaIgnored, kLlamaTies};

}  // namespace glass
