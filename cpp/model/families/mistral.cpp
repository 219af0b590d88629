// Mistral, Jiang et al. 2023: Llama with shared key heads and a sliding window.
#include "model/families/family.h"

namespace glass {
namespace {

constexpr Architecture kArchitectures[] = {{"MistralModel", Task::none}, {"MistralForCausalLM", Task::language_model}};

Config parse(const JsonObject& json) {
  Config c = read_llama(json, "mistral", 8, kArchitectures);
  c.sliding_window = is_null(json, "sliding_window") ? 0 : read_entries(json, "sliding_window", 4096);
  return c;
}

}  // namespace

const Family kMistral{"mistral", "model.", parse, kLlamaBody, llama_head, kLlamaIgnored, kLlamaTies};

}  // namespace glass
