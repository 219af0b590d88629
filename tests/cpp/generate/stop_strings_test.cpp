// Stop strings by hand: where in the last token they end, and what is behind.
#include "generate/stop_strings.h"

#include <gtest/gtest.h>

#include "cpp/io/expect_error.h"

namespace glass {
namespace {

// "st" "op" "opera" "stop" "las" "topper" "é", its halves, and a token without a text
enum : int32_t { kSt, kOp, kOpera, kStop, kLas, kTopper, kAccent, kFirstHalf, kSecondHalf, kNothing, kUnknown };

TokenTexts texts() {
  std::string bytes;
  std::vector<int32_t> ends;
  for (const char* text : {"st", "op", "opera", "stop", "las", "topper", "\xc3\xa9", "\xc3", "\xa9 x", ""}) {
    bytes += text;
    ends.push_back(static_cast<int32_t>(bytes.size()));
  }
  return {bytes, ends};
}

std::optional<std::string> behind(const std::vector<std::string>& strings, const std::vector<int32_t>& before,
                                  const std::vector<int32_t>& tokens) {
  const StopStrings stops(strings, texts());
  const auto found = stops.behind(before, tokens);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

TEST(StopStrings, EndInTheLastToken) {  // the examples of transformers' own documentation
  EXPECT_EQ(behind({"stop"}, {}, {kSt, kOp}), "");
  EXPECT_EQ(behind({"stop"}, {}, {kStop}), "");
  EXPECT_EQ(behind({"stop"}, {}, {kSt, kOpera}), "era");
  EXPECT_EQ(behind({"stop"}, {}, {kLas, kTopper}), "per");
  EXPECT_EQ(behind({"stop"}, {}, {kStop, kSt}), std::nullopt);
  EXPECT_EQ(behind({"stop"}, {}, {kSt, kOpera, kSt}), std::nullopt);
  EXPECT_EQ(behind({"stop"}, {}, {kOp}), std::nullopt);
  EXPECT_EQ(behind({"stop"}, {}, {}), std::nullopt);
  EXPECT_EQ(behind({}, {}, {kStop}), std::nullopt);
}

TEST(StopStrings, OfSeveralTheOneThatEndsFirst) {
  EXPECT_EQ(behind({"topper", "top", "never"}, {}, {kTopper}), "per");
  EXPECT_EQ(behind({"p"}, {}, {kTopper}), "per");
}

TEST(StopStrings, MayBeginInThePrompt) {
  EXPECT_EQ(behind({"stop"}, {kOp, kSt}, {kOpera}), "era");
  EXPECT_EQ(behind({"opst"}, {kOp}, {kSt}), "");
  EXPECT_EQ(behind({"stop"}, {kStop}, {kLas}), std::nullopt);  // it was there before
}

TEST(StopStrings, OfCharactersInPieces) {
  EXPECT_EQ(behind({"é"}, {}, {kFirstHalf, kSecondHalf}), " x");
  EXPECT_EQ(behind({"é"}, {}, {kFirstHalf}), std::nullopt);
  EXPECT_EQ(behind({"é"}, {}, {kAccent}), "");
}

TEST(StopStrings, AreFoundAcrossTokensWithoutTextAndNotAcrossUnknownOnes) {
  EXPECT_EQ(behind({"stop"}, {}, {kSt, kNothing, kOp}), "");
  EXPECT_EQ(behind({"stop"}, {}, {kSt, kOp, kNothing}), std::nullopt);
  EXPECT_EQ(behind({"stop"}, {}, {kSt, kUnknown, kOp}), std::nullopt);
  EXPECT_EQ(behind({"stop"}, {}, {kSt, -1, kOp}), std::nullopt);
}

TEST(StopStrings, ThatCannotBeLookedForAreRefused) {
  expect_error(ErrorCode::bad_input, {"tokenizer"}, [] { StopStrings({"a"}, {}); });
  expect_error(ErrorCode::bad_input, {"empty"}, [] { StopStrings({"a", ""}, texts()); });
  expect_error(ErrorCode::bad_input, {"ends", "3"}, [] { TokenTexts("abc", {2, 1}); });
  expect_error(ErrorCode::bad_input, {"ends", "3"}, [] { TokenTexts("abc", {2, 4}); });
  expect_error(ErrorCode::bad_input, {"ends", "3"}, [] { TokenTexts("abc", {-1, 2}); });
}

}  // namespace
}  // namespace glass
