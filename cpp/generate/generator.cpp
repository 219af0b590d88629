#include "generate/generator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "tensor/error.h"

namespace glass {
namespace {

constexpr int64_t kDefaultNewTokens = 20;  // transformers'
// wasm32 addresses 4 GB in all; natively, more than any generation with these families needs.
constexpr uint64_t kMostBytes = sizeof(size_t) == 4 ? uint64_t{3584} << 20 : uint64_t{64} << 30;

const Config& checked(const Config& config) {
  if (config.kind == Kind::encoder)
    throw_error(ErrorCode::bad_input, {"generate: expected a decoder or an encoder–decoder, this model is an encoder"});
  if (config.task != Task::language_model)
    throw_error(ErrorCode::unsupported, {"generate: expected a model with a language model's head, this one has none"});
  return config;
}

// Tokens that the decoder can read; 0: any number.
int64_t readable(const Config& config) {
  const int64_t positions = positions_end(config) ? config.max_positions : 0;
  if (positions == 0 || config.sliding_window == 0) return std::max(positions, config.sliding_window);
  return std::min(positions, config.sliding_window);
}

Prompt completed(Prompt prompt, const Config& config, const GenerationOptions& o) {
  if (config.kind == Kind::decoder) {
    if (!prompt.decoder_ids.empty())
      throw_error(ErrorCode::bad_input, {"decoderIds: expected none, as this model is a decoder; its prompt is ids"});
    if (std::find(prompt.mask.begin(), prompt.mask.end(), 0) != prompt.mask.end())
      throw_error(ErrorCode::bad_input, {"mask: expected no padding in a prompt, which is one text"});
    prompt.decoder_ids = std::move(prompt.ids);
    if (prompt.decoder_ids.empty() && o.bos_token_id >= 0) prompt.decoder_ids = {o.bos_token_id};
    if (prompt.decoder_ids.empty())
      throw_error(ErrorCode::bad_input, {"ids: expected at least one token to go on from, got none"});
    return prompt;
  }
  std::vector<int32_t>& ids = prompt.decoder_ids;
  if (ids.empty() || ids.front() != o.decoder_start_token_id) ids.insert(ids.begin(), o.decoder_start_token_id);
  return prompt;
}

Extent extent_of(const Prompt& prompt, const Config& config, const GenerationOptions& o, bool& by_positions) {
  const int64_t length = static_cast<int64_t>(prompt.decoder_ids.size()), room = readable(config);
  if (room > 0 && length > room)
    throw_error(ErrorCode::bad_input, {config.kind == Kind::decoder ? "ids" : "decoderIds", ": expected at most ", room,
                                       " tokens, what this model can see, got ", length});
  int64_t most = length + kDefaultNewTokens;
  if (o.max_new_tokens > 0) {
    most = length + o.max_new_tokens;
  } else if (o.max_length > 0) {
    most = o.max_length;
    if (most <= length)
      throw_error(ErrorCode::bad_input, {"maxLength: expected more than the ", length, " tokens of the prompt, got ", most,
                                         "; maxNewTokens counts new ones"});
  } else if (config.max_positions > length && most > config.max_positions) {
    most = config.max_positions;  // as transformers does by default
    by_positions = true;
  }
  if (room > 0 && most > room + 1) {  // the last token need not be read
    most = room + 1;
    by_positions = true;
  }
  return {length, most};
}

// Room for all tokens but the last, after a check that it can be had.
DecoderState make_state(const Model& model, Arena& arena, Extent extent, const GenerationOptions& o) {
  if (!o.cache) return model.make_state(arena, 0);
  const StackShape& s = model.config().decoder;
  const double layer =
      2.0 * static_cast<double>(s.n_key_heads * s.head_size) * static_cast<double>(extent.most - 1) * sizeof(float);
  const double layers = static_cast<double>(s.n_layers) + (o.beams > 1 ? 1 : 0);  // one more while beams change places
  const double scores = 3.0 * static_cast<double>(model.config().vocab_size) * sizeof(float);
  const double bytes = (layer * layers + scores) * static_cast<double>(o.beams);
  const double weights = static_cast<double>(model.weights().size()) * sizeof(float);
  if (bytes + weights > static_cast<double>(kMostBytes))
    throw_error(
        ErrorCode::out_of_memory,
        {"generate: ", o.beams, " × ", extent.most, " tokens need ", std::ceil(bytes / (1 << 20)), " MB beside the weights' ",
         std::ceil(weights / (1 << 20)), " MB, more than there is (at most ", kMostBytes >> 20, " MB)"});
  return model.make_state(arena, extent.most - 1);
}

}  // namespace

Generator::Generator(const Model& model, Arena& arena, GenerationOptions options, Prompt prompt, TokenTexts texts)
    : model_(model),
      options_(std::move(options)),
      prompt_(completed(std::move(prompt), checked(model.config()), options_)),
      extent_(extent_of(prompt_, model.config(), options_, by_positions_)),
      endings_{options_.eos_token_id, StopStrings(options_.stop_strings, std::move(texts)), prompt_.decoder_ids},
      state_(make_state(model, arena, extent_, options_)),
      random_(options_.seed),
      search_(options_, endings_, extent_.most - extent_.prompt),
      tokens_(prompt_.decoder_ids) {}

Batch Generator::next_batch() const {
  Tokens tokens;
  if (state_.length() == 0) {
    tokens.size = 1;
    tokens.ids = tokens_;
  } else if (searches()) {
    tokens.size = options_.beams;
    for (const Beam& beam : search_.running()) tokens.ids.push_back(beam.ids.back());
  } else {
    tokens.size = 1;
    tokens.ids = {tokens_.back()};
  }
  tokens.length = static_cast<int64_t>(tokens.ids.size()) / tokens.size;
  Batch batch;
  for (int64_t b = 0; b < tokens.size; ++b) batch.rows.push_back(static_cast<int32_t>((b + 1) * tokens.length - 1));
  if (model_.config().kind == Kind::encoder_decoder) {
    batch.size = 1;
    batch.length = static_cast<int64_t>(prompt_.ids.size());
    batch.ids = prompt_.ids;
    batch.mask = prompt_.mask;
    batch.target = std::move(tokens);
  } else {
    static_cast<Tokens&>(batch) = std::move(tokens);
  }
  return batch;
}

Step Generator::step(const Context& cx) {
  if (done()) throw_error(ErrorCode::bad_input, {"generate: this generation has ended"});
  Batch batch = next_batch();
  Step step;
  step.past = state_.length();
  step.output = model_.forward(cx, batch, 0, options_.cache ? &state_ : nullptr);
  const Tensor& logits = step.output.logits;  // [beams, V]
  if (searches()) {
    search(logits, step);
  } else {
    std::vector<float> scores(logits.data(), logits.data() + logits.width());
    choose(scores, step);
  }
  step.read = model_.config().kind == Kind::encoder_decoder ? std::move(batch.target) : std::move(static_cast<Tokens&>(batch));
  return step;
}

void Generator::choose(std::span<float> scores, Step& step) {
  process_logits(scores, tokens_, extent_, options_);
  if (options_.do_sample) process_for_sampling(scores, 1, options_);
  log_softmax(scores);
  for (const size_t id : highest(scores, static_cast<size_t>(std::max<int64_t>(options_.top, 1)))) {
    if (scores[id] == -std::numeric_limits<float>::infinity() && !step.top.empty()) break;
    step.top.push_back({static_cast<int32_t>(id), scores[id]});
  }
  step.chosen = step.top.front();
  if (options_.do_sample) {
    const double draw = static_cast<double>(random_.bits() >> 11) * 0x1p-53;
    double sum = 0;
    for (size_t id = 0; id < scores.size(); ++id) {
      const double p = std::exp(static_cast<double>(scores[id]));
      if (p == 0) continue;
      sum += p;
      step.chosen = {static_cast<int32_t>(id), scores[id]};
      if (sum > draw) break;
    }
  }
  if (options_.top == 0) step.top.clear();
  tokens_.push_back(step.chosen.id);
  sum_ += static_cast<double>(step.chosen.log_probability);
  ending_ = endings_.of(generated());
  if (ending_ == Ending::none && static_cast<int64_t>(tokens_.size()) >= extent_.most) ending_ = at_last();
}

void Generator::search(const Tensor& logits, Step& step) {
  const size_t width = logits.width();
  std::vector<std::vector<float>> rows;
  for (size_t b = 0; b < search_.running().size(); ++b) {
    // At the first step all beams have the one text's scores.
    const float* row = logits.data() + (logits.rows() == 1 ? 0 : b * width);
    std::vector<float>& scores = rows.emplace_back(row, row + width);
    std::vector<int32_t> tokens = prompt_.decoder_ids;
    const std::vector<int32_t>& text = search_.running()[b].ids;
    tokens.insert(tokens.end(), text.begin(), text.end());
    log_softmax(scores);
    process_logits(scores, tokens, extent_, options_);
    if (options_.do_sample) process_for_sampling(scores, 1 + static_cast<int64_t>(options_.eos_token_id.size()), options_);
    if (options_.renormalize_logits) log_softmax(scores);
  }
  search_.advance(rows, options_.do_sample ? &random_ : nullptr);
  step.beams = search_.running();
  if (search_.done()) {
    ending_ = endings_.of(result().ids);
    if (ending_ == Ending::none) ending_ = at_last();
    return;
  }
  std::vector<int32_t> parents, same(search_.running().size());
  std::iota(same.begin(), same.end(), 0);
  for (const Beam& beam : search_.running()) parents.push_back(state_.sequences() == 1 ? 0 : beam.parent);
  if (parents != same || state_.sequences() == 1) state_.select(parents);
}

std::span<const int32_t> Generator::generated() const {
  return std::span(tokens_).subspan(static_cast<size_t>(extent_.prompt));
}

Generated Generator::result() const {
  Generated result;
  const auto scored = [&](double sum) {  // over length^penalty
    return static_cast<float>(sum /
                              std::pow(static_cast<double>(result.ids.size()), static_cast<double>(options_.length_penalty)));
  };
  if (!searches()) {
    result.ids.assign(generated().begin(), generated().end());
    if (!result.ids.empty()) result.score = scored(sum_);
  } else if (const std::vector<Beam> finished = search_.finished(); !finished.empty()) {
    result.ids = finished.front().ids;
    result.score = finished.front().score;
  } else {
    const Beam& best = search_.running().front();
    result.ids = best.ids;
    result.score = best.ids.empty() ? best.score : scored(static_cast<double>(best.score));
  }
  if (ending_ == Ending::stop_string) result.behind = endings_.stops.behind(endings_.prompt, result.ids).value_or("");
  return result;
}

}  // namespace glass
