#include "cpp/support/golden.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "io/half.h"
#include "io/safetensors.h"

namespace glass::testing {
namespace {

template <class T>
std::vector<double> widen(const uint8_t* bytes, size_t count) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

std::vector<double> to_doubles(DType dtype, const uint8_t* bytes, size_t count) {
  switch (dtype) {
    case DType::f64:
      return widen<double>(bytes, count);
    case DType::f32:
      return widen<float>(bytes, count);
    case DType::i64:
      return widen<int64_t>(bytes, count);
    case DType::i32:
      return widen<int32_t>(bytes, count);
    case DType::i16:
      return widen<int16_t>(bytes, count);
    case DType::i8:
      return widen<int8_t>(bytes, count);
    case DType::u8:
    case DType::boolean:
      return widen<uint8_t>(bytes, count);
    case DType::f16:
    case DType::bf16:
      break;
  }
  std::vector<float> values(count);
  dtype == DType::f16 ? f16_to_f32(bytes, values) : bf16_to_f32(bytes, values);
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<int32_t> GoldenTensor::ints() const {
  std::vector<int32_t> result;
  for (const double value : values) result.push_back(static_cast<int32_t>(value));
  return result;
}

double GoldenTensor::largest() const {
  double most = 0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

Golden::Golden(const std::string& path) {
  const std::vector<uint8_t> file = read_bytes(golden_path(path));
  for (const TensorEntry& entry : read_header(file, file.size(), path))
    tensors_[entry.name] = {Shape(entry.shape), entry.dtype, to_doubles(entry.dtype, file.data() + entry.begin, entry.count())};
}

const GoldenTensor& Golden::at(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw std::runtime_error("no reference value \"" + std::string(name) + "\"");
  return found->second;
}

std::string golden_path(const std::string& path) { return GLASS_SOURCE_DIR "/tests/reference/golden/" + path; }

std::vector<uint8_t> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string read_text(const std::string& path) {
  const std::vector<uint8_t> bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

nlohmann::json golden_json(const std::string& path) { return nlohmann::json::parse(read_text(golden_path(path))); }

double largest_difference(std::span<const float> got, std::span<const double> expected) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (got.size() != expected.size()) return kWrong;
  double most = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double value = static_cast<double>(got[i]);
    const bool both_nan = std::isnan(value) && std::isnan(expected[i]);
    if (std::isfinite(expected[i]) ? !std::isfinite(value) : value != expected[i] && !both_nan) return kWrong;
    if (std::isfinite(expected[i])) most = std::max(most, std::abs(value - expected[i]));
  }
  return most;
}

void Worst::expect_close(const std::string& name, std::span<const float> got, std::span<const double> expected, double limit) {
  const double error = largest_difference(got, expected);
  EXPECT_LE(error, limit) << what_ << ": " << name;
  ++count_;
  const double ratio = limit > 0 ? error / limit : error > 0 ? std::numeric_limits<double>::infinity() : 0;
  if (ratio <= ratio_ && count_ > 1) return;
  ratio_ = ratio;
  error_ = error;
  name_ = name;
}

Worst::~Worst() {
  std::printf("  %s: %zu tensors, worst %.2g (%.0f %% of its limit), %s\n", what_.c_str(), count_, error_, 100 * ratio_,
              name_.c_str());
}

}  // namespace glass::testing
