// Runs a test once for each of the two tables: class FooTest : public KernelsTest {}; GLASS_BOTH_TABLES(FooTest);
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "kernels/kernels.h"

namespace glass::testing {

struct TableOfKernels {
  const char* name;
  const Kernels* kernels;
};
inline void PrintTo(const TableOfKernels& table, std::ostream* out) { *out << table.name; }

class KernelsTest : public ::testing::TestWithParam<TableOfKernels> {
 protected:
  const Kernels& kernels() const { return *GetParam().kernels; }
};

}  // namespace glass::testing

#define GLASS_BOTH_TABLES(Suite)                                                                                               \
  INSTANTIATE_TEST_SUITE_P(                                                                                                    \
      Tables, Suite,                                                                                                           \
      ::testing::Values(::glass::testing::TableOfKernels{"scalar", &scalar}, ::glass::testing::TableOfKernels{"simd", &simd}), \
      [](const ::testing::TestParamInfo<::glass::testing::TableOfKernels>& info) { return std::string(info.param.name); })
