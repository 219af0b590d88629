// What differs between uses of the one forward: where memory comes from, whether gradients are wanted, who is listening.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ops/tape.h"
#include "tensor/arena.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

namespace glass {

struct Context;

// Listens to the results that ops announce. Recording and editing are written above the ops and come in through this.
class Hooks {
 public:
  virtual ~Hooks() = default;
  // `dims` names the axes, blank-separated ("batch head query key"). Returns the value that everything downstream reads:
  // the one it was given, or an edited one made by ops, so that gradients flow through the edit.
  virtual Tensor visit(const Context& cx, const std::string& name, std::string_view dims, Tensor value) = 0;
};

// Keeps the value that is announced under one name, for who reads it after the forward; gradients flow through it.
class HookKeeper : public Hooks {
 public:
  explicit HookKeeper(std::string name) : name_(std::move(name)) {}
  Tensor visit(const Context& cx, const std::string& name, std::string_view dims, Tensor value) override;
  const std::string& name() const { return name_; }
  const Tensor& value() const { return value_; }  // null where the hook was not met

 private:
  std::string name_;
  Tensor value_;
};

struct Context {
  Arena& arena;
  Tape* tape = nullptr;       // null: nothing is kept for a backward pass
  Hooks* hooks = nullptr;     // null: nobody listens
  Random* random = nullptr;   // null: dropout is off
  float dropout_rate = -1.f;  // where not negative it stands for every rate that the config has
  std::string scope = {};     // "blocks.0.attn."; kept only while somebody listens
  uint64_t* macs = nullptr;   // where multiply-adds are counted, null: they are not; must outlive the tape's steps

  // The same context one name further in: cx.in("blocks", 0).in("attn").
  Context in(std::string_view name) const;
  Context in(std::string_view name, int index) const;

  Tensor make(Shape shape) const { return Tensor(arena, shape); }
  Tensor zeros(Shape shape) const;
  // x itself where nobody else will read it and no gradient needs its values, else a new tensor of its shape.
  Tensor reuse(Tensor& x) const;

  // Announces `value` under scope + name. Costs a branch when nobody listens.
  Tensor hook(std::string_view name, std::string_view dims, Tensor value) const {
    return hooks ? hooks->visit(*this, scope + std::string(name), dims, std::move(value)) : value;
  }

  // Counts a product of a rows × inner and an inner × columns matrix, `times` over. Everything that is a matrix product is
  // counted, forward and backward: projections, scores, weighted values, hashing, mixing of positions. What a row or a value
  // costs by itself (norms, softmax, activations, tables, sums) is not.
  void count(size_t rows, size_t inner, size_t columns, size_t times = 1) const {
    if (macs) *macs += uint64_t{rows} * inner * columns * times;
  }

  // A backward step is to be recorded for an op that reads these.
  bool tracks(const Tensor& x) const { return tape && x.tracked(); }
  bool tracks(const Parameter* parameter) const { return tape && parameter && tape->gradient(*parameter); }
};

}  // namespace glass
