// Vector forms of exp, tanh, the normal distribution and the activations built on them. The scalar kernels call libm
// instead, so comparing the two tables tests the formulas here.
#pragma once

#include <limits>

#include "kernels/simd.h"

namespace glass::vec {

// e^x = 2^n · e^r with n = round(x / ln 2), |r| ≤ ln 2 / 2, and e^r ≈ 1 + r + r² · q(r).
// q is a minimax fit of the relative error (Lawson's iteration on 4001 Chebyshev points): 3.1e-9 before rounding; the tests
// hold the whole to 2e-7. ln 2 is taken off in two parts, the first with few enough bits that n · kLn2High
// is exact (Cody & Waite 1980).
struct ExpParts {
  Floats e;       // e^r
  Bits exponent;  // n where a float has its exponent, to be added to one
};
inline ExpParts exp_parts(Floats x) {
  constexpr float kLog2E = 1.44269504f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  // Adding 1.5 · 2^23 rounds to an integer and leaves it in the low bits, which saves two conversions; shifting drops its own.
  constexpr float kRound = 12582912.0f;
  const Floats shifted = multiply_add(x, constant(kLog2E), constant(kRound));
  const Floats n = shifted - constant(kRound);
  Floats r = multiply_add(n, constant(-kLn2High), x);
  r = multiply_add(n, constant(-kLn2Low), r);
  // By pairs instead of Horner's rule: the chain of dependent steps is what takes the time.
  const Floats r2 = r * r;
  const Floats low = multiply_add(r, constant(0.16666519642f), constant(0.49999994040f));
  const Floats middle = multiply_add(r, constant(8.3688516170e-3f), constant(4.1668400168e-2f));
  const Floats q = multiply_add(multiply_add(r2, constant(1.3814320555e-3f), middle), r2, low);
  return {multiply_add(q, r2, r) + constant(1.0f), bits(shifted) << 23};
}

// For x ≤ 88, which is what softmax and the activations have. Below −87.7 the result is 0.
inline Floats exp_to_88(Floats x) {
  const ExpParts p = exp_parts(max(x, constant(-88.0f)));  // at −88, n is −127 and 2^n comes out as 0
  return p.e * floats(p.exponent + bits(constant(1.0f)));
}

// For any x: 0 where the result would be below the smallest normal number, inf where it would be above the largest.
inline Floats exp(Floats x) {
  constexpr float kSmallest = -87.3365402f, kLargest = 88.7228394f;  // ln of those two
  const ExpParts p = exp_parts(x);
  // Added to the bits of e^r, which is below 1 where n is 128. What comes of an x out of range is thrown away by the selects.
  const Floats scaled = floats(bits(p.e) + p.exponent);
  const Floats finite = x < kSmallest ? constant(0.0f) : scaled;
  return x <= kLargest ? finite : x + std::numeric_limits<float>::infinity();  // keeps NaN
}

// 1 − 2 / (e^2x + 1), which is 1 to the last bit long before 2x is 40.
inline Floats tanh(Floats x) {
  return constant(1.0f) - constant(2.0f) / (exp_to_88(min(x + x, constant(40.0f))) + constant(1.0f));
}

// What x · Φ(x) and its derivative share: |x| up to 14, e^(−x²/2), and the upper tail 1 − Φ(|x|).
// The tail is Abramowitz & Stegun 1964, 7.1.26, which gives erf with |error| ≤ 1.5e-7, in terms of Φ(x) = (1 + erf(x/√2)) / 2:
// its p is divided by √2 and its a1 … a5 by 2. Past 14 the tail is far below a float's reach, and inf · 0 is kept out.
struct NormalTail {
  Floats magnitude, density, tail;  // density without its 1/√(2π)
};
inline NormalTail normal_tail(Floats x) {
  const Floats z = min(constant(14.0f), abs(x));
  const Floats t = constant(1.0f) / multiply_add(z, constant(0.231641888f), constant(1.0f));
  const Floats t2 = t * t;
  const Floats low = multiply_add(t, constant(-0.142248368f), constant(0.127414796f));
  const Floats middle = multiply_add(t, constant(-0.7265760135f), constant(0.7107068705f));
  const Floats p = multiply_add(multiply_add(t2, constant(0.5307027145f), middle), t2, low);
  const Floats density = exp_to_88(z * z * constant(-0.5f));
  return {z, density, p * t * density};
}

inline Floats relu(Floats x) { return x < 0.0f ? constant(0.0f) : x; }
inline Floats relu_derivative(Floats x) { return x > 0.0f ? constant(1.0f) : constant(0.0f); }

// x · Φ(x) = max(x, 0) − |x| · (1 − Φ(|x|)).
inline Floats gelu(Floats x) {
  const NormalTail n = normal_tail(x);
  return relu(x) - n.magnitude * n.tail;
}
// Φ(x) + x · φ(x)
inline Floats gelu_derivative(Floats x) {
  constexpr float kInverseRoot2Pi = 0.398942280f;
  const NormalTail n = normal_tail(x);
  const Floats bulge = n.magnitude * n.density * kInverseRoot2Pi;  // |x| · φ(x)
  return x < 0.0f ? n.tail - bulge : constant(1.0f) - n.tail + bulge;
}

// Both silu and gelu_tanh are x · σ(…); far below zero x stops short of where e^−x would leave
// exp_to_88's range and −inf · 0 come up.
constexpr float kSigmoidLowest = -87.0f, kGeluTanhLowest = -10.0f;

inline Floats silu(Floats x) {
  const Floats a = x < kSigmoidLowest ? constant(kSigmoidLowest) : x;
  return a / (exp_to_88(-a) + constant(1.0f));
}
// σ · (1 + x · (1 − σ)), where 1 − σ = σ · e^−x keeps its digits when σ is near 1.
inline Floats silu_derivative(Floats x) {
  const Floats a = max(min(x, constant(-kSigmoidLowest)), constant(kSigmoidLowest));
  const Floats e = exp_to_88(-a), s = constant(1.0f) / (e + constant(1.0f));
  return s * (constant(1.0f) + a * (s * e));
}

// x · (1 + tanh u) / 2 = x · σ(2u) with u = √(2/π) · (x + 0.044715 · x³).
constexpr float kTwoRoot2OverPi = 1.59576912f, kCubic = 0.044715f;

inline Floats gelu_tanh(Floats x) {
  const Floats a = x < kGeluTanhLowest ? constant(kGeluTanhLowest) : x;
  const Floats two_u = a * multiply_add(a * a, constant(kTwoRoot2OverPi * kCubic), constant(kTwoRoot2OverPi));
  return a / (exp_to_88(-two_u) + constant(1.0f));
}
// σ + x · σ · (1 − σ) · (2u)', with 1 − σ = σ · e^−2u as above.
inline Floats gelu_tanh_derivative(Floats x) {
  const Floats a = max(min(x, constant(-kGeluTanhLowest)), constant(kGeluTanhLowest));
  const Floats square = a * a;
  const Floats two_u = a * multiply_add(square, constant(kTwoRoot2OverPi * kCubic), constant(kTwoRoot2OverPi));
  const Floats slope = multiply_add(square, constant(3.0f * kTwoRoot2OverPi * kCubic), constant(kTwoRoot2OverPi));
  const Floats e = exp_to_88(-two_u), s = constant(1.0f) / (e + constant(1.0f));
  return multiply_add(a * slope, s * (s * e), s);
}

inline Floats tanh_derivative(Floats x) {
  const Floats t = tanh(x);
  return constant(1.0f) - t * t;
}

}  // namespace glass::vec
