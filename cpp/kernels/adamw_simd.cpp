// Fast AdamW step: the same formula on vectors, the two corrections as factors.
#include "kernels/implementations.h"
#include "kernels/simd.h"

namespace glass::simd_impl {

using vec::Floats;

namespace {

struct Moments {
  Floats w, m, v;
};

Moments updated(const AdamWStep& step, Moments old, Floats g) {
  const Floats m = vec::multiply_add(vec::splat(step.beta1), old.m, step.rest1 * g);
  const Floats v = vec::multiply_add(vec::splat(step.beta2), old.v, step.rest2 * g * g);
  const Floats direction = m * (1.0f / step.correction1) / (vec::sqrt(v * (1.0f / step.correction2)) + step.eps);
  const Floats w = old.w - step.lr * vec::multiply_add(vec::splat(step.weight_decay), old.w, direction);
  return {w, m, v};
}

}  // namespace

void adamw(const AdamWStep& step, float* w, const float* g, float* m, float* v, size_t n) {
  const AdamWStep s = step;  // a copy, which the stores below cannot alias
  vec::for_lanes(
      n,
      [=](size_t i) {
        const Moments next = updated(s, {vec::load(w + i), vec::load(m + i), vec::load(v + i)}, vec::load(g + i));
        vec::store(w + i, next.w);
        vec::store(m + i, next.m);
        vec::store(v + i, next.v);
      },
      [=](size_t i, size_t left) {
        const Moments old{vec::load_part(w + i, left), vec::load_part(m + i, left), vec::load_part(v + i, left)};
        const Moments next = updated(s, old, vec::load_part(g + i, left));
        vec::store_part(w + i, next.w, left);
        vec::store_part(m + i, next.m, left);
        vec::store_part(v + i, next.v, left);
      });
}

}  // namespace glass::simd_impl
