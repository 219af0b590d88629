#include "model/model.h"

#include <algorithm>

#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {

Model::Model(std::string config_json, Layout layout, Allocation allocation)
    : config_json_(std::move(config_json)),
      config_(parse_config(config_json_)),
      family_(family_of(config_.family)),
      transformer_(config_, [this](const std::string& name, Shape shape) -> const Parameter& { return ask(name, shape); }) {
  weights_.lay_out(layout);
  if (allocation == Allocation::now) weights_.allocate();
}

// Heads carry full names, the body's have the family's prefix in files of models with a head.
const Parameter& Model::ask(const std::string& name, Shape shape) {
  const bool in_head = name.starts_with("head.");
  const std::string theirs = in_head ? translate(family_.head(config_.task), name) : translate(family_.body, name);
  const bool prefixed = !in_head && config_.task != Task::none;
  Parameter& p = weights_.add((prefixed ? std::string(family_.prefix) : "") + theirs, shape, shape.rank() == 2);
  const bool in_layer = name.find("blocks.") != std::string::npos;
  if (family_.transposed && in_layer && shape.rank() == 2) p.form = FileForm::transposed;
  if (name == "head.bias" && config_.task == Task::language_model) {  // BART's and Marian's final_logits_bias
    p.form = FileForm::row;
    p.buffer = true;
  }
  p.exact = name.find("embed.position") != std::string::npos || name.find("embed.type") != std::string::npos ||
            name.find("relative_bias") != std::string::npos;
  own_names_.push_back(name);
  return p;
}

DecoderState Model::make_state(Arena& arena, int64_t capacity) const {
  if (config_.kind == Kind::encoder)
    throw_error(ErrorCode::bad_input, {"generate: expected a decoder or an encoder–decoder, this model is an encoder"});
  const StackShape& s = config_.decoder;
  return {arena, s.n_layers, s.n_key_heads, s.head_size, capacity};
}

void Model::initialize(uint64_t seed) {
  Random random(seed);
  std::vector<float> values;
  size_t i = 0;
  for (Parameter& p : weights_.parameters()) {
    const std::string& name = own_names_[i++];
    values.assign(p.size(), 0.f);
    if (p.shape.rank() == 2) {
      const float spread = family_.spread ? family_.spread(config_, name) : config_.initializer_range;
      std::generate(values.begin(), values.end(), [&] { return random.normal() * spread; });
      const size_t width = static_cast<size_t>(p.shape[1]);
      if (name == "embed.word.weight" && config_.pad_id >= 0)
        std::fill_n(values.begin() + static_cast<ptrdiff_t>(config_.pad_id * static_cast<int64_t>(width)), width, 0.f);
    } else if (p.name.ends_with(".weight")) {
      std::fill(values.begin(), values.end(), 1.f);  // only norms have a vector called weight
    }
    copy_in(p, values.data());
  }
}

}  // namespace glass
