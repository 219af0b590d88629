#include "io/safetensors.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "io/half.h"
#include "io/safetensors_header.h"
#include "io/text.h"

namespace glass {

namespace {

constexpr size_t kLengthBytes = 8;

// `product` * `factor`, or false if it passes what an int64_t holds.
bool multiply(uint64_t& product, uint64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product) && product <= uint64_t{INT64_MAX};
}

// Bytes of a tensor, or false if the product overflows.
bool byte_count(const TensorEntry& entry, uint64_t& bytes) {
  bytes = dtype_width(entry.dtype);
  for (int64_t size : entry.shape) {
    if (!multiply(bytes, static_cast<uint64_t>(size))) return false;
  }
  return true;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

// A guess at what a file is that cannot be safetensors, for the message.
std::string other_kind(std::string_view first) {
  if (first.starts_with("PK\x03\x04")) return " (a zip archive, as PyTorch's .bin files are)";
  if (first.starts_with("version ")) return " (a Git LFS pointer: the file itself was not downloaded)";
  if (first.starts_with("GGUF")) return " (a GGUF file)";
  if (first.starts_with("<")) return " (a web page or XML)";
  if (first.starts_with("{")) return " (plain JSON)";
  return "";
}

[[noreturn]] void bad_file(std::string_view file_name, std::initializer_list<Part> message) {
  throw_error(ErrorCode::bad_weights, {printable(file_name), ": ", joined(message)});
}

// What one tensor claims, against the bytes there are. Makes its range absolute.
void check_range(TensorEntry& entry, uint64_t data_begin, uint64_t data_size, std::string_view file_name) {
  const auto fail = [&](std::initializer_list<Part> message) {
    bad_file(file_name, {"tensor ", in_quotes(entry.name), ": ", joined(message)});
  };
  const std::string range = "[" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + "]";
  if (entry.begin > entry.end) fail({"data_offsets ", range, " end before they begin"});
  if (entry.end > data_size) {
    fail(
        {"data_offsets ", range, " reach past the end of the file, which has ", data_size, " bytes of data: is it cut short?"});
  }
  uint64_t bytes = 0;
  const std::string what = std::string(dtype_name(entry.dtype)) + " " + shape_text(entry.shape);
  if (!byte_count(entry, bytes)) fail({what, " has more bytes than can be counted"});
  if (bytes != entry.end - entry.begin) {
    fail({what, " takes ", bytes, " bytes, but data_offsets ", range, " hold ", entry.end - entry.begin});
  }
  entry.begin += data_begin;
  entry.end += data_begin;
}

// The ranges, in the order of their bytes, must tile [data_begin, file_size).
void check_tiling(const std::vector<TensorEntry>& entries, uint64_t data_begin, uint64_t file_size,
                  std::string_view file_name) {
  uint64_t reached = data_begin;
  const std::string* last = nullptr;
  for (const TensorEntry& entry : entries) {
    if (entry.begin < reached) {
      bad_file(file_name,
               {"tensors ", in_quotes(*last), " and ", in_quotes(entry.name), " overlap by ", reached - entry.begin, " bytes"});
    }
    if (entry.begin > reached) {
      bad_file(file_name, {entry.begin - reached, " bytes before tensor ", in_quotes(entry.name), " belong to no tensor"});
    }
    reached = entry.end;
    last = &entry.name;
  }
  if (reached < file_size) {
    bad_file(file_name, {file_size - reached, " bytes at the end of the file belong to no tensor"});
  }
}

void check_bytes(DType dtype, size_t bytes, size_t count, std::string_view name) {
  if (bytes / dtype_width(dtype) != count || bytes % dtype_width(dtype) != 0) {
    throw_error(ErrorCode::bad_input, {"tensor ", in_quotes(name), ": expected ", dtype_width(dtype), " bytes for each of ",
                                       count, " elements, got ", bytes, " bytes"});
  }
}

// Equals stay in their order. Not a template, so that there is one sort in the binary.
void sort(std::vector<TensorEntry>& entries, bool (*before)(const TensorEntry&, const TensorEntry&)) {
  std::stable_sort(entries.begin(), entries.end(), before);
}

// The largest finite magnitude among `values`, found on the bits, whose order is that of the magnitudes.
float largest_finite(std::span<const float> values) {
  uint32_t largest = 0;
  for (float value : values) {
    const uint32_t magnitude = float_bits(value) & 0x7fffffffu;
    largest = std::max(largest, magnitude < 0x7f800000u ? magnitude : 0u);
  }
  return float_of_bits(largest);
}

}  // namespace

uint64_t TensorEntry::count() const {
  uint64_t product = 1;
  for (int64_t size : shape) product *= static_cast<uint64_t>(size);
  return product;
}

uint64_t header_size(std::span<const uint8_t> head, uint64_t file_size, std::string_view file_name) {
  return guarded(ErrorCode::bad_weights, file_name, [&]() -> uint64_t {
    if (file_size < kLengthBytes) {
      bad_file(file_name, {"expected a safetensors file, got one of ", file_size, " bytes"});
    }
    if (head.size() < kLengthBytes) {
      throw_error(ErrorCode::bad_input,
                  {printable(file_name), ": expected the first 8 bytes of the file or more, got ", head.size()});
    }
    uint64_t length = 0;
    std::memcpy(&length, head.data(), kLengthBytes);
    const std::string_view first(reinterpret_cast<const char*>(head.data()), kLengthBytes);
    if (length > kMaxHeaderBytes) {
      bad_file(file_name, {"expected a safetensors header of at most ", kMaxHeaderBytes, " bytes, but the length given is ",
                           length, other_kind(first)});
    }
    if (length > file_size - kLengthBytes) {
      bad_file(file_name, {"the file ends inside its header: ", length, " bytes of header announced, ",
                           file_size - kLengthBytes, " there"});
    }
    return kLengthBytes + length;
  });
}

std::vector<TensorEntry> read_header(std::span<const uint8_t> head, uint64_t file_size, std::string_view file_name) {
  return guarded(ErrorCode::bad_weights, file_name, [&] {
    const uint64_t data_begin = header_size(head, file_size, file_name);
    if (head.size() < data_begin) {
      throw_error(ErrorCode::bad_input,
                  {printable(file_name), ": expected the first ", data_begin, " bytes of the file, got ", head.size()});
    }
    const auto json = head.subspan(kLengthBytes, data_begin - kLengthBytes);
    std::vector<TensorEntry> entries = parse_header_json({reinterpret_cast<const char*>(json.data()), json.size()}, file_name);
    for (TensorEntry& entry : entries) check_range(entry, data_begin, file_size - data_begin, file_name);
    // An empty tensor goes before the one that begins at the same byte.
    sort(entries,
         [](const TensorEntry& a, const TensorEntry& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
    check_tiling(entries, data_begin, file_size, file_name);
    return entries;
  });
}

std::vector<uint8_t> write_header(std::vector<TensorEntry>& entries, const std::map<std::string, std::string>& metadata) {
  return guarded(ErrorCode::bad_input, "safetensors header", [&] {
    sort(entries, [](const TensorEntry& a, const TensorEntry& b) { return dtype_width(a.dtype) > dtype_width(b.dtype); });
    std::set<std::string_view> names{kMetadataKey};
    uint64_t offset = 0;
    for (TensorEntry& entry : entries) {
      const auto fail = [&](std::initializer_list<Part> message) {
        throw_error(ErrorCode::bad_input, {"tensor ", in_quotes(entry.name), ": ", joined(message)});
      };
      if (!names.insert(entry.name).second) fail({"a name that is already taken in this file"});
      for (int64_t size : entry.shape) {
        if (size < 0) fail({"expected sizes of 0 or more, got shape ", shape_text(entry.shape)});
      }
      if (entry.shape.size() > kMaxRank) fail({"expected at most ", kMaxRank, " dimensions"});
      uint64_t bytes = 0;
      if (!byte_count(entry, bytes) || offset + bytes > uint64_t{INT64_MAX}) fail({"more bytes than can be counted"});
      entry.begin = offset;
      offset = entry.end = offset + bytes;
    }
    std::string json = header_json(entries, metadata);
    json.resize((json.size() + 7) / 8 * 8, ' ');  // the data begins at a multiple of 8
    if (json.size() > kMaxHeaderBytes) {
      throw_error(ErrorCode::bad_input,
                  {"safetensors header: expected at most ", kMaxHeaderBytes, " bytes of JSON, got ", json.size()});
    }
    const uint64_t length = json.size();
    std::vector<uint8_t> head(kLengthBytes + json.size());
    std::memcpy(head.data(), &length, kLengthBytes);
    std::memcpy(head.data() + kLengthBytes, json.data(), json.size());
    for (TensorEntry& entry : entries) {
      entry.begin += head.size();
      entry.end += head.size();
    }
    return head;
  });
}

void to_float(DType dtype, std::span<const uint8_t> bytes, std::span<float> out, std::string_view name) {
  guarded(ErrorCode::bad_weights, name, [&] {
    check_bytes(dtype, bytes.size(), out.size(), name);
    if (dtype == DType::f32) {
      if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    } else if (dtype == DType::f16) {
      f16_to_f32(bytes.data(), out);
    } else if (dtype == DType::bf16) {
      bf16_to_f32(bytes.data(), out);
    } else {
      throw_error(ErrorCode::bad_weights, {"tensor ", in_quotes(name), ": expected F32, F16 or BF16, got ", dtype_name(dtype)});
    }
  });
}

void from_float(DType dtype, std::span<const float> values, std::span<uint8_t> out, std::string_view name) {
  guarded(ErrorCode::bad_input, name, [&] {
    check_bytes(dtype, out.size(), values.size(), name);
    if (dtype == DType::f32) {
      if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
      return;
    }
    if (dtype != DType::f16 && dtype != DType::bf16) {
      throw_error(ErrorCode::bad_input,
                  {"tensor ", in_quotes(name), ": can be written as F32, F16 or BF16, not as ", dtype_name(dtype)});
    }
    const float largest = largest_finite(values);
    const float written = dtype == DType::f16 ? f16_to_f32(f32_to_f16(largest)) : bf16_to_f32(f32_to_bf16(largest));
    if (float_bits(written) == 0x7f800000u) {
      throw_error(ErrorCode::bad_input,
                  {"tensor ", in_quotes(name), ": a value of magnitude ", largest, " is too large for ", dtype_name(dtype)});
    }
    if (dtype == DType::f16) {
      f32_to_f16(values, out.data());
    } else {
      f32_to_bf16(values, out.data());
    }
  });
}

}  // namespace glass
