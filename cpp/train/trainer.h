// The trainer: one step at a time, so that whoever drives it (the native program, a worker in a page) can look at the model
// between steps, stop, save and go on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/model.h"
#include "train/examples.h"
#include "train/optimizer.h"
#include "train/options.h"

namespace glass {

struct StepResult {
  int64_t step = 0;  // from 1
  float loss = 0.f;  // mean over counted labels
  float lr = 0.f;
  float gradient_norm = 0.f;  // before clipping
  int64_t tokens = 0;         // real tokens read
  size_t peak_bytes = 0;      // of activations and their gradients, in the thread that used most
  uint64_t macs = 0;          // multiply-adds, see Context::count: forward, what is computed again, backward
};

class Trainer {
 public:
  // Puts the model's matrices in rows; the model must outlive the trainer. Throws Error(bad_input) for options that make no
  // sense and for `trainable` patterns that fit no parameter.
  Trainer(Model& model, TrainOptions options);
  ~Trainer();  // puts the matrices back into panels

  // One update from up to batch_size · accumulate examples. Throws Error(bad_input), before anything changes, where an
  // example does not fit; and where no label counts.
  StepResult step(std::span<const Example> examples);
  bool done() const { return step_ >= options_.steps; }
  int64_t steps_done() const { return step_; }

  // Ends training: where an average of the weights is kept, the model gets it.
  void finish();
  // The averaged weights (rows, at the parameters' offsets), or null where none are kept yet.
  const float* averaged() const;

  // Everything that a later trainer needs to go on as if it had not stopped: weights, moments, averages, step. Random numbers
  // are drawn anew from seed and step. A safetensors file.
  std::vector<uint8_t> state() const;
  // Throws Error(bad_weights) where it is not the state of such a model.
  void restore(std::span<const uint8_t> state);

 private:
  struct Share;  // what one thread works with
  void add_part(std::span<const Example> examples, int64_t part);
  void average_weights();

  Model& model_;
  TrainOptions options_;
  AdamW optimizer_;
  std::vector<std::unique_ptr<Share>> shares_;
  std::vector<float> average_;  // moving average, or the sum over the last steps
  int64_t averaged_steps_ = 0;
  int64_t step_ = 0;
};

// Sums over a batch without changing the model: for scores on held-out examples.
struct Evaluation {
  double loss = 0;         // Σ over counted labels
  int64_t count = 0;       // counted labels
  int64_t correct = 0;     // of them, those whose label has the largest logit
  int64_t correct5 = 0;    // … is among the five largest
  int32_t predicted = -1;  // classification: the class with the largest logit
};
std::vector<Evaluation> evaluate(const Model& model, Arena& arena, std::span<const Example> examples);

}  // namespace glass
