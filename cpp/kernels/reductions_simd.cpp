// Fast reductions: several partial sums side by side (vec::reduce), folded at the end.
#include <cmath>
#include <limits>

#include "kernels/approximations.h"
#include "kernels/implementations.h"

namespace glass::simd_impl {

using vec::Floats;
using vec::kLanes;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

namespace {
Floats plus(Floats a, Floats b) { return a + b; }
}  // namespace

float sum(const float* x, size_t n) {
  return vec::horizontal_sum(vec::reduce(
      n, Floats{}, [=](Floats p, size_t i) { return p + vec::load(x + i); },
      [=](Floats p, size_t i, size_t left) { return p + vec::load_part(x + i, left); }, plus));
}

float dot(const float* a, const float* b, size_t n) {
  return vec::horizontal_sum(vec::reduce(
      n, Floats{}, [=](Floats p, size_t i) { return vec::multiply_add(vec::load(a + i), vec::load(b + i), p); },
      [=](Floats p, size_t i, size_t left) {
        return vec::multiply_add(vec::load_part(a + i, left), vec::load_part(b + i, left), p);
      },
      plus));
}

float max(const float* x, size_t n) {
  return vec::horizontal_max(vec::reduce(
      n, vec::splat(-kInfinity), [=](Floats p, size_t i) { return vec::max(p, vec::load(x + i)); },
      [=](Floats p, size_t i, size_t left) { return vec::max(p, vec::load_part(x + i, left, -kInfinity)); }, vec::max));
}

float log_sum_exp(const float* x, size_t n) {
  const float largest = max(x, n);
  if (largest == kInfinity || n == 0) return largest;
  if (largest == -kInfinity) return sum(x, n);  // every value is −inf, or NaN, which must not be hidden
  const float total = vec::horizontal_sum(vec::reduce(
      n, Floats{}, [=](Floats p, size_t i) { return p + vec::exp_to_88(vec::load(x + i) - largest); },
      [=](Floats p, size_t i, size_t left) { return p + vec::exp_to_88(vec::load_part(x + i, left, -kInfinity) - largest); },
      plus));
  return largest + std::log(total);
}

double sum_of_squares(const float* x, size_t n) {
  // Two doubles on every platform; two accumulators, since the sum is bound by memory and not by additions.
  vec::TwoDoubles low{}, high{};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const vec::TwoDoubles a{x[i], x[i + 1]}, b{x[i + 2], x[i + 3]};
    low += a * a;
    high += b * b;
  }
  double total = (low[0] + high[0]) + (low[1] + high[1]);
  for (; i < n; ++i) total += static_cast<double>(x[i]) * x[i];
  return total;
}

void add_row(const float* x, const float* bias, float* y, size_t rows, size_t n) {
  for (size_t i = 0; i < rows; ++i) add(x + i * n, bias, y + i * n, n);
}

void sum_rows(const float* x, float* y, size_t rows, size_t n) {
  size_t j = 0;
  for (; j + 4 * kLanes <= n; j += 4 * kLanes) {  // four sums stay in registers while the rows go by
    Floats s[4];
    for (size_t v = 0; v < 4; ++v) s[v] = vec::load(y + j + v * kLanes);
    for (size_t i = 0; i < rows; ++i) {
      for (size_t v = 0; v < 4; ++v) s[v] += vec::load(x + i * n + j + v * kLanes);
    }
    for (size_t v = 0; v < 4; ++v) vec::store(y + j + v * kLanes, s[v]);
  }
  for (; j + kLanes <= n; j += kLanes) {
    Floats s = vec::load(y + j);
    for (size_t i = 0; i < rows; ++i) s += vec::load(x + i * n + j);
    vec::store(y + j, s);
  }
  if (j < n) {
    Floats s = vec::load_part(y + j, n - j);
    for (size_t i = 0; i < rows; ++i) s += vec::load_part(x + i * n + j, n - j);
    vec::store_part(y + j, s, n - j);
  }
}

namespace {

// R rows at once, so that their additions overlap. Each row has one sum, so a result does not depend on its neighbours.
template <size_t R>
void dot_with(const float* x, const float* a, size_t stride, float* y, size_t n) {
  Floats s[R] = {};
  size_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    const Floats v = vec::load(x + j);
    for (size_t r = 0; r < R; ++r) s[r] = vec::multiply_add(v, vec::load(a + r * stride + j), s[r]);
  }
  if (j < n) {
    const Floats v = vec::load_part(x + j, n - j);
    for (size_t r = 0; r < R; ++r) s[r] = vec::multiply_add(v, vec::load_part(a + r * stride + j, n - j), s[r]);
  }
  for (size_t r = 0; r < R; ++r) y[r] = vec::horizontal_sum(s[r]);
}

// V vectors of y, kept in registers while the rows go by.
template <size_t V>
void weigh(const float* weights, const float* a, size_t stride, float* y, size_t rows) {
  Floats s[V] = {};
  for (size_t i = 0; i < rows; ++i, a += stride) {
    const Floats w = vec::splat(weights[i]);
    for (size_t v = 0; v < V; ++v) s[v] = vec::multiply_add(w, vec::load(a + v * kLanes), s[v]);
  }
  for (size_t v = 0; v < V; ++v) vec::store(y + v * kLanes, s[v]);
}

}  // namespace

void dot_rows(const float* x, const float* a, size_t stride, float* y, size_t rows, size_t n) {
  size_t i = 0;
  for (; i + 4 <= rows; i += 4) dot_with<4>(x, a + i * stride, stride, y + i, n);
  for (; i < rows; ++i) dot_with<1>(x, a + i * stride, stride, y + i, n);
}

void weigh_rows(const float* weights, const float* a, size_t stride, float* y, size_t rows, size_t n) {
  size_t j = 0;
  for (; j + 4 * kLanes <= n; j += 4 * kLanes) weigh<4>(weights, a + j, stride, y + j, rows);
  for (; j + kLanes <= n; j += kLanes) weigh<1>(weights, a + j, stride, y + j, rows);
  if (j < n) {
    Floats s{};
    for (size_t i = 0; i < rows; ++i)
      s = vec::multiply_add(vec::splat(weights[i]), vec::load_part(a + i * stride + j, n - j), s);
    vec::store_part(y + j, s, n - j);
  }
}

}  // namespace glass::simd_impl
