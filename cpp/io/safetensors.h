// The safetensors file format: 8 bytes of header length (little-endian), a JSON header, then the tensors' bytes without a gap.
// https://github.com/huggingface/safetensors#format
// Reading and writing are done in parts, so that a file is never in memory as a whole: the header here, then each tensor's
// bytes, fetched and converted one at a time, in the order of the entries.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/dtype.h"

namespace glass {

struct TensorEntry {
  std::string name;
  DType dtype = DType::f32;
  std::vector<int64_t> shape;  // empty: a scalar
  uint64_t begin = 0;          // the tensor's bytes in the file are [begin, end), counted from its first byte
  uint64_t end = 0;

  // Elements: the product of the shape. Entries from `read_header` and `write_header` do not overflow.
  uint64_t count() const;
};

// The format's own limit for the JSON header, in bytes, and this reader's for the dimensions of a tensor (PyTorch's).
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;
inline constexpr size_t kMaxRank = 64;

// How many bytes of the file `read_header` wants: the length and the JSON. `head` is the file's first 8 bytes or more.
// Throws bad_weights if the file is too short for its header or the length is no sensible one (saying so if it is another kind
// of file: a PyTorch archive, a Git LFS pointer, a web page), bad_input if `head` has under 8 bytes of a file that has them.
uint64_t header_size(std::span<const uint8_t> head, uint64_t file_size, std::string_view file_name);

// The tensors of a file of `file_size` bytes that begins with `head`, in the order of their bytes. `file_name` is for messages.
// Everything that the header claims is checked against the format and the file's size: after this, the ranges tile the file
// from the header's end to the last byte, and each is as long as its shape and dtype say. Nothing is allocated by claimed
// sizes. Throws bad_weights naming the tensor and the fault; bad_input if `head` is shorter than `header_size` says.
std::vector<TensorEntry> read_header(std::span<const uint8_t> head, uint64_t file_size, std::string_view file_name);

// The first bytes of a new file. Entries come with name, dtype and shape; begin and end are set here. They may be reordered:
// wider types first, otherwise as they came, so that every tensor is aligned to its width. The tensors' bytes follow in their
// new order. transformers refuses a file whose metadata has no "format". Throws bad_input for a name that comes twice, is
// "__metadata__" or is not UTF-8, for negative sizes and for overflow.
std::vector<uint8_t> write_header(std::vector<TensorEntry>& entries,
                                  const std::map<std::string, std::string>& metadata = {{"format", "pt"}});

// Converts F32, F16 or BF16 elements; `bytes` need not be aligned and may be a part of the tensor. `name` is for messages.
// Throws bad_weights for other types (weights of integers are a quantised or broken model, which nothing here could run), and
// bad_input unless bytes.size() == out.size() * dtype_width(dtype).
void to_float(DType dtype, std::span<const uint8_t> bytes, std::span<float> out, std::string_view name);

// The reverse, rounded to nearest even. Throws bad_input for a type other than those three, for a finite value that would
// become infinite (F16 ends at 65504), and unless out.size() == values.size() * dtype_width(dtype).
void from_float(DType dtype, std::span<const float> values, std::span<uint8_t> out, std::string_view name);

}  // namespace glass
