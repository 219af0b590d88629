// The public ops one by one: functions from tensors to tensors under the names that they have in JavaScript, and their
// gradients. Each is a few lines around ops/ and model/layers.h, which models are made of too.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/argument.h"
#include "ops/ops.h"

namespace glass {

// A result with a name: "output", "weights", or of gradients "x", "layers.0.linear1.weight". A number has the shape [].
struct NamedTensor {
  std::string name;
  Shape shape;
  std::vector<float> values;
};

// One call while it runs: its arguments, and what gradients are asked of.
class Call {
 public:
  Call(Fields arguments, size_t most_parameters, bool differentiate);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Fields args;
  const Context cx;

  // A tensor of floats with at least one axis, whose gradient is reported under its name.
  Tensor input(std::string_view name);
  // A weight, reported likewise; null where it was not given. `extents` is what its shape must be, kAny where that is free.
  const Parameter* find_parameter(Fields& from, std::string_view name, std::initializer_list<int64_t> extents);
  const Parameter& parameter(Fields& from, std::string_view name, std::initializer_list<int64_t> extents);
  // Part i of n, by rows, of a weight; null of null.
  const Parameter* part(const Parameter* whole, int64_t i, int64_t n);

  void run_backward(const Tensor& root, const float* upstream) { tape_.backward(root, upstream); }
  std::vector<NamedTensor> gradients();

  uint64_t macs() const { return macs_; }
  size_t peak_bytes() const { return arena_.peak_bytes() - given_bytes_; }  // of what was computed from the arguments

  static constexpr int64_t kAny = -1;

 private:
  Tensor copy_of(const Shape& shape, const std::vector<float>& values);

  uint64_t macs_ = 0;
  size_t given_bytes_ = 0;
  Arena arena_;
  Gradients gradients_;
  Tape tape_;
  std::vector<std::pair<std::string, Tensor>> inputs_;
  std::deque<Parameter> parameters_;  // as given
  std::deque<Parameter> parts_;       // views into them
  std::vector<Tensor> values_;        // of parameters_
  size_t next_offset_ = 0;
};

// What an op gives; the first is what gradients start from.
using Outputs = std::vector<std::pair<std::string, Tensor>>;

struct Op {
  std::string_view name;
  std::string_view signature;  // its positional arguments, blank-separated; an object of named ones may follow them
  bool differentiable;
  Outputs (*compute)(Call& call);
};

// softmax, attention, multiHeadAttention, layerNorm, rmsNorm, linear, feedForward, activation, positionalEncoding,
// paddingMask, lookAheadMask, encoderLayer, decoderLayer, encoder, embedding, meanPool, crossEntropy, add, dropout, splitHeads,
// joinHeads, labelSmoothing, lshBuckets, lshAttention, linformerAttention, moments, largestDifference, wavelengths.
extern const std::span<const Op> kModelOps;

// Runs one of `ops`. Throws Error(not_found) for a name that is not among them, listing the nearest, and Error(bad_input)
// naming the argument that does not fit.
std::vector<NamedTensor> call(std::span<const Op> ops, std::string_view name, std::span<const Argument> args);

// Gradients of Σ output · upstream with respect to every floating argument, by the names of the signature, a layer's by its
// parameters' names. upstream: a tensor of the output's shape, or a number where that is [].
std::vector<NamedTensor> gradients(std::span<const Op> ops, std::string_view name, std::span<const Argument> args,
                                   const Argument& upstream);

// What a call takes; with an upstream gradient, its forward and backward pass.
struct Measured {
  uint64_t macs = 0;      // see Context::count
  size_t peak_bytes = 0;  // the most that was in use at once of results, what is between and gradients of these
};
Measured measure(std::span<const Op> ops, std::string_view name, std::span<const Argument> args, const Argument& upstream);

}  // namespace glass
