// Expects a call to throw glass::Error with a code and with certain words in its message.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tensor/error.h"

namespace glass {

template <typename Call>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, Call&& call) {
  try {
    call();
    ADD_FAILURE() << "no error, expected one with: " << ::testing::PrintToString(parts);
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_STREQ(error_code_name(error.code()), error_code_name(code)) << message;
    EXPECT_LE(message.size(), 600u) << message;  // what came is shortened
    for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
  }
}

}  // namespace glass
