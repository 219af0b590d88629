// Names of the functions behind the two tables. Each kernel is declared twice with the type of its slot in `Kernels`, where
// its contract stands: scalar_impl::name is defined in <group>_scalar.cpp, simd_impl::name in <group>_simd.cpp.
#pragma once

#include <type_traits>

#include "kernels/kernels.h"

// To add a kernel: a slot in `Kernels`, its name here, and two definitions.
// clang-format off
#define GLASS_FOR_EACH_KERNEL(X)                                              \
  X(exp) X(tanh) X(activate) X(activate_backward)                             \
  X(add) X(multiply) X(multiply_add) X(scale) X(axpy)                         \
  X(sum) X(dot) X(max) X(log_sum_exp) X(sum_of_squares) X(add_row) X(sum_rows) \
  X(dot_rows) X(weigh_rows)                                                   \
  X(softmax_rows) X(softmax_rows_backward)                                    \
  X(layer_norm) X(layer_norm_backward) X(rms_norm) X(rms_norm_backward)       \
  X(gather_rows) X(scatter_add_rows) X(adamw)
// clang-format on

#define GLASS_DECLARE(name) std::remove_pointer_t<decltype(Kernels::name)> name;
namespace glass::scalar_impl {
GLASS_FOR_EACH_KERNEL(GLASS_DECLARE)
}
namespace glass::simd_impl {
GLASS_FOR_EACH_KERNEL(GLASS_DECLARE)
}
#undef GLASS_DECLARE
