// Weights: every parameter of a model, as named views over one aligned block.
#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "tensor/parameter.h"
#include "tensor/random.h"

namespace glass {

class Weights {
 public:
  // Adds a parameter under the name its checkpoints use. Its memory comes with allocate(); the reference stays valid.
  Parameter& add(std::string name, Shape shape, bool decays);
  // Settles how matrices and tables will lie: as layout_in() says. Throws Error(out_of_memory), naming the bytes, where there
  // can never be room for them.
  void lay_out(Layout layout);
  // Gives all of them memory at once, zeros, as they were laid out. Throws Error(out_of_memory) naming the bytes.
  void allocate();
  bool allocated() const { return block_ != nullptr; }
  // Changes how matrices lie: panels for running, rows for training. Values stay. Throws Error(unsupported) where weights are
  // int8, which cannot be trained.
  void set_layout(Layout layout);

  std::deque<Parameter>& parameters() { return parameters_; }
  const std::deque<Parameter>& parameters() const { return parameters_; }
  // Throws Error(not_found) listing the nearest names.
  Parameter& at(std::string_view name);
  // Number of values, which is the size of a block of Gradients.
  size_t size() const { return size_; }

 private:
  uint64_t room() const;  // floats that the block has
  struct Free {
    void operator()(float* block) const { std::free(block); }
  };
  std::deque<Parameter> parameters_;
  std::unique_ptr<float, Free> block_;
  Layout layout_ = Layout::rows;  // that was asked for
  size_t size_ = 0;
};

}  // namespace glass
