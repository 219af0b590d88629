// The two tables.
#include "kernels/implementations.h"

namespace glass {

#define GLASS_COUNT(name) +1
static_assert(sizeof(Kernels) == (0 GLASS_FOR_EACH_KERNEL(GLASS_COUNT)) * sizeof(void*), "a kernel is missing from the list");

#define GLASS_SCALAR(name) .name = scalar_impl::name,
constinit const Kernels scalar = {GLASS_FOR_EACH_KERNEL(GLASS_SCALAR)};

#define GLASS_SIMD(name) .name = simd_impl::name,
constinit const Kernels simd = {GLASS_FOR_EACH_KERNEL(GLASS_SIMD)};

}  // namespace glass
