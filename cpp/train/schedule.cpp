#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "tensor/error.h"

namespace glass {

double noam_rate(int64_t step, int64_t d_model, int64_t warmup) {
  if (step < 1 || d_model < 1 || warmup < 1)
    throw_error(ErrorCode::bad_input,
                {"noamRate: expected step, dModel and warmup of at least 1, got ", step, ", ", d_model, " and ", warmup});
  const double s = static_cast<double>(step), w = static_cast<double>(warmup);
  return std::min(1 / std::sqrt(s), s * std::pow(w, -1.5)) / std::sqrt(static_cast<double>(d_model));
}

float learning_rate(const TrainOptions& o, int64_t step, int64_t d_model) {
  const double lr = static_cast<double>(o.lr);
  if (o.schedule == Schedule::noam) return static_cast<float>(lr * noam_rate(step, d_model, std::max<int64_t>(o.warmup, 1)));
  if (step <= o.warmup) return static_cast<float>(lr * static_cast<double>(step) / static_cast<double>(o.warmup));
  // How much of the way down lies behind: 0 where warm-up ends, 1 one step after the last.
  const double done =
      std::min(1.0, static_cast<double>(step - o.warmup) / static_cast<double>(std::max<int64_t>(1, o.steps + 1 - o.warmup)));
  switch (o.schedule) {
    case Schedule::linear:
      return static_cast<float>(lr * (1 - done));
    case Schedule::cosine:
      return static_cast<float>(lr * 0.5 * (1 + std::cos(3.141592653589793 * done)));
    default:
      return o.lr;
  }
}

void check(const TrainOptions& o) {
  const auto require = [](bool fine, const char* name, const char* expected, double got) {
    if (fine) return;
    throw_error(ErrorCode::bad_input, {name, ": expected ", expected, ", got ", got});
  };
  const auto d = [](auto value) { return static_cast<double>(value); };
  require(o.steps >= 1 && o.steps < 1 << 24, "steps", "1 to 16777215", d(o.steps));
  require(o.batch_size >= 1, "batchSize", "at least 1", d(o.batch_size));
  require(o.accumulate >= 1, "accumulate", "at least 1", d(o.accumulate));
  require(o.lr >= 0 && o.lr < 1e6f, "optimizer.lr", "a rate from 0 to below 1000000", d(o.lr));
  require(o.beta1 >= 0 && o.beta1 < 1, "optimizer.betas[0]", "a number in [0, 1)", o.beta1);
  require(o.beta2 >= 0 && o.beta2 < 1, "optimizer.betas[1]", "a number in [0, 1)", o.beta2);
  require(o.eps > 0, "optimizer.eps", "a number above 0", d(o.eps));
  require(o.weight_decay >= 0, "optimizer.weightDecay", "0 or more", d(o.weight_decay));
  require(o.warmup >= 0, "warmup", "0 or more", d(o.warmup));
  require(o.label_smoothing >= 0 && o.label_smoothing < 1, "labelSmoothing", "a number in [0, 1)", d(o.label_smoothing));
  require(o.dropout < 1, "dropout", "a number in [0, 1)", d(o.dropout));
  require(o.clip >= 0, "clip", "0 or more", d(o.clip));
  require(o.recompute_every >= 0, "recomputeEvery", "0 or more", d(o.recompute_every));
  require(o.ema >= 0 && o.ema < 1, "ema", "a decay in [0, 1)", d(o.ema));
  require(o.average_last >= 0 && o.average_last <= o.steps, "averageLast", "0 to steps", d(o.average_last));
  require(o.threads >= 1 && o.threads <= 64, "threads", "1 to 64", d(o.threads));
}

}  // namespace glass
