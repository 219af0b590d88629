#include "ops/reversible.h"

#include <algorithm>
#include <utility>

#include "kernels/kernels.h"

namespace glass {

Tensor reversible(const Context& cx, const Tensor& x, std::vector<ReversibleStep> steps) {
  Context plain = cx;
  plain.tape = nullptr;
  Tensor first = cx.make(x.shape()), second = cx.make(x.shape());
  for (Tensor* stream : {&first, &second}) std::copy_n(x.data(), x.size(), stream->data());
  std::vector<Random> before;
  for (const ReversibleStep& step : steps) {
    if (cx.random) before.push_back(*cx.random);
    const Tensor change = step(plain, second);
    simd.axpy(1.f, change.data(), first.data(), first.size());
    std::swap(first, second);
  }
  Tensor y = cx.make(x.shape());
  simd.add(first.data(), second.data(), y.data(), y.size());
  simd.scale(0.5f, y.data(), y.data(), y.size());
  if (!cx.tape) return y;

  cx.tape->record(y, [x, first, second, steps = std::move(steps), before = std::move(before), arena = &cx.arena,
                      parameters = cx.tape->parameters(), rate = cx.dropout_rate, macs = cx.macs](const Tensor& y) {
    // The handles change places, not what the closure holds; the streams and their gradients are overwritten step by step.
    Tensor made = first, other = second;
    for (const Tensor* stream : {&made, &other}) {
      stream->set_tracked(true);
      simd.axpy(0.5f, y.gradient(), stream->gradient(), y.size());
    }
    for (size_t i = steps.size(); i-- > 0;) {
      std::swap(made, other);  // step i was made += step(other)
      Tape tape(parameters);
      Random random = before.empty() ? Random() : before[i];
      Context again{*arena, &tape, nullptr, before.empty() ? nullptr : &random, rate};
      again.macs = macs;
      const Tensor change = steps[i](again, other);
      simd.axpy(-1.f, change.data(), made.data(), made.size());
      if (change.tracked()) tape.backward(change, made.gradient());  // adds to the gradient of `other`
    }
    if (x.tracked())
      for (const Tensor* stream : {&made, &other}) simd.axpy(1.f, stream->gradient(), x.gradient(), x.size());
  });
  return y;
}

}  // namespace glass
