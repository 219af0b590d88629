// The strict reader for configs and the writer.
#include "io/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cpp/io/expect_error.h"
#include "io/json_edit.h"

namespace glass {
namespace {

using Strings = std::vector<std::string>;

JsonObject parse(std::string_view text) { return JsonObject::parse(text, "config.json"); }

void expect_bad(const Strings& parts, const std::function<void()>& call) {
  Strings all = parts;
  all.insert(all.begin(), "config.json: ");
  expect_error(ErrorCode::bad_config, all, call);
}

TEST(Parse, RefusesWhatIsNoStrictJsonObject) {
  const std::string spaces(kMaxJsonBytes, ' ');
  const std::vector<std::pair<std::string, Strings>> cases = {
      {"", {"line 1, column 1"}},
      {"[1, 2]", {"expected a JSON object, got [1,2]"}},
      {"null", {"expected a JSON object, got null"}},
      {"\"text\"", {"expected a JSON object, got \"text\""}},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", {"line 3, column 5", "string literal"}},
      {"{\"é\": tru}", {"line 1, column 10", "invalid literal"}},
      {"{\"a\": 1} x", {"line 1, column 10"}},
      {std::string("{\"a\": 1}\0", 9), {"column 9", "zero byte"}},
      {"{\"a\": \"\xed\xa0\x80\"}", {"ill-formed UTF-8"}},
      {"{\"a\": \"tab\there\"}", {"control character"}},
      {"{'a': 1}", {"column 2"}},
      {"{\"a\": 1, // why\n}", {"column 10"}},
      {"{\"a\": 01}", {"column 8"}},
      {"{\"a\": NaN}", {"column 7", "NaN is no JSON number"}},
      {"{\"a\": Infinity}", {"Infinity is no JSON number"}},
      {"{\"a\": -Infinity}", {"Infinity is no JSON number"}},
      {"{\"a\": 1e400}", {"column 11", "overflow"}},
      {"{\"a\": 1, \"b\": {}, \"a\": 2}", {"the key \"a\" is given twice"}},
      {"{\"a\": 1, \"\\u0061\": 1}", {"the key \"a\" is given twice"}},
      {"{\"o\": [{\"k\": 1, \"k\": 1}]}", {"the key \"k\" is given twice"}},
      {spaces + "{}", {"at most 4194304 bytes, got 4194306"}},
  };
  for (const auto& [text, parts] : cases) {
    SCOPED_TRACE(text.substr(0, 40));
    expect_bad(parts, [&, text = text] { parse(text); });
  }
}

TEST(Parse, LimitsDepth) {
  const auto nested = [](size_t depth) { return "{\"a\": " + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}"; };
  EXPECT_TRUE(parse(nested(kMaxJsonDepth)).has("a"));
  expect_bad({"deeper than 32"}, [&] { parse(nested(kMaxJsonDepth + 1)); });
  expect_bad({"deeper than 32"}, [&] { parse("{\"a\": " + std::string(1'000'000, '[')); });
}

TEST(Parse, SkipsAByteOrderMarkAndKeepsDuplicatesApartByObject) {
  EXPECT_EQ(parse("\xef\xbb\xbf{\"a\": 1}").integer("a"), 1);
  EXPECT_EQ(parse(R"({"a": {"k": 1}, "k": 2, "b": {"k": 3}})").integer("k"), 2);
}

TEST(Getters, GiveTypedValues) {
  const JsonObject o = parse(R"({"i": 12, "n": -3, "d": 1e-12, "whole": 2.0, "t": true, "f": false, "s": "gelu é",
    "big": 9223372036854775807, "small": -9223372036854775808, "labels": {"0": "no", "10": "yes"}, "ids": {"no": 0, "yes": 10},
    "list": ["BertModel", ""], "eos": [1, 2], "one": 7, "nothing": null, "rope": {"theta": 5e5, "deep": {"x": 1}}})");
  EXPECT_EQ(o.integer("i"), 12);
  EXPECT_EQ(o.integer("i", {12, 12}), 12);
  EXPECT_EQ(o.integer("n", {-3, 0}), -3);
  EXPECT_EQ(o.integer("big"), INT64_MAX);
  EXPECT_EQ(o.integer("small"), INT64_MIN);
  EXPECT_EQ(o.number("d"), 1e-12);
  EXPECT_EQ(o.number("whole", {0, 2}), 2.0);
  EXPECT_EQ(o.number("i", {0, 100}), 12.0);
  EXPECT_TRUE(o.boolean("t"));
  EXPECT_FALSE(o.boolean("f"));
  EXPECT_EQ(o.string("s"), "gelu é");
  EXPECT_EQ(o.string_map("labels"), (std::map<std::string, std::string>{{"0", "no"}, {"10", "yes"}}));
  EXPECT_EQ(o.integer_map("ids", {0, 10}), (std::map<std::string, int64_t>{{"no", 0}, {"yes", 10}}));
  EXPECT_EQ(o.strings("list"), (Strings{"BertModel", ""}));
  EXPECT_EQ(o.integers("eos"), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(o.integers("one"), (std::vector<int64_t>{7}));
  EXPECT_EQ(o.object("rope").number("theta"), 5e5);
  EXPECT_EQ(o.object("rope").object("deep").integer("x"), 1);
  EXPECT_EQ(o.shown("labels"), R"({"0":"no","10":"yes"})");
}

TEST(Getters, TreatNullAsAbsent) {
  const JsonObject o = parse(R"({"nothing": null, "zero": 0})");
  for (const char* key : {"nothing", "missing"}) {
    EXPECT_FALSE(o.has(key));
    // Fallbacks stand outside the ranges on purpose: -1 for "none" must be possible.
    EXPECT_EQ(o.integer(key, {1, 9}, -1), -1);
    EXPECT_EQ(o.number(key, {0, 1}, 2.5), 2.5);
    EXPECT_TRUE(o.boolean(key, true));
    EXPECT_EQ(o.string(key, "gelu"), "gelu");
    EXPECT_TRUE(o.string_map(key).empty());
    EXPECT_TRUE(o.integer_map(key).empty());
    EXPECT_TRUE(o.strings(key).empty());
    EXPECT_TRUE(o.integers(key).empty());
    EXPECT_TRUE(o.object(key).keys().empty());
    EXPECT_EQ(o.shown(key), "null");
    const std::string named = "\"" + std::string(key) + "\" is missing";
    expect_bad({named, "an integer from 1 to 9"}, [&] { o.integer(key, {1, 9}); });
    expect_bad({named, "a number"}, [&] { o.number(key); });
    expect_bad({named, "true or false"}, [&] { o.boolean(key); });
    expect_bad({named, "a string"}, [&] { o.string(key); });
  }
  EXPECT_TRUE(o.has("zero"));
  EXPECT_EQ(o.integer("zero", {0, 9}, 5), 0);
}

TEST(Getters, NameTheKeyTheExpectationAndWhatCame) {
  const JsonObject o =
      parse(R"({"i": 70000, "real": 3.0, "text": "12", "t": true, "huge": 18446744073709551615, "list": [1, "a"],
    "negative": -1, "long": ")" +
            std::string(500, 'x') + R"(", "map": {"0": 1}, "inner": {"n": "x"}})");
  expect_bad({"\"i\": expected an integer from 1 to 65536, got 70000"}, [&] { o.integer("i", {1, 65536}); });
  expect_bad({"\"i\": expected an integer from 1 to 65536, got 70000"}, [&] { o.integer("i", {1, 65536}, 5); });
  expect_bad({"\"negative\": expected an integer of 0 or more, got -1"}, [&] { o.integer("negative", {0}); });
  expect_bad({"\"i\": expected an integer of 5 or less"}, [&] { o.integer("i", {INT64_MIN, 5}); });
  expect_bad({"\"real\": expected an integer, got 3.0"}, [&] { o.integer("real"); });
  expect_bad({"\"text\": expected an integer, got \"12\""}, [&] { o.integer("text"); });
  expect_bad({"\"t\": expected an integer, got true"}, [&] { o.integer("t"); });
  expect_bad({"\"huge\": expected an integer, got 18446744073709551615"}, [&] { o.integer("huge"); });
  expect_bad({"\"list\": expected an integer, got [1,\"a\"]"}, [&] { o.integer("list"); });
  expect_bad({"\"real\": expected a number from 0.0 to 1.0, got 3.0"}, [&] { o.number("real", {0, 1}); });
  expect_bad({"\"negative\": expected a number of 1e-30 or more, got -1"}, [&] { o.number("negative", {1e-30}, 1); });
  expect_bad({"\"text\": expected a number, got \"12\""}, [&] { o.number("text"); });
  expect_bad({"\"t\": expected a number, got true"}, [&] { o.number("t"); });
  expect_bad({"\"i\": expected true or false, got 70000"}, [&] { o.boolean("i"); });
  expect_bad({"\"text\": expected true or false"}, [&] { o.boolean("text", false); });
  expect_bad({"\"i\": expected a string, got 70000"}, [&] { o.string("i", "x"); });
  expect_bad({"\"long\": expected true or false, got \"xxxx", "xxx…"}, [&] { o.boolean("long"); });
  expect_bad({"\"map\": \"0\": expected a string, got 1"}, [&] { o.string_map("map"); });
  expect_bad({"\"text\": expected an object of strings"}, [&] { o.string_map("text"); });
  expect_bad({"\"map\": \"0\": expected an integer of 2 or more, got 1"}, [&] { o.integer_map("map", {2}); });
  expect_bad({"\"i\": expected an object of integers"}, [&] { o.integer_map("i"); });
  expect_bad({"\"list\"[0]: expected a string, got 1"}, [&] { o.strings("list"); });
  expect_bad({"\"text\": expected a list of strings"}, [&] { o.strings("text"); });
  expect_bad({"\"list\"[1]: expected an integer, got \"a\""}, [&] { o.integers("list"); });
  expect_bad({"\"text\": expected an integer"}, [&] { o.integers("text"); });
  expect_bad({"\"i\": expected an object, got 70000"}, [&] { o.object("i"); });
  expect_bad({"\"inner\": \"n\": expected an integer"}, [&] { o.object("inner").integer("n"); });
}

TEST(Getters, RecordWhatWasRead) {
  const JsonObject o = parse(R"({"a": 1, "b": {"x": 1, "y": 2}, "c": null, "d": 3, "e": 4})");
  EXPECT_EQ(o.keys(), (Strings{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(o.unread(), (Strings{"a", "b", "d", "e"}));
  EXPECT_EQ(o.shown("d"), "3");  // not a reading: it is for messages
  const JsonObject b = o.object("b");
  EXPECT_EQ(b.integer("y"), 2);
  EXPECT_EQ(b.unread(), Strings{"x"});
  const JsonObject copy = o;
  EXPECT_EQ(copy.integer("a"), 1);
  EXPECT_TRUE(o.has("e"));
  EXPECT_EQ(o.unread(), Strings{"d"});
}

TEST(Getters, OutliveTheObjectTheyCameFrom) {
  const auto inner = [] { return parse(R"({"o": {"x": "kept"}})").object("o"); }();
  EXPECT_EQ(inner.string("x"), "kept");
  EXPECT_EQ(inner.where(), "config.json: \"o\"");
}

TEST(Edit, SetsAndRemovesOneMember) {
  const std::string text = R"({"model_type": "bert", "torch_dtype": "float16", "id2label": {"0": "no \"é\""}})";
  const std::string edited = with_member(without_member(text, "torch_dtype"), "dtype", "float32");
  EXPECT_EQ(edited, R"({
  "dtype": "float32",
  "id2label": {
    "0": "no \"é\""
  },
  "model_type": "bert"
}
)");
  EXPECT_EQ(parse(with_member(edited, "dtype", "bfloat16")).string("dtype"), "bfloat16");
  EXPECT_EQ(without_member(edited, "absent"), edited);
}

TEST(Edit, RefusesWhatJsonCannotHold) {
  expect_error(ErrorCode::bad_config, {"config.json", "JSON object"}, [] { with_member("[1]", "a", "b"); });
  expect_error(ErrorCode::bad_config, {"config.json", "not valid JSON", "line 1"}, [] { without_member("{", "a"); });
  expect_error(ErrorCode::bad_config, {"config.json", "UTF-8"}, [] { with_member("{}", "a", "\xff"); });
}

}  // namespace
}  // namespace glass
