// Safetensors files: only glass::Error may come out, and what the reader accepts must hold what it promises and survive
// rewriting.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "io/safetensors.h"
#include "tensor/error.h"

namespace {

using namespace glass;

void require(bool holds) {
  if (!holds) std::abort();
}

bool by_name(const TensorEntry& a, const TensorEntry& b) { return a.name < b.name; }

// Entries written and read again are the same but for their places in the file.
void rewrite(std::vector<TensorEntry> entries) {
  const std::vector<uint8_t> head = write_header(entries);
  std::vector<TensorEntry> back = read_header(head, entries.empty() ? head.size() : entries.back().end, "rewritten");
  std::sort(entries.begin(), entries.end(), by_name);
  std::sort(back.begin(), back.end(), by_name);
  require(back.size() == entries.size());
  for (size_t i = 0; i < back.size(); ++i) {
    require(back[i].name == entries[i].name && back[i].dtype == entries[i].dtype && back[i].shape == entries[i].shape);
    require(back[i].begin == entries[i].begin && back[i].end == entries[i].end);
    require(back[i].begin % dtype_width(back[i].dtype) == 0);
  }
}

// F32, F16 and BF16 come back bit for bit, except that a NaN may become another NaN.
void convert(const TensorEntry& entry, std::span<const uint8_t> bytes) {
  std::vector<float> values(static_cast<size_t>(entry.count()));
  to_float(entry.dtype, bytes, values, entry.name);
  std::vector<uint8_t> again(bytes.size());
  from_float(entry.dtype, values, again, entry.name);
  const auto width = static_cast<size_t>(dtype_width(entry.dtype));
  for (size_t i = 0; i < values.size(); ++i) {
    require(values[i] != values[i] || std::memcmp(&bytes[i * width], &again[i * width], width) == 0);
  }
}

void read_file(std::span<const uint8_t> file) {
  std::vector<TensorEntry> entries;
  try {
    entries = read_header(file, file.size(), "fuzz.safetensors");
  } catch (const Error&) {
    return;
  }
  uint64_t reached = header_size(file, file.size(), "fuzz.safetensors");
  for (const TensorEntry& entry : entries) {
    require(entry.begin == reached && entry.end - entry.begin == entry.count() * dtype_width(entry.dtype));
    reached = entry.end;
    const bool floats = entry.dtype == DType::f32 || entry.dtype == DType::f16 || entry.dtype == DType::bf16;
    if (floats) convert(entry, file.subspan(static_cast<size_t>(entry.begin), static_cast<size_t>(entry.end - entry.begin)));
  }
  require(reached == file.size());
  rewrite(entries);
}

}  // namespace

// An input is read twice: as a file, and, so that mutations need not keep the length at its front right, as a header alone:
// one byte for the size of the data and then the JSON.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_file({data, size});
  if (size == 0) return 0;
  const uint64_t length = size - 1;
  std::vector<uint8_t> file(8 + size - 1 + data[0], 0x3c);  // data of 0x3c3c: 1.06 in F16
  std::memcpy(file.data(), &length, 8);
  std::memcpy(file.data() + 8, data + 1, size - 1);
  read_file(file);
  return 0;
}
