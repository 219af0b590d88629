#include "io/text.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "cpp/io/expect_error.h"

namespace glass {
namespace {

TEST(Text, Utf8LengthFollowsTheTableOfRfc3629) {
  // The first and last character of each row, then what lies just outside.
  for (const char* good : {"a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(utf8_length(good, 0), std::string(good).size());
  }
  for (const char* bad : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xed\xa0\x80",
                          "\xe1\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf1\x80\x80", "\xff"}) {
    EXPECT_EQ(utf8_length(bad, 0), 0u);
  }
}

TEST(Text, PrintableIsOneValidLine) {
  EXPECT_EQ(printable("plain é 漢 🙂"), "plain é 漢 🙂");
  EXPECT_EQ(printable("a\nb\x7f\xff"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(printable("ééé", 2), "éé…");
  EXPECT_EQ(printable("ééé", 3), "ééé");
  EXPECT_EQ(printable("", 0), "");
  EXPECT_EQ(in_quotes("x"), "\"x\"");
}

TEST(Text, LineAndColumnCountCharactersFromOne) {
  EXPECT_EQ(line_and_column("", 0), "line 1, column 1");
  EXPECT_EQ(line_and_column("ab\ncd", 2), "line 1, column 3");
  EXPECT_EQ(line_and_column("ab\ncd", 3), "line 2, column 1");
  EXPECT_EQ(line_and_column("é\néx", 5), "line 2, column 2");
  EXPECT_EQ(line_and_column("ab", 99), "line 1, column 3");
}

TEST(Text, GuardedLetsOnlyOurErrorsOut) {
  EXPECT_EQ(guarded(ErrorCode::bad_config, "f", [] { return 3; }), 3);
  const auto throwing = [](auto thrown) { return [thrown] { guarded(ErrorCode::bad_config, "f", [&] { throw thrown; }); }; };
  expect_error(ErrorCode::out_of_memory, {"f: "}, throwing(std::bad_alloc()));
  expect_error(ErrorCode::out_of_memory, {"f: "}, throwing(std::length_error("vector")));
  expect_error(ErrorCode::bad_config, {"f: why"}, throwing(std::runtime_error("why")));
  expect_error(ErrorCode::bad_weights, {"kept"}, throwing(Error(ErrorCode::bad_weights, "kept")));
}

}  // namespace
}  // namespace glass
