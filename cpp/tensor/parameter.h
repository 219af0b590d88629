// Parameter: one named weight, a view over the block of the model that owns it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tensor/shape.h"

namespace glass {

// How a matrix lies in memory. Matrices that are multiplied with stay in the panels that the kernels read (kernels/gemm.h),
// so no second copy of them is kept; training holds them as rows, since optimizers see plain values. Weights of eight bits
// (kernels/int8.h) are for running only: they are rounded when they come in.
enum class Layout { rows, panels, int8 };

// How checkpoints hold a parameter.
enum class FileForm {
  same,
  transposed,  // a matrix as [in, out] (GPT-2)
  row,         // a vector as [1, n] (the bias of BART's and Marian's logits)
};

struct Parameter {
  std::string name;  // as its family's checkpoints call it
  Shape shape;       // matrices are [out, in], tables [entries, width]
  Layout layout = Layout::rows;
  float* data = nullptr;  // in int8, where the bytes lie
  size_t offset = 0;      // of its first value in a block of gradients, which are always rows
  bool decays = false;    // weight decay applies: matrices and tables, not biases and norms
  FileForm form = FileForm::same;
  bool exact = false;   // never rounded to eight bits: small tables that are looked up, not multiplied with
  bool buffer = false;  // a constant in transformers, stored but not trained: only where a trainer is told its name

  size_t size() const { return shape.size(); }
};

// The layout it has in a model of layout `layout`: vectors are always rows, exact matrices panels at most.
Layout layout_in(const Parameter& parameter, Layout layout);
// Floats that `parameter` takes in the given layout.
size_t stored_size(const Parameter& parameter, Layout layout);
// Copies its values out as rows, or in from rows. Of int8, what comes out is what the model computes with.
void copy_out(const Parameter& parameter, float* values);
void copy_in(const Parameter& parameter, const float* values);
// The same as checkpoints hold them, and their shape there.
Shape file_shape(const Parameter& parameter);
void copy_to_file(const Parameter& parameter, float* values);
void copy_from_file(const Parameter& parameter, const float* values);
// Rows as a checkpoint holds them: for values that lie beside the parameter's own, such as averages.
void to_file_order(const Parameter& parameter, const float* rows, float* values);
// The same in parts, so that a large one need not lie in memory twice: rows [first, first + count), of which a vector has one
// for each value. All parts but the last must have a multiple of part_rows() rows.
void copy_rows_in(const Parameter& parameter, size_t first, size_t count, const float* values);
// The fewest rows, in whole panels, that hold `values` values or more.
size_t part_rows(const Parameter& parameter, size_t values);
// Copies row i of a matrix or table to `out`.
void copy_row(const Parameter& parameter, size_t i, float* out);
// Changes the layout in place between rows and panels; its memory must have room for the larger of the two. No-op for vectors.
void set_layout(Parameter& parameter, Layout layout);

// Where gradients with respect to parameters are added up: one value for each of theirs, at their offsets.
class Gradients {
 public:
  explicit Gradients(size_t size) : values_(size, 0.f) {}

  // Null for a parameter that is not to be trained.
  float* of(const Parameter& parameter) { return frozen(parameter) ? nullptr : values_.data() + parameter.offset; }
  bool frozen(const Parameter& parameter) const { return !frozen_.empty() && frozen_[parameter.offset]; }
  void freeze(const Parameter& parameter);
  void clear();
  std::vector<float>& values() { return values_; }

 private:
  std::vector<float> values_;
  std::vector<bool> frozen_;  // at a parameter's offset; empty while all are trained
};

}  // namespace glass
