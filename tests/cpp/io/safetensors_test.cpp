// Headers good and malformed, the writer against the reader, conversions of tensors, and files that Python wrote.
#include "io/safetensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cpp/io/expect_error.h"

namespace glass {
namespace {

using Bytes = std::vector<uint8_t>;

// A file of this header and `data` bytes of zeros.
Bytes file_of(const std::string& json, size_t data) {
  const uint64_t length = json.size();
  Bytes file(8 + json.size() + data);
  std::memcpy(file.data(), &length, 8);
  std::memcpy(file.data() + 8, json.data(), json.size());
  return file;
}

std::vector<TensorEntry> read(const Bytes& file) { return read_header(file, file.size(), "m.safetensors"); }

TEST(ReadHeader, ListsTensorsInTheOrderOfTheirBytes) {
  const std::string json = R"({"__metadata__":{"format":"pt"},)"
                           R"("b":{"dtype":"F16","shape":[2,3],"data_offsets":[4,16]},)"
                           R"("a":{"shape":[],"data_offsets":[0,4],"dtype":"F32"},)"
                           R"("none":{"dtype":"I64","shape":[0,5],"data_offsets":[16,16]},)"
                           R"("é\n":{"dtype":"BOOL","shape":[1],"data_offsets":[16,17]}}   )";
  const Bytes file = file_of(json, 17);
  const auto entries = read(file);
  ASSERT_EQ(entries.size(), 4u);
  const uint64_t data = 8 + json.size();
  EXPECT_EQ(entries[0].name, "a");
  EXPECT_EQ(entries[0].dtype, DType::f32);
  EXPECT_TRUE(entries[0].shape.empty());
  EXPECT_EQ(entries[0].count(), 1u);
  EXPECT_EQ(entries[0].begin, data);
  EXPECT_EQ(entries[0].end, data + 4);
  EXPECT_EQ(entries[1].name, "b");
  EXPECT_EQ(entries[1].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(entries[1].count(), 6u);
  EXPECT_EQ(entries[1].begin, data + 4);
  EXPECT_EQ(entries[2].name, "none");
  EXPECT_EQ(entries[2].count(), 0u);
  EXPECT_EQ(entries[2].begin, entries[2].end);
  EXPECT_EQ(entries[3].name, "é\n");
  EXPECT_EQ(entries[3].end, file.size());
}

TEST(ReadHeader, TakesAFileWithoutTensorsAndEveryType) {
  EXPECT_TRUE(read(file_of("{}", 0)).empty());
  for (DType dtype : kDTypes) {
    const auto width = static_cast<size_t>(dtype_width(dtype));
    const std::string json = R"({"x":{"dtype":")" + std::string(dtype_name(dtype)) + R"(","shape":[3],"data_offsets":[0,)" +
                             std::to_string(3 * width) + "]}}";
    EXPECT_EQ(read(file_of(json, 3 * width)).at(0).dtype, dtype);
  }
}

TEST(ReadHeader, NeedsOnlyTheHeadOfTheFile) {
  const std::string json = R"({"x":{"dtype":"F32","shape":[1000000,1000000],"data_offsets":[0,4000000000000]}})";
  const Bytes head = file_of(json, 0);
  const uint64_t file_size = head.size() + 4'000'000'000'000;
  EXPECT_EQ(header_size(std::span(head).first(8), file_size, "m"), head.size());
  EXPECT_EQ(read_header(head, file_size, "m").at(0).end, file_size);
  expect_error(ErrorCode::bad_input, {"m: ", "first 8 bytes"}, [&] { header_size(std::span(head).first(7), file_size, "m"); });
  expect_error(ErrorCode::bad_input, {"m: ", "first 88 bytes", "got 60"},
               [&] { read_header(std::span(head).first(60), file_size, "m"); });
}

struct Malformed {
  const char* what;
  std::string json;
  size_t data;
  std::vector<std::string> parts;
};

// A header of one tensor "x" from the text of its fields.
std::string x(const std::string& fields) { return R"({"x":{)" + fields + "}}"; }

TEST(ReadHeader, RefusesMalformedHeaders) {
  const std::string good_y = R"("y":{"dtype":"U8","shape":[4],"data_offsets":[4,8]})";
  const std::string deep(100'000, '[');
  const std::vector<Malformed> cases = {
      {"empty header", "", 0, {"begins with {"}},
      {"white space first", " {}", 0, {"begins with {", "\" {}\""}},
      {"byte order mark", "\xef\xbb\xbf{}", 0, {"begins with {"}},
      {"a list", "[]", 0, {"begins with {", "\"[]\""}},
      {"unclosed", "{", 0, {"not valid JSON", "line 1, column 2", "end of input"}},
      {"text after", "{}x", 0, {"not valid JSON", "column 3"}},
      {"second object", "{}{}", 0, {"not valid JSON", "column 3"}},
      {"zero byte", std::string("{}\0 ", 4), 0, {"zero byte", "column 3"}},
      {"comment", "{/* */}", 0, {"not valid JSON", "column 2"}},
      {"trailing comma", x(R"("dtype":"U8","shape":[1,],"data_offsets":[0,1])"), 1, {"not valid JSON", "unexpected ']'"}},
      {"bad UTF-8", "{\"\xff\":1}", 0, {"not valid JSON", "ill-formed UTF-8"}},
      {"overlong UTF-8", "{\"\xc0\x80\":1}", 0, {"not valid JSON", "ill-formed UTF-8"}},
      {"lone surrogate", R"({"\ud800":1})", 0, {"not valid JSON", "surrogate"}},
      {"tensor is no object", R"({"x":3})", 0, {"tensor \"x\"", "dtype, shape and data_offsets", "got 3"}},
      {"tensor is null", R"({"x":null})", 0, {"tensor \"x\"", "got null"}},
      {"tensor is a list", R"({"x":[]})", 0, {"tensor \"x\"", "got a list"}},
      {"deep nesting", R"({"x":)" + deep, 0, {"tensor \"x\"", "got a list"}},
      {"metadata is no object", R"({"__metadata__":"pt"})", 0, {"__metadata__", "object of strings", "\"pt\""}},
      {"metadata holds a number", R"({"__metadata__":{"step":7}})", 0, {"__metadata__: \"step\"", "a string", "got 7"}},
      {"metadata holds an object", R"({"__metadata__":{"a":{}}})", 0, {"__metadata__: \"a\"", "a string", "an object"}},
      {"metadata key twice", R"({"__metadata__":{"a":"","a":""}})", 0, {"__metadata__: \"a\"", "twice"}},
      {"metadata twice", R"({"__metadata__":{},"__metadata__":{}})", 0, {"__metadata__", "twice"}},
      {"no dtype", x(R"("shape":[1],"data_offsets":[0,1])"), 1, {"tensor \"x\"", "dtype is missing"}},
      {"no shape", x(R"("dtype":"U8","data_offsets":[0,1])"), 1, {"tensor \"x\"", "shape is missing"}},
      {"no offsets", x(R"("dtype":"U8","shape":[1])"), 1, {"tensor \"x\"", "data_offsets is missing"}},
      {"no fields", x(""), 0, {"tensor \"x\"", "dtype is missing"}},
      {"extra field", x(R"("dtype":"U8","strides":[1])"), 1, {"tensor \"x\"", "only dtype", "\"strides\""}},
      {"dtype twice", x(R"("dtype":"U8","dtype":"I8")"), 1, {"tensor \"x\": dtype is there twice"}},
      {"dtype unknown", x(R"("dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1])"), 1, {"dtype", "BF16", "\"F8_E4M3\""}},
      {"dtype of another case", x(R"("dtype":"f32","shape":[1],"data_offsets":[0,4])"), 4, {"dtype", "\"f32\""}},
      {"dtype a number", x(R"("dtype":32)"), 0, {"tensor \"x\": dtype", "a string", "got 32"}},
      {"shape a number", x(R"("dtype":"U8","shape":1,"data_offsets":[0,1])"), 1, {"shape", "a list of sizes", "got 1"}},
      {"negative size", x(R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])"), 1, {"shape", "whole numbers", "got -1"}},
      {"fractional size", x(R"("dtype":"U8","shape":[1.0],"data_offsets":[0,1])"), 1, {"shape", "whole numbers", "got 1.0"}},
      {"size as text", x(R"("dtype":"U8","shape":["1"],"data_offsets":[0,1])"), 1, {"shape", "got \"1\""}},
      {"size null", x(R"("dtype":"U8","shape":[null],"data_offsets":[0,1])"), 1, {"shape", "got null"}},
      {"nested shape", x(R"("dtype":"U8","shape":[[1]],"data_offsets":[0,1])"), 1, {"shape", "got a list"}},
      {"size past 2^63", x(R"("dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1])"), 1, {"shape", "2^63"}},
      {"size past 2^64", x(R"("dtype":"U8","shape":[99999999999999999999],"data_offsets":[0,1])"), 1, {"shape", "2^63"}},
      {"product overflows",
       x(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])"),
       0,
       {"than can be counted"}},
      {"bytes overflow", x(R"("dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0])"), 0, {"than can be counted"}},
      {"overflow hidden by a zero",
       x(R"("dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,0])"),
       0,
       {"than can"}},
      {"65 dimensions",
       x("\"dtype\":\"U8\",\"shape\":[1" +
         [] {
           std::string ones;
           for (int i = 0; i < 64; ++i) ones += ",1";
           return ones;
         }() +
         "],\"data_offsets\":[0,1]"),
       1,
       {"at most 64 dimensions"}},
      {"one offset", x(R"("dtype":"U8","shape":[1],"data_offsets":[0])"), 1, {"data_offsets", "two numbers, got 1"}},
      {"three offsets", x(R"("dtype":"U8","shape":[1],"data_offsets":[0,1,2])"), 1, {"data_offsets", "two", "got 2"}},
      {"negative offset", x(R"("dtype":"U8","shape":[1],"data_offsets":[-1,0])"), 1, {"data_offsets", "got -1"}},
      {"offset past 2^64",
       x(R"("dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551616])"),
       1,
       {"data_offsets", "2^64"}},
      {"offsets reversed", x(R"("dtype":"U8","shape":[1],"data_offsets":[1,0])"), 1, {"\"x\"", "[1, 0]", "before they begin"}},
      {"past the end", x(R"("dtype":"U8","shape":[8],"data_offsets":[0,8])"), 7, {"\"x\"", "past the end", "7 bytes"}},
      {"far past the end",
       x(R"("dtype":"U8","shape":[1],"data_offsets":[18446744073709551614,18446744073709551615])"),
       1,
       {"\"x\"", "past the end"}},
      {"too long for its shape", x(R"("dtype":"F32","shape":[2],"data_offsets":[0,9])"), 9, {"F32 [2]", "8 bytes", "hold 9"}},
      {"too short for its shape", x(R"("dtype":"F32","shape":[2,3],"data_offsets":[0,8])"), 8, {"F32 [2, 3]", "24 bytes"}},
      {"scalar of two", x(R"("dtype":"F32","shape":[],"data_offsets":[0,8])"), 8, {"F32 []", "4 bytes", "hold 8"}},
      {"a hole at the front", x(R"("dtype":"U8","shape":[4],"data_offsets":[1,5])"), 5, {"1 bytes before tensor \"x\""}},
      {"a hole between",
       R"({"x":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)" + good_y + "}",
       8,
       {"1 bytes before tensor \"y\""}},
      {"an overlap",
       R"({"x":{"dtype":"U8","shape":[6],"data_offsets":[0,6]},)" + good_y + "}",
       8,
       {"tensors \"x\" and \"y\" overlap by 2 bytes"}},
      {"the same bytes", R"({"x":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)" + good_y + "}", 8, {"overlap by 4"}},
      {"empty inside another",
       R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[6,6]},)" + good_y + "}",
       8,
       {"4 bytes before"}},
      {"bytes left over", x(R"("dtype":"U8","shape":[4],"data_offsets":[0,4])"), 7, {"3 bytes at the end"}},
      {"bytes without tensors", "{}", 5, {"5 bytes at the end"}},
      {"name twice", R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"x":{}})", 0, {"tensor \"x\" is listed twice"}},
      {"name twice, escaped",
       R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"\u0078":{}})",
       0,
       {"\"x\" is listed twice"}},
      {"long name in the message", "{\"" + std::string(1000, 'n') + "\":1}", 0, {"tensor \"" + std::string(60, 'n') + "…\""}},
  };
  for (const Malformed& c : cases) {
    SCOPED_TRACE(c.what);
    std::vector<std::string> parts = c.parts;
    parts.insert(parts.begin(), "m.safetensors: ");
    expect_error(ErrorCode::bad_weights, parts, [&] { read(file_of(c.json, c.data)); });
  }
}

TEST(ReadHeader, RefusesBadLengths) {
  const Bytes good = file_of(x(R"("dtype":"U8","shape":[4],"data_offsets":[0,4])"), 4);
  const auto with_length = [&](uint64_t length) {
    Bytes file = good;
    std::memcpy(file.data(), &length, 8);
    return file;
  };
  const auto refused = [](const Bytes& file, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::bad_weights, parts, [&] { read(file); });
  };
  refused({}, {"m.safetensors: expected a safetensors file", "0 bytes"});
  refused(Bytes(7, 0), {"7 bytes"});
  refused(with_length(0), {"begins with {", "got \"\""});
  refused(with_length(good.size() - 7), {"ends inside its header"});
  refused(with_length(kMaxHeaderBytes), {"ends inside its header"});
  refused(with_length(kMaxHeaderBytes + 1), {"at most 100000000 bytes", "100000001"});
  refused(with_length(UINT64_MAX), {"at most 100000000 bytes", "18446744073709551615"});
  refused(with_length(UINT64_MAX - 7), {"at most 100000000 bytes"});
  // Every shorter file is refused too: nothing may be missing at the end.
  for (size_t size = 0; size < good.size(); ++size)
    refused(Bytes(good.begin(), good.begin() + static_cast<long>(size)), {"m.safe"});
  EXPECT_EQ(read(good).size(), 1u);
}

TEST(ReadHeader, SaysWhatOtherKindOfFileItGot) {
  for (const auto& [text, kind] :
       std::vector<std::pair<std::string, std::string>>{{"PK\x03\x04 and a zip's other bytes", "PyTorch"},
                                                        {"version https://git-lfs.github.com/spec/v1", "Git LFS pointer"},
                                                        {"<!DOCTYPE html><html></html>", "web page"},
                                                        {"{\"hidden_size\": 128}", "plain JSON"},
                                                        {"GGUF and more bytes", "GGUF"}}) {
    expect_error(ErrorCode::bad_weights, {"m.safetensors", kind}, [&, text = text] { read(Bytes(text.begin(), text.end())); });
  }
}

TEST(WriteHeader, ReadsBackWithAlignedData) {
  std::vector<TensorEntry> entries(5);
  entries[0] = {"bytes", DType::u8, {3}};
  entries[1] = {"half \"quoted\" \\ é\n", DType::f16, {5, 1}};
  entries[2] = {"scalar", DType::f32, {}};
  entries[3] = {"none", DType::f32, {0, 7}};
  entries[4] = {"long", DType::i64, {2}};
  Bytes file = write_header(entries);
  EXPECT_EQ(file.size() % 8, 0u);
  std::vector<std::string> order;
  for (const TensorEntry& entry : entries) {
    order.push_back(entry.name);
    EXPECT_EQ(entry.begin % dtype_width(entry.dtype), 0u) << entry.name;
  }
  EXPECT_EQ(order, (std::vector<std::string>{"long", "scalar", "none", "half \"quoted\" \\ é\n", "bytes"}));
  EXPECT_EQ(header_size(file, entries.back().end, "m"), file.size());
  const auto back = read_header(file, entries.back().end, "m");
  ASSERT_EQ(back.size(), entries.size());
  for (const TensorEntry& entry : entries) {
    const auto found = std::find_if(back.begin(), back.end(), [&](const TensorEntry& b) { return b.name == entry.name; });
    ASSERT_NE(found, back.end());
    EXPECT_EQ(found->dtype, entry.dtype);
    EXPECT_EQ(found->shape, entry.shape);
    EXPECT_EQ(found->begin, entry.begin);
    EXPECT_EQ(found->end, entry.end);
  }
  const std::string json(file.begin() + 8, file.end());
  EXPECT_EQ(json.find(R"({"__metadata__":{"format":"pt"},)"), 0u);
}

TEST(WriteHeader, WritesNoMetadataIfThereIsNone) {
  std::vector<TensorEntry> none;
  const Bytes file = write_header(none, {});
  EXPECT_EQ(std::string(file.begin() + 8, file.end()), "{}      ");
  EXPECT_TRUE(read(file).empty());
}

TEST(WriteHeader, RefusesWhatNoReaderWouldTake) {
  const auto refused = [](std::vector<TensorEntry> entries, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::bad_input, parts, [&] { write_header(entries); });
  };
  refused({{"a", DType::f32, {1}}, {"a", DType::f32, {2}}}, {"tensor \"a\"", "already taken"});
  refused({{"__metadata__", DType::f32, {1}}}, {"__metadata__", "already taken"});
  refused({{"a", DType::f32, {2, -3}}}, {"tensor \"a\"", "[2, -3]"});
  refused({{"a", DType::f32, {int64_t{1} << 40, int64_t{1} << 40}}}, {"tensor \"a\"", "counted"});
  refused({{"a", DType::u8, {INT64_MAX}}, {"b", DType::u8, {1}}}, {"tensor \"b\"", "counted"});
  refused({{"a", DType::u8, std::vector<int64_t>(65, 1)}}, {"tensor \"a\"", "64 dimensions"});
  refused({{"\xff", DType::f32, {1}}}, {"safetensors header", "UTF-8"});
}

TEST(Convert, FloatsComeBackFromEachType) {
  const std::vector<float> values = {0.0f, -0.0f, 1.0f, -2.5f, 0x1p-24f, 65504.0f, 0.25f};     // exact in F16
  const std::vector<float> small = {0.0f, -0.0f, 1.0f, -2.5f, 0x1p-130f, 0x1.fep127f, 0.25f};  // exact in BF16
  for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const std::vector<float>& in = dtype == DType::bf16 ? small : values;
    Bytes bytes(in.size() * static_cast<size_t>(dtype_width(dtype)));
    from_float(dtype, in, bytes, "w");
    std::vector<float> out(in.size());
    to_float(dtype, bytes, out, "w");
    for (size_t i = 0; i < in.size(); ++i) {
      EXPECT_EQ(out[i], in[i]);
      EXPECT_EQ(std::signbit(out[i]), std::signbit(in[i]));
    }
    to_float(dtype, {}, {}, "w");
    from_float(dtype, {}, {}, "w");
  }
}

TEST(Convert, RefusesOtherTypesAndWrongSizesByName) {
  std::vector<float> floats(2);
  Bytes bytes(16);
  for (DType dtype : {DType::f64, DType::i64, DType::i32, DType::i16, DType::i8, DType::u8, DType::boolean}) {
    const auto width = static_cast<size_t>(dtype_width(dtype));
    const std::string name(dtype_name(dtype));
    expect_error(ErrorCode::bad_weights, {"tensor \"w\"", "expected F32, F16 or BF16, got " + name},
                 [&] { to_float(dtype, std::span(bytes).first(2 * width), floats, "w"); });
    expect_error(ErrorCode::bad_input, {"tensor \"w\"", "not as " + name},
                 [&] { from_float(dtype, floats, std::span(bytes).first(2 * width), "w"); });
  }
  for (size_t wrong : {0, 7, 9, 12, 16}) {
    expect_error(ErrorCode::bad_input, {"tensor \"w\"", "4 bytes for each of 2", std::to_string(wrong)},
                 [&] { to_float(DType::f32, std::span(bytes).first(wrong), floats, "w"); });
    expect_error(ErrorCode::bad_input, {"tensor \"w\"", "4 bytes for each of 2", std::to_string(wrong)},
                 [&] { from_float(DType::f32, floats, std::span(bytes).first(wrong), "w"); });
  }
}

TEST(Convert, RefusesFiniteValuesThatWouldBecomeInfinite) {
  Bytes bytes(6);
  expect_error(ErrorCode::bad_input, {"tensor \"w\"", "65520", "too large for F16"}, [&] {
    from_float(DType::f16, std::vector<float>{1.0f, -65520.0f, 2.0f}, bytes, "w");
  });
  expect_error(ErrorCode::bad_input, {"tensor \"w\"", "too large for BF16"}, [&] {
    from_float(DType::bf16, std::vector<float>{1.0f, 3.4e38f, 2.0f}, bytes, "w");
  });
  // What is not finite already is written as it is.
  std::vector<float> out(3);
  from_float(DType::f16, std::vector<float>{INFINITY, -INFINITY, NAN}, bytes, "w");
  to_float(DType::f16, bytes, out, "w");
  EXPECT_EQ(out[0], INFINITY);
  EXPECT_EQ(out[1], -INFINITY);
  EXPECT_TRUE(std::isnan(out[2]));
}

Bytes bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// Files of Python's safetensors, and the same tensors through the writer here.
TEST(Golden, FilesFromPythonReadAndRewrite) {
  const std::filesystem::path golden = std::filesystem::path(GLASS_SOURCE_DIR) / "tests/reference/golden";
  int files = 0;
  for (const auto& item : std::filesystem::recursive_directory_iterator(golden)) {
    if (item.path().extension() != ".safetensors") continue;
    SCOPED_TRACE(item.path().string());
    const Bytes file = bytes_of_file(item.path());
    const auto entries = read(file);
    EXPECT_FALSE(entries.empty());
    auto rewritten = entries;
    Bytes copy = write_header(rewritten);
    for (const TensorEntry& entry : rewritten) {
      const auto source =
          std::find_if(entries.begin(), entries.end(), [&](const TensorEntry& e) { return e.name == entry.name; });
      EXPECT_EQ(copy.size(), entry.begin);
      copy.insert(copy.end(), file.begin() + static_cast<long>(source->begin), file.begin() + static_cast<long>(source->end));
    }
    EXPECT_EQ(read(copy).size(), entries.size());
    ++files;
  }
  EXPECT_GT(files, 10);
}

TEST(Golden, ConversionsEqualPyTorchs) {
  const Bytes file = bytes_of_file(std::filesystem::path(GLASS_SOURCE_DIR) / "tests/reference/golden/dtypes.safetensors");
  std::map<std::string, std::pair<DType, std::span<const uint8_t>>> tensors;
  for (const TensorEntry& entry : read(file)) {
    const auto bytes = std::span(file).subspan(static_cast<size_t>(entry.begin), static_cast<size_t>(entry.end - entry.begin));
    tensors[entry.name] = {entry.dtype, bytes};
  }
  const auto floats = [&](const std::string& name) {
    const auto& [dtype, bytes] = tensors.at(name);
    std::vector<float> out(bytes.size() / static_cast<size_t>(dtype_width(dtype)));
    to_float(dtype, bytes, out, name);
    return out;
  };
  const std::vector<float> values = floats("f32");
  ASSERT_EQ(values.size(), 512u);
  for (const auto& [name, dtype] : {std::pair{"f16", DType::f16}, std::pair{"bf16", DType::bf16}}) {
    Bytes narrowed(values.size() * 2);
    from_float(dtype, values, narrowed, name);
    const auto expected = tensors.at(name).second;
    EXPECT_TRUE(std::equal(narrowed.begin(), narrowed.end(), expected.begin(), expected.end())) << name;
    EXPECT_EQ(floats(name), floats(std::string(name) + "_as_f32")) << name;
  }
}

}  // namespace
}  // namespace glass
