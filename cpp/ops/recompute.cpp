#include "ops/recompute.h"

namespace glass {

Tensor recompute(const Context& cx, const Tensor& x, std::function<Tensor(const Context&, Tensor)> segment) {
  if (!cx.tape || cx.hooks) return segment(cx, x);  // edits and recordings belong to one pass
  Context first = cx;
  first.tape = nullptr;
  const Random before = cx.random ? *cx.random : Random();
  Tensor y = segment(first, x);

  cx.tape->record(y, [x, before, segment = std::move(segment), arena = &cx.arena, parameters = cx.tape->parameters(),
                      dropout = cx.random != nullptr, rate = cx.dropout_rate, macs = cx.macs](const Tensor& y) {
    Tape tape(parameters);
    Random random = before;
    Context again{*arena, &tape, nullptr, dropout ? &random : nullptr, rate};
    again.macs = macs;
    const Tensor repeated = segment(again, x);  // gradients with respect to x land in x, which both passes share
    tape.backward(repeated, y.gradient());
  });
  return y;
}

}  // namespace glass
