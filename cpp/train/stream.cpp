#include "train/stream.h"

#include <cstdio>

#include "tensor/error.h"

namespace glass {
namespace {

constexpr int32_t kMostTokens = 1 << 16;

bool read_values(std::FILE* in, std::vector<int32_t>& values, size_t count) {
  values.resize(count);
  return std::fread(values.data(), sizeof(int32_t), count, in) == count;
}

}  // namespace

std::string read_line(std::FILE* in) {
  std::string line;
  for (int c = std::fgetc(in); c != EOF && c != '\n'; c = std::fgetc(in)) line += static_cast<char>(c);
  return line;
}

std::vector<Example> read_examples(std::FILE* in, size_t most) {
  std::vector<Example> examples;
  std::vector<int32_t> counts;
  while (examples.size() < most && read_values(in, counts, 5)) {
    for (const int32_t count : counts)
      if (count < 0 || count > kMostTokens)
        throw_error(ErrorCode::bad_input, {"example stream: expected a count from 0 to 65536, got ", count});
    Example e;
    if (!read_values(in, e.ids, static_cast<size_t>(counts[0])) || !read_values(in, e.types, static_cast<size_t>(counts[1])) ||
        !read_values(in, e.decoder_ids, static_cast<size_t>(counts[2])) ||
        !read_values(in, e.labels, static_cast<size_t>(counts[3])) || !read_values(in, e.links, static_cast<size_t>(counts[4])))
      throw_error(ErrorCode::bad_input, {"example stream: it ends inside an example"});
    examples.push_back(std::move(e));
  }
  return examples;
}

std::vector<uint8_t> read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) throw_error(ErrorCode::not_found, {"cannot open ", path});
  std::vector<uint8_t> bytes;
  uint8_t block[1 << 16];
  for (size_t n; (n = std::fread(block, 1, sizeof block, file)) > 0;) bytes.insert(bytes.end(), block, block + n);
  std::fclose(file);
  return bytes;
}

void write_file(const std::string& path, const std::vector<uint8_t>& bytes) {
  const std::string partial = path + ".partial";
  std::FILE* file = std::fopen(partial.c_str(), "wb");
  bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (file) written = std::fclose(file) == 0 && written;
  if (!written || std::rename(partial.c_str(), path.c_str()) != 0) throw_error(ErrorCode::not_found, {"cannot write ", path});
}

}  // namespace glass
