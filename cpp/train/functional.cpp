#include "train/functional.h"

#include <algorithm>

#include "tensor/error.h"
#include "train/optimizer.h"
#include "train/schedule.h"

namespace glass {
namespace {

Tensor number(Call& call, double value) {
  Tensor x = call.cx.make({});
  x.data()[0] = static_cast<float>(value);
  return x;
}

Tensor copy_of(Call& call, Fields& from, std::string_view name) {
  const std::vector<float>& values = from.floats(name);
  Tensor x = call.cx.make(from.tensor(name).shape);
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

// The items of a list under the names NAME.0, NAME.1 …
Fields numbered(Call& call, const std::string& name) {
  Fields fields{name, ""};
  size_t i = 0;
  for (const Argument& item : call.args.list(name)) fields.add(name + "." + std::to_string(i++), item);
  if (i == 0) call.args.refuse(name, "at least one tensor", "an empty list");
  return fields;
}

Outputs noam_rate_op(Call& call) {
  const int64_t step = call.args.integer("step", 1), width = call.args.integer("dModel", 1),
                warmup = call.args.integer("warmup", 1);
  return {{"rate", number(call, noam_rate(step, width, warmup))}};
}

Outputs clip_grad_norm_op(Call& call) {
  const double most = call.args.number("max");
  if (most <= 0) call.args.refuse("max", "a norm above 0", shown(most));
  Fields grads = numbered(call, "grads");
  std::vector<float> all;  // the norm is that of all together
  for (const std::string& name : grads.names()) all.insert(all.end(), grads.floats(name).begin(), grads.floats(name).end());
  Outputs outputs{
      {"norm", number(call, static_cast<double>(clip_gradient_norm(all.data(), all.size(), static_cast<float>(most))))}};
  const float* next = all.data();
  for (const std::string& name : grads.names()) {
    Tensor x = call.cx.make(grads.tensor(name).shape);
    std::copy_n(next, x.size(), x.data());
    next += x.size();
    outputs.emplace_back(name, std::move(x));
  }
  return outputs;
}

Outputs average_op(Call& call) {
  Fields tensors = numbered(call, "tensors");
  const std::vector<std::string> names = tensors.names();
  std::vector<double> weights(names.size(), 1);
  if (call.args.find("weights")) weights = call.args.numbers("weights", names.size());
  double total = 0;
  for (const double weight : weights) total += weight;
  if (total <= 0) call.args.refuse("weights", "numbers with a sum above 0", shown(total));
  Tensor mean = call.cx.zeros(tensors.tensor(names.front()).shape);
  for (size_t i = 0; i < names.size(); ++i) {
    check_shape(("average: " + names[i]).c_str(), mean.shape(), tensors.tensor(names[i]).shape);
    simd.axpy(static_cast<float>(weights[i] / total), tensors.floats(names[i]).data(), mean.data(), mean.size());
  }
  return {{"output", std::move(mean)}};
}

Outputs adamw_op(Call& call) {
  TrainOptions o;
  const auto option = [&](const char* name, float fallback) {
    return static_cast<float>(call.args.number(name, static_cast<double>(fallback)));
  };
  o.lr = option("lr", o.lr);
  o.eps = option("eps", o.eps);
  o.weight_decay = option("weightDecay", o.weight_decay);
  if (call.args.find("betas")) {
    const std::vector<double> betas = call.args.numbers("betas", 2);
    o.beta1 = betas[0];
    o.beta2 = betas[1];
  }
  check(o);

  Fields state = call.args.object("state", "state."), grads = call.args.object("grads", "grads.");
  const int64_t step = state.integer("step", 0, 0) + 1;
  Fields parameters = state.object("parameters", "parameters."), m = state.object("m", "m."), v = state.object("v", "v.");
  state.refuse_unread();
  Outputs outputs{{"step", number(call, static_cast<double>(step))}};
  const AdamWStep constants = adamw_step(o.lr, o.beta1, o.beta2, o.eps, o.weight_decay, step);
  for (const std::string& name : parameters.names()) {
    Tensor w = copy_of(call, parameters, name);
    const auto moments = [&](Fields& from) { return from.find(name) ? copy_of(call, from, name) : call.cx.zeros(w.shape()); };
    Tensor first = moments(m), second = moments(v);
    const std::vector<float>& gradient = grads.floats(name);
    for (const Shape& shape : {grads.tensor(name).shape, first.shape(), second.shape()})
      check_shape(("adamW: gradient and moments of " + name).c_str(), w.shape(), shape);
    simd.adamw(constants, w.data(), gradient.data(), first.data(), second.data(), w.size());
    outputs.emplace_back("parameters." + name, std::move(w));
    outputs.emplace_back("m." + name, std::move(first));
    outputs.emplace_back("v." + name, std::move(second));
  }
  for (const Fields* fields : {&grads, &m, &v}) fields->refuse_unread();
  return outputs;
}

constexpr Op kTrainingOps[] = {
    {"noamRate", "step", false, noam_rate_op},
    {"clipGradNorm", "grads max", false, clip_grad_norm_op},
    {"average", "tensors", false, average_op},
    {"adamW", "state grads", false, adamw_op},
};

}  // namespace

const std::vector<Op>& public_ops() {
  static const std::vector<Op> all = [] {
    std::vector<Op> ops(kModelOps.begin(), kModelOps.end());
    ops.insert(ops.end(), std::begin(kTrainingOps), std::end(kTrainingOps));
    return ops;
  }();
  return all;
}

}  // namespace glass
