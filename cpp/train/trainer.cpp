#include "train/trainer.h"

#include <algorithm>
#include <exception>
#include <thread>

#include "io/safetensors.h"
#include "model/names.h"
#include "ops/ops.h"
#include "tensor/error.h"
#include "train/schedule.h"

namespace glass {

struct Trainer::Share {
  explicit Share(size_t size) : gradients(size) {}
  Arena arena;
  Gradients gradients;
  double loss = 0;
  int64_t counted = 0;
  uint64_t macs = 0;
  std::exception_ptr failure;
};

namespace {

// The same numbers wherever training stops and goes on: one generator for each step, part and share.
uint64_t share_seed(uint64_t seed, int64_t step, int64_t part, size_t share) {
  Random mixed(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(step));
  return mixed.bits() ^ Random((static_cast<uint64_t>(part) << 8) + share).bits();
}

int64_t count_tokens(std::span<const Example> examples) {
  int64_t tokens = 0;
  for (const Example& e : examples) tokens += static_cast<int64_t>(e.ids.size() + e.decoder_ids.size());
  return tokens;
}

// Threads that are waited for, also when an error passes by.
struct Helpers {
  std::vector<std::thread> threads;
  ~Helpers() {
    for (std::thread& thread : threads) thread.join();
  }
};

// The i-th of n even parts.
std::span<const Example> part_of(std::span<const Example> all, size_t i, size_t n) {
  const size_t begin = all.size() * i / n, end = all.size() * (i + 1) / n;
  return all.subspan(begin, end - begin);
}

}  // namespace

Trainer::Trainer(Model& model, TrainOptions options)
    : model_(model), options_(std::move(options)), optimizer_(model.weights().size()) {
  check(options_);
  for (int i = 0; i < options_.threads; ++i) shares_.push_back(std::make_unique<Share>(model.weights().size()));
  std::vector<bool> met(options_.trainable.size());
  for (const Parameter& p : model.weights().parameters()) {
    bool wanted = options_.trainable.empty() && !p.buffer;
    for (size_t i = 0; i < met.size(); ++i)
      if (matches_pattern(options_.trainable[i], p.name)) wanted = met[i] = true;
    if (!wanted)
      for (const auto& share : shares_) share->gradients.freeze(p);
  }
  for (size_t i = 0; i < met.size(); ++i)
    if (!met[i]) throw_error(ErrorCode::bad_input, {"trainable: no parameter fits \"", options_.trainable[i], "\""});
  model_.weights().set_layout(Layout::rows);
}

Trainer::~Trainer() { model_.weights().set_layout(Layout::panels); }

StepResult Trainer::step(std::span<const Example> examples) {
  if (examples.empty()) throw_error(ErrorCode::bad_input, {"a training step needs at least one example"});
  for (const auto& share : shares_) {
    share->gradients.clear();
    share->arena.reset_peak();
    share->loss = 0;
    share->counted = 0;
    share->macs = 0;
    share->failure = nullptr;
  }
  const size_t batch = static_cast<size_t>(options_.batch_size);
  for (size_t at = 0; at < examples.size(); at += batch)
    add_part(examples.subspan(at, std::min(batch, examples.size() - at)), static_cast<int64_t>(at / batch));

  Share& total = *shares_.front();
  StepResult result;
  result.tokens = count_tokens(examples);
  for (const auto& share : shares_) {
    result.peak_bytes = std::max(result.peak_bytes, share->arena.peak_bytes());
    result.macs += share->macs;
  }
  for (size_t i = 1; i < shares_.size(); ++i) {
    total.loss += shares_[i]->loss;
    total.counted += shares_[i]->counted;
    simd.axpy(1.f, shares_[i]->gradients.values().data(), total.gradients.values().data(), total.gradients.values().size());
  }
  if (total.counted == 0) throw_error(ErrorCode::bad_input, {"no label counts in these examples: all are ", kIgnore});

  std::vector<float>& gradients = total.gradients.values();
  simd.scale(1.f / static_cast<float>(total.counted), gradients.data(), gradients.data(), gradients.size());
  result.step = ++step_;
  result.loss = static_cast<float>(total.loss / static_cast<double>(total.counted));
  result.lr = learning_rate(options_, step_, model_.config().hidden_size);
  result.gradient_norm = clip_gradient_norm(gradients.data(), gradients.size(), options_.clip);
  for (Parameter& p : model_.weights().parameters())
    if (const float* gradient = total.gradients.of(p)) optimizer_.update(p, gradient, options_, result.lr, step_);
  average_weights();
  return result;
}

// Forward and backward over one part, split among the threads; gradients of the summed loss pile up in the shares.
void Trainer::add_part(std::span<const Example> examples, int64_t part) {
  const auto work = [&](size_t i) {
    Share& share = *shares_[i];
    const LabelledBatch batch = collate(part_of(examples, i, shares_.size()), model_.config());
    if (batch.labels.empty()) return;
    Tape tape(&share.gradients);
    Random random(share_seed(options_.seed, step_, part, i));
    const bool guided = options_.guide.weight > 0.f && !batch.links.empty();
    HookKeeper keeper("decoder.blocks." + std::to_string(options_.guide.layer) + ".cross_attn.hook_pattern");
    Context cx{share.arena, &tape, guided ? &keeper : nullptr, &random, options_.dropout};
    cx.macs = &share.macs;
    const Output output = model_.forward(cx, batch.batch, options_.recompute_every);
    const Loss loss = cross_entropy(cx, output.logits, batch.labels, options_.label_smoothing, kIgnore);
    share.loss += static_cast<double>(loss.sum.data()[0]);
    share.counted += loss.counted;
    Tensor total = loss.sum;
    if (guided) {
      if (!keeper.value()) throw_error(ErrorCode::bad_input, {"guide: the model has no hook ", keeper.name()});
      const Tensor guidance = attention_guidance(cx, keeper.value(), options_.guide.head, batch.links);
      total = add(cx, std::move(total), scale(cx, options_.guide.weight, guidance));
    }
    tape.backward(total);
  };
  {
    Helpers helpers;
    for (size_t i = 1; i < shares_.size(); ++i)
      helpers.threads.emplace_back([&, i] {
        try {
          work(i);
        } catch (...) {
          shares_[i]->failure = std::current_exception();
        }
      });
    work(0);  // its errors pass as they are: in wasm, where it is alone, keeping one and throwing it again leaks
  }
  for (const auto& share : shares_)
    if (share->failure) std::rethrow_exception(share->failure);
}

void Trainer::average_weights() {
  const bool last = step_ > options_.steps - options_.average_last;
  if (options_.ema <= 0.f && !last) return;
  if (average_.empty()) average_.assign(model_.weights().size(), 0.f);
  ++averaged_steps_;
  // A moving average that starts as a plain mean, so that it does not remember the initial weights.
  const float plain = 1.f / static_cast<float>(averaged_steps_);
  const float share = options_.ema > 0.f ? std::max(1.f - options_.ema, plain) : plain;
  for (const Parameter& p : model_.weights().parameters()) {
    float* average = average_.data() + p.offset;
    if (shares_.front()->gradients.frozen(p)) {  // a mean of equal numbers need not be that number, to the last bit
      std::copy_n(p.data, p.size(), average);
      continue;
    }
    simd.scale(1.f - share, average, average, p.size());
    simd.axpy(share, p.data, average, p.size());
  }
}

const float* Trainer::averaged() const { return average_.empty() ? nullptr : average_.data(); }

void Trainer::finish() {
  if (average_.empty()) return;
  for (Parameter& p : model_.weights().parameters()) copy_in(p, average_.data() + p.offset);
}

}  // namespace glass
