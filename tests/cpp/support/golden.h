// The reference values under tests/reference/golden: safetensors files and the JSON beside them, as doubles.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/dtype.h"
#include "tensor/shape.h"

namespace glass::testing {

struct GoldenTensor {
  Shape shape;
  DType dtype = DType::f32;
  std::vector<double> values;

  std::vector<float> floats() const { return {values.begin(), values.end()}; }
  std::vector<int32_t> ints() const;
  double largest() const;  // of the finite |values|, 0 where there is none
};

// Every tensor of one file, whatever its type; conversion to double is exact for all of them but I64.
class Golden {
 public:
  // `path` is relative to tests/reference/golden. Throws std::runtime_error where it cannot be read.
  explicit Golden(const std::string& path);
  bool has(std::string_view name) const { return tensors_.find(name) != tensors_.end(); }
  const GoldenTensor& at(std::string_view name) const;  // throws std::runtime_error naming what is missing
  const std::map<std::string, GoldenTensor, std::less<>>& all() const { return tensors_; }

 private:
  std::map<std::string, GoldenTensor, std::less<>> tensors_;
};

std::string golden_path(const std::string& path);
std::vector<uint8_t> read_bytes(const std::string& absolute_path);
std::string read_text(const std::string& absolute_path);
nlohmann::json golden_json(const std::string& path);

// max |got − expected| over the entries where `expected` is finite. Infinite where sizes differ, where something that should
// be finite is not, and where an infinity is not met by an equal one.
double largest_difference(std::span<const float> got, std::span<const double> expected);

// Remembers the largest of the ratios |error| / limit that it is shown, and by what name; printed when the test ends.
class Worst {
 public:
  explicit Worst(std::string what) : what_(std::move(what)) {}
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;
  ~Worst();
  // Fails the running test where the difference is over `limit`.
  void expect_close(const std::string& name, std::span<const float> got, std::span<const double> expected, double limit);

 private:
  std::string what_, name_ = "nothing compared";
  double ratio_ = 0, error_ = 0;
  size_t count_ = 0;
};

}  // namespace glass::testing
