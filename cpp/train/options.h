// How a model is trained: the options of `train` in the public interface, with its defaults.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glass {

class JsonObject;

// How the learning rate goes over the steps, counted from 1. All rise linearly over `warmup` steps first.
enum class Schedule {
  constant,
  noam,  // lr · D^−½ · min(step^−½, step · warmup^−1.5), Vaswani et al. 2017, section 5.3; lr is a factor, 1 in the paper
  linear,  // falls to nothing at the end
  cosine,  // half a cosine to nothing at the end, Loshchilov & Hutter 2017, without restarts
};

struct TrainOptions {
  int64_t steps = 1000;
  int64_t batch_size = 16;  // examples a part
  int64_t accumulate = 1;   // parts a step; gradients are weighted by counted tokens, so parts equal one large batch
  float lr = 1e-3f, eps = 1e-8f, weight_decay = 0.01f;
  double beta1 = 0.9, beta2 = 0.999;
  Schedule schedule = Schedule::constant;
  int64_t warmup = 0;
  float label_smoothing = 0.f;
  float dropout = -1.f;                // negative: the config's rates
  float clip = 0.f;                    // gradient norm at most this; 0: not clipped
  int recompute_every = 0;             // gradient checkpointing: keep the activations of every n-th layer only
  float ema = 0.f;                     // decay of a moving average of the weights, which the model ends with; 0: none
  int64_t average_last = 0;            // the model ends with the mean of its weights after each of the last n steps; 0: no
  std::vector<std::string> trainable;  // patterns of parameter names with *; empty: all but buffers, see Parameter
  // A head of the cross-attention is also taught to look where the examples' links point: weight · −log of its attention
  // there is added to the loss (Chen et al. 2016, section 3.3). Weight 0: not.
  struct Guide {
    int64_t layer = 0, head = 0;
    float weight = 0.f;
  } guide;
  uint64_t seed = 0;
  int threads = 1;  // native only; part of what makes results repeat, since each thread adds up its share
};

// From JSON with the names of the public interface, except that optimizer.betas are optimizer.beta1 and beta2. Where it names
// no rate, "noam" has 1. Throws Error(bad_config) for ill-typed values, what check() throws, and Error(bad_input) for an option
// that there is not.
TrainOptions parse_train_options(std::string_view json);
// The same for an object that has members of the caller's beside the options: refuse_unread once they have been read.
TrainOptions read_train_options(const JsonObject& json);
void refuse_unread(const JsonObject& json);

// Throws Error(bad_input) naming the option where a value makes no sense.
void check(const TrainOptions& options);

}  // namespace glass
