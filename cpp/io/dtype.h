// Element types of the safetensors format. The core computes in F32; the others exist only in files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace glass {

enum class DType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

inline constexpr DType kDTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64,
                                    DType::i32, DType::i16, DType::i8,  DType::u8,   DType::boolean};

// The name a safetensors header uses.
constexpr std::string_view dtype_name(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "F64";
    case DType::f32:
      return "F32";
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
    case DType::i64:
      return "I64";
    case DType::i32:
      return "I32";
    case DType::i16:
      return "I16";
    case DType::i8:
      return "I8";
    case DType::u8:
      return "U8";
    case DType::boolean:
      return "BOOL";
  }
  return "";
}

// Bytes per element.
constexpr uint64_t dtype_width(DType dtype) {
  switch (dtype) {
    case DType::f64:
    case DType::i64:
      return 8;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
      return 2;
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return 1;
  }
  return 0;
}

// Nothing for a name that is none of the above.
constexpr std::optional<DType> dtype_of_name(std::string_view name) {
  for (DType dtype : kDTypes) {
    if (dtype_name(dtype) == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace glass
