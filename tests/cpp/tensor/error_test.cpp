#include "tensor/error.h"

#include <gtest/gtest.h>

#include <limits>

#include "tensor/shape.h"

namespace glass {
namespace {

TEST(ErrorTest, MessagesAreJoinedFromParts) {
  const std::string name = "x";
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({name, ": expected ", std::string_view("shape "), Shape{2, 3}, ", got ", Shape{}}),
            "x: expected shape [2, 3], got []");
  EXPECT_EQ(joined({0.5, " ", 3.f, " ", 1e20, " ", std::numeric_limits<double>::quiet_NaN()}), "0.5 3 1e+20 nan");
  EXPECT_EQ(joined({-1, " ", int64_t{INT64_MIN}, " ", uint64_t{UINT64_MAX}, " ", size_t{7}}),
            "-1 -9223372036854775808 18446744073709551615 7");
}

TEST(ErrorTest, IsThrownWithItsCodeAndMessage) {
  try {
    throw_error(ErrorCode::unsupported, {"a", 1});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_STREQ(error.what(), "a1");
  }
}

}  // namespace
}  // namespace glass
