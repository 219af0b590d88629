#include "model/model.h"

#include <algorithm>

#include "model/families/family.h"

namespace glass {

Model::Model(std::string config_json, Layout layout)
    : config_json_(std::move(config_json)),
      config_(parse_config(config_json_)),
      family_(family_of(config_.family)),
      encoder_(config_, [this](const std::string& name, Shape shape) -> const Parameter& { return ask(name, shape); }) {
  weights_.allocate(layout);
}

// Heads carry full names, the body's have the family's prefix in files of models with a head.
const Parameter& Model::ask(const std::string& name, Shape shape) {
  const bool in_head = name.compare(0, 5, "head.") == 0;
  const std::string theirs = in_head ? translate(family_.head(config_.task), name) : translate(family_.body, name);
  const bool prefixed = !in_head && config_.task != Task::none;
  return weights_.add((prefixed ? std::string(family_.prefix) : "") + theirs, shape, shape.rank() == 2);
}

void Model::initialize(uint64_t seed) {
  Random random(seed);
  const std::string word_table = translate(family_.body, "embed.word.weight");
  std::vector<float> values;
  for (Parameter& p : weights_.parameters()) {
    values.assign(p.size(), 0.f);
    if (p.shape.rank() == 2) {
      std::generate(values.begin(), values.end(), [&] { return random.normal() * config_.initializer_range; });
      const bool is_word_table = p.name.ends_with(word_table);
      const size_t width = static_cast<size_t>(p.shape[1]);
      if (is_word_table)
        std::fill_n(values.begin() + static_cast<ptrdiff_t>(config_.pad_id * static_cast<int64_t>(width)), width, 0.f);
    } else if (p.name.ends_with(".weight")) {
      std::fill(values.begin(), values.end(), 1.f);  // only norms have a vector called weight
    }
    copy_in(p, values.data());
  }
}

}  // namespace glass
