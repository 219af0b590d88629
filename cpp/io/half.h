// The two 16-bit float formats of checkpoints, F16 (IEEE 754 binary16) and BF16 (the upper half of an F32), to and from F32.
// Branch-free on purpose, so that compilers turn the loops at the end into vector code. Memory is little-endian, as in the file
// format, and need not be aligned: a tensor may begin at any byte of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace glass {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "checkpoints are little-endian and are read in place");

inline uint32_t float_bits(float value) { return __builtin_bit_cast(uint32_t, value); }
inline float float_of_bits(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// `yes` where the condition holds, without a branch: g++ makes one of ?: around a float addition and then vectorises nothing.
inline uint32_t select_bits(bool condition, uint32_t yes, uint32_t no) {
  return no ^ ((yes ^ no) & (0u - static_cast<uint32_t>(condition)));
}

// Exact for every half. A NaN keeps its sign and payload.
inline float f16_to_f32(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  const uint32_t rest = uint32_t{half & 0x7fffu} << 13;  // exponent and mantissa in their F32 places
  const uint32_t exponent = rest & 0x0f800000u;
  // The bias grows from 15 to 127, by 112; infinity and NaN go from 31 to 255, by 224.
  const uint32_t normal = rest + (exponent == 0x0f800000u ? 224u << 23 : 112u << 23);
  // A denormal m * 2^-24: as the mantissa of a number in [2^-14, 2^-13) it is that number less 2^-14, exactly.
  const uint32_t denormal = float_bits(float_of_bits(rest + (113u << 23)) - 0x1p-14f);
  return float_of_bits(sign | select_bits(exponent == 0, denormal, normal));
}

// Rounds to nearest, ties to even. From 65520 up: infinity. A NaN becomes a quiet NaN of the same sign.
inline uint16_t f32_to_f16(float value) {
  const uint32_t bits = float_bits(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  // 13 mantissa bits go: add just under half of the last bit kept, plus that bit. A carry into the exponent is right as it is.
  const uint32_t normal = ((magnitude + 0xfffu + ((magnitude >> 13) & 1u)) >> 13) - (112u << 10);
  // Below 2^-14 a half counts in steps of 2^-24, which is also the step of F32 at 0.5: the addition rounds.
  const uint32_t denormal = float_bits(float_of_bits(magnitude) + 0.5f) - float_bits(0.5f);
  uint32_t half = select_bits(magnitude < 0x38800000u, denormal, normal);
  half = select_bits(magnitude >= 0x47800000u, 0x7c00u, half);  // 2^16 and above
  half = select_bits(magnitude > 0x7f800000u, 0x7e00u, half);
  return static_cast<uint16_t>(half | ((bits >> 16) & 0x8000u));
}

// Exact for every value.
inline float bf16_to_f32(uint16_t half) { return float_of_bits(uint32_t{half} << 16); }

// Rounds to nearest, ties to even; the largest F32 numbers round to infinity. A NaN becomes a quiet NaN of the same sign.
inline uint16_t f32_to_bf16(float value) {
  const uint32_t bits = float_bits(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t quiet_nan = 0x7fc0u | ((bits >> 16) & 0x8000u);
  return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded);
}

namespace half_detail {

template <float (*convert)(uint16_t)>
void widen(const uint8_t* in, std::span<float> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    uint16_t half;
    std::memcpy(&half, in + 2 * i, 2);
    out[i] = convert(half);
  }
}

template <uint16_t (*convert)(float)>
void narrow(std::span<const float> in, uint8_t* out) {
  for (size_t i = 0; i < in.size(); ++i) {
    const uint16_t half = convert(in[i]);
    std::memcpy(out + 2 * i, &half, 2);
  }
}

}  // namespace half_detail

// `in` holds 2 * out.size() bytes.
inline void f16_to_f32(const uint8_t* in, std::span<float> out) { half_detail::widen<f16_to_f32>(in, out); }
inline void bf16_to_f32(const uint8_t* in, std::span<float> out) { half_detail::widen<bf16_to_f32>(in, out); }

// `out` has room for 2 * in.size() bytes.
inline void f32_to_f16(std::span<const float> in, uint8_t* out) { half_detail::narrow<f32_to_f16>(in, out); }
inline void f32_to_bf16(std::span<const float> in, uint8_t* out) { half_detail::narrow<f32_to_bf16>(in, out); }

}  // namespace glass
