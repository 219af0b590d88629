#include "model/weights.h"

#include <algorithm>

#include "io/text.h"
#include "model/names.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr size_t kAlignment = 16;  // floats: a cache line
// wasm32 addresses 4 GB in all; natively, more than any model that these families are used for.
constexpr uint64_t kMostBytes = sizeof(size_t) == 4 ? uint64_t{3584} << 20 : uint64_t{64} << 30;

size_t aligned(size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

// Room for rows and for panels, between which a model changes, or for what stays.
size_t room(const Parameter& p, Layout layout) {
  if (layout_in(p, layout) == Layout::int8) return aligned(stored_size(p, Layout::int8));
  return aligned(std::max(stored_size(p, Layout::rows), stored_size(p, Layout::panels)));
}

[[noreturn]] void throw_no_room(uint64_t floats) {
  throw_error(ErrorCode::out_of_memory, {"the weights need ", floats * sizeof(float) >> 20, " MB, more than there is (at most ",
                                         kMostBytes >> 20, " MB)"});
}

}  // namespace

Parameter& Weights::add(std::string name, Shape shape, bool decays) {
  Parameter& parameter = parameters_.emplace_back();
  parameter.name = std::move(name);
  parameter.shape = shape;
  parameter.decays = decays;
  parameter.offset = size_;
  size_ += parameter.size();
  return parameter;
}

uint64_t Weights::room() const {
  uint64_t floats = kAlignment;
  for (const Parameter& p : parameters_) floats += glass::room(p, layout_);
  return floats;
}

void Weights::lay_out(Layout layout) {
  layout_ = layout;
  for (Parameter& p : parameters_) p.layout = layout_in(p, layout);
  if (room() * sizeof(float) > kMostBytes) throw_no_room(room());
}

void Weights::allocate() {
  const uint64_t floats = room();
  // calloc: pages that a checkpoint has not filled yet are not touched.
  block_.reset(static_cast<float*>(std::calloc(static_cast<size_t>(floats), sizeof(float))));
  if (!block_) throw_no_room(floats);
  float* at = block_.get();
  while (reinterpret_cast<uintptr_t>(at) % (kAlignment * sizeof(float)) != 0) ++at;
  for (Parameter& p : parameters_) {
    p.data = at;
    at += glass::room(p, layout_);
  }
}

void Weights::set_layout(Layout layout) {
  for (const Parameter& p : parameters_)
    if (p.layout == Layout::int8)
      throw_error(ErrorCode::unsupported,
                  {"training: expected a model loaded with dtype 'F32', the weights of this one are int8"});
  for (Parameter& p : parameters_) glass::set_layout(p, layout);
}

Parameter& Weights::at(std::string_view name) {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == name; });
  if (found != parameters_.end()) return *found;
  std::vector<std::string> names;
  for (const Parameter& p : parameters_) names.push_back(p.name);
  throw_error(ErrorCode::not_found, {"no parameter ", in_quotes(name), "; nearest: ", join_names(nearest(name, names))});
}

}  // namespace glass
