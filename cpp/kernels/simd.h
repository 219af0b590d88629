// The vector type that the fast kernels are written in, and the only file here with a platform's names.
//
// Compiler vector extensions carry almost everything: they become the same wasm instructions as the intrinsics, and a native
// build then runs the very code that runs in the page. Only what they cannot say (square root, multiply-add, masked tails)
// is spelled per platform. The compiler may not contract a · b + c by itself (-ffp-contract=off), so whether a binary rounds
// once or twice there is decided in one place, multiply_add.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#endif

namespace glass::vec {

#if defined(__AVX512F__)
inline constexpr size_t kLanes = 16;
#elif defined(__AVX__)
inline constexpr size_t kLanes = 8;
#else
inline constexpr size_t kLanes = 4;
#endif

using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Bits = uint32_t __attribute__((vector_size(kLanes * sizeof(float))));
using Four = float __attribute__((vector_size(16)));
using TwoDoubles = double __attribute__((vector_size(16)));

inline Floats load(const float* p) {
  Floats v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store(float* p, Floats v) { std::memcpy(p, &v, sizeof v); }
inline Four load_four(const float* p) {
  Four v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store_four(float* p, Four v) { std::memcpy(p, &v, sizeof v); }
inline Floats splat(float x) { return x - Floats{}; }  // x − 0 is x whatever x is (0 + x is not), so nothing is subtracted

// A constant in every lane, for formulas with many of them. V8 builds a v128.const from four instructions each time it is
// used; hidden from LLVM, the constants are made once before the loop and wait in registers or on the stack.
inline Floats constant(float x) {
#if defined(__wasm__)
  asm("" : "+r"(x));
#endif
  return splat(x);
}

inline Bits bits(Floats v) { return (Bits)v; }
inline Floats floats(Bits v) { return (Floats)v; }

// Where a or b is NaN the result is `a`. pmin and pmax are one machine instruction each where wasm's min and max are
// several, but LLVM finds them in the ternary only sometimes.
inline Floats min(Floats a, Floats b) {
#if defined(__wasm_simd128__)
  return (Floats)wasm_f32x4_pmin((v128_t)a, (v128_t)b);
#else
  return b < a ? b : a;
#endif
}
inline Floats max(Floats a, Floats b) {
#if defined(__wasm_simd128__)
  return (Floats)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
#else
  return a < b ? b : a;
#endif
}

inline Floats abs(Floats v) { return floats(bits(v) & (Bits{} + 0x7fffffffu)); }

// a · b + c, rounded once where this binary has the instruction and twice where it has not: the same everywhere within one
// binary, which is what makes results independent of tiles and tails.
inline Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(__wasm_relaxed_simd__) && defined(__has_builtin) && __has_builtin(__builtin_wasm_relaxed_madd_f32x4)
  return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
#elif defined(__AVX512F__)
  return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__AVX__) && defined(__FMA__)
  return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  return a * b + c;
#endif
}

inline Floats sqrt(Floats v) {
#if defined(__wasm_simd128__)
  return (Floats)wasm_f32x4_sqrt((v128_t)v);
#elif defined(__AVX512F__)
  return (Floats)_mm512_maskz_sqrt_ps(0xffff, (__m512)v);  // the plain form makes g++ 12 warn of an uninitialized value
#elif defined(__AVX__)
  return (Floats)_mm256_sqrt_ps((__m256)v);
#elif defined(__SSE2__)
  return (Floats)_mm_sqrt_ps((__m128)v);
#else
  for (size_t i = 0; i < kLanes; ++i) v[i] = std::sqrt(v[i]);
  return v;
#endif
}

// The first n floats at p, 0 < n < kLanes; the other lanes are `fill`. Reads nothing past p + n.
inline Floats load_part(const float* p, size_t n, float fill = 0.0f) {
#if defined(__AVX512F__)
  return (Floats)_mm512_mask_loadu_ps((__m512)splat(fill), static_cast<__mmask16>((1u << n) - 1), p);
#else
  if constexpr (kLanes == 4) {  // lane by lane, since a wide load just after narrow stores has to wait for them
    return Floats{p[0], n > 1 ? p[1] : fill, n > 2 ? p[2] : fill, fill};
  }
  float lanes[kLanes];
  store(lanes, splat(fill));
  for (size_t i = 0; i < n; ++i) lanes[i] = p[i];
  return load(lanes);
#endif
}

// Stores the first n lanes, 0 < n < kLanes, and touches nothing past them.
inline void store_part(float* p, Floats v, size_t n) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), (__m512)v);
#else
  if constexpr (kLanes == 4) {
    p[0] = v[0];
    if (n > 1) p[1] = v[1];
    if (n > 2) p[2] = v[2];
    return;
  }
  float lanes[kLanes];
  store(lanes, v);
  for (size_t i = 0; i < n; ++i) p[i] = lanes[i];
#endif
}

// Lanes are folded by halves, so the order of a sum is fixed.
template <class Op>
float fold(Floats v, Op op) {
  float lanes[kLanes];
  store(lanes, v);
  Four four = load_four(lanes);
  if constexpr (kLanes == 8) four = op(four, load_four(lanes + 4));
  if constexpr (kLanes == 16) {
    four = op(op(four, load_four(lanes + 8)), op(load_four(lanes + 4), load_four(lanes + 12)));
  }
  const Four pair = op(four, __builtin_shufflevector(four, four, 2, 3, 0, 1));
  return op(pair, __builtin_shufflevector(pair, pair, 1, 0, 3, 2))[0];
}
inline float horizontal_sum(Floats v) {
  return fold(v, [](Four a, Four b) { return a + b; });
}
inline float horizontal_max(Floats v) {
  return fold(v, [](Four a, Four b) { return a < b ? b : a; });
}

// ---- whole numbers: 128 bits on every platform, so that what is stored in their order is the same everywhere
// -----------------

using Bytes = int8_t __attribute__((vector_size(8)));
using Shorts = int16_t __attribute__((vector_size(16)));
using Ints = int32_t __attribute__((vector_size(16)));

inline Shorts load_shorts(const int16_t* p) {
  Shorts v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
// Eight bytes at p, widened.
inline Shorts load_bytes(const int8_t* p) {
#if defined(__SSE4_1__)
  return (Shorts)_mm_cvtepi8_epi16(_mm_loadu_si64(p));  // g++ 12 widens lane by lane
#else
  Bytes v;
  std::memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, Shorts);
#endif
}
inline Four to_floats(Ints v) { return __builtin_convertvector(v, Four); }

// Lane i: a[2i] · b[2i] + a[2i+1] · b[2i+1], each product and their sum in 32 bits.
inline Ints dot_pairs(Shorts a, Shorts b) {
#if defined(__wasm_simd128__)
  return (Ints)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
  return (Ints)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
  Ints sums;
  for (int i = 0; i < 4; ++i) sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  return sums;
#endif
}

// The sum of each vector's lanes, side by side.
inline Ints sums_of(Ints a, Ints b, Ints c, Ints d) {
  const Ints ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Ints cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

// Rows become columns. Four lanes on every platform: wider transposes gain little over the loads they wait for.
inline void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

// Calls body(lanes loaded so far, count) over n values: whole vectors with `whole`, then what is left with `part`.
template <class Whole, class Part>
void for_lanes(size_t n, Whole whole, Part part) {
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) whole(i);
  if (i < n) part(i, n - i);
}

// y[i] = f(x[i]): the loop of every one-input elementwise kernel.
template <class F>
void map(const float* x, float* y, size_t n, F f) {
  for_lanes(
      n, [=](size_t i) { store(y + i, f(load(x + i))); },
      [=](size_t i, size_t left) { store_part(y + i, f(load_part(x + i, left)), left); });
}

// y[i] = f(a[i], b[i])
template <class F>
void map(const float* a, const float* b, float* y, size_t n, F f) {
  for_lanes(
      n, [=](size_t i) { store(y + i, f(load(a + i), load(b + i))); },
      [=](size_t i, size_t left) { store_part(y + i, f(load_part(a + i, left), load_part(b + i, left)), left); });
}

// y[i] = f(a[i], b[i], y[i])
template <class F>
void update(const float* a, const float* b, float* y, size_t n, F f) {
  for_lanes(
      n, [=](size_t i) { store(y + i, f(load(a + i), load(b + i), load(y + i))); },
      [=](size_t i, size_t left) {
        store_part(y + i, f(load_part(a + i, left), load_part(b + i, left), load_part(y + i, left)), left);
      });
}

// Folds n values into one vector of partial results, four at a time so that the additions do not wait for one another.
// step(partial, i) takes in a whole vector at i, part(partial, i, left) the tail, join(a, b) two partials.
template <class Step, class Part, class Join>
Floats reduce(size_t n, Floats start, Step step, Part part, Join join) {
  Floats p0 = start, p1 = start, p2 = start, p3 = start;
  size_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    p0 = step(p0, i);
    p1 = step(p1, i + kLanes);
    p2 = step(p2, i + 2 * kLanes);
    p3 = step(p3, i + 3 * kLanes);
  }
  for (; i + kLanes <= n; i += kLanes) p0 = step(p0, i);
  if (i < n) p1 = part(p1, i, n - i);
  return join(join(p0, p1), join(p2, p3));
}

}  // namespace glass::vec
