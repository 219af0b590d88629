#include "ops/linformer.h"

#include <algorithm>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/kernels.h"
#include "tensor/error.h"

namespace glass {
namespace {

// The first `keys` columns of the weight for one sequence, hidden positions zeroed. [k, keys]
void columns_of(const float* weight, const Parameter& p, int64_t keys, const std::vector<uint8_t>& hidden, int64_t b,
                float* out) {
  for (int64_t i = 0; i < p.shape[0]; ++i)
    for (int64_t s = 0; s < keys; ++s)
      *out++ = !hidden.empty() && hidden[static_cast<size_t>(b * keys + s)] ? 0.f : weight[i * p.shape[1] + s];
}

// The weight as rows, wherever it lies.
const float* rows_of(const Parameter& p, Tensor& room, Arena& arena) {
  if (p.layout == Layout::rows) return p.data;
  room = Tensor(arena, p.shape);
  copy_out(p, room.data());
  return room.data();
}

// What columns_of took from the weight gets its gradient: dweight += d.
void add_columns(const float* d, const Parameter& p, int64_t keys, const std::vector<uint8_t>& hidden, int64_t b,
                 float* dweight) {
  for (int64_t i = 0; i < p.shape[0]; ++i)
    for (int64_t s = 0; s < keys; ++s, ++d)
      if (hidden.empty() || !hidden[static_cast<size_t>(b * keys + s)]) dweight[i * p.shape[1] + s] += *d;
}

void check_positions(const char* op, const Parameter& weight, int64_t batch, int64_t keys, std::span<const uint8_t> hidden) {
  if (keys > weight.shape[1])
    throw_error(ErrorCode::bad_input, {op, ": ", weight.name, " mixes at most ", weight.shape[1], " positions, got ", keys});
  if (!hidden.empty() && static_cast<int64_t>(hidden.size()) != batch * keys)
    throw_error(ErrorCode::bad_input, {op, ": expected ", batch * keys, " marks, got ", hidden.size()});
}

}  // namespace

Tensor mix_positions(const Context& cx, const Parameter& weight, const Tensor& x, std::span<const uint8_t> hidden) {
  check_positions("mix_positions", weight, x.dim(0), x.dim(1), hidden);
  const int64_t B = x.dim(0), S = x.dim(1), k = weight.shape[0];
  const size_t rows = static_cast<size_t>(k), length = static_cast<size_t>(S), width = static_cast<size_t>(x.dim(2) * x.dim(3));
  const std::vector<uint8_t> marks(hidden.begin(), hidden.end());
  cx.count(rows, length, width, static_cast<size_t>(B));
  Tensor y = cx.make({B, k, x.dim(2), x.dim(3)});
  {
    Tensor room, columns = cx.make({k, S}), panels = cx.make({static_cast<int64_t>(packed_size(length, width))});
    const float* plain = rows_of(weight, room, cx.arena);
    for (int64_t b = 0; b < B; ++b) {
      columns_of(plain, weight, S, marks, b, columns.data());
      pack({x.data() + static_cast<size_t>(b) * length * width, static_cast<ptrdiff_t>(width), 1}, length, width,
           panels.data());
      gemm(rows, width, length, {columns.data(), static_cast<ptrdiff_t>(S), 1}, panels.data(), nullptr,
           y.data() + static_cast<size_t>(b) * rows * width, width);
    }
  }

  if (cx.tracks(x) || cx.tracks(&weight))
    cx.tape->record(y, [x, marks, &weight, dweight = cx.tape->gradient(weight), arena = &cx.arena, macs = cx.macs, B, S, k,
                        rows, length, width](const Tensor& y) {
      Context scratch{*arena};
      scratch.macs = macs;
      scratch.count(rows, length, width, static_cast<size_t>(B) * (size_t{x.tracked()} + size_t{dweight != nullptr}));
      Tensor room, columns(*arena, {k, S});
      Tensor panels(*arena, {static_cast<int64_t>(std::max(packed_size(rows, width), packed_size(width, length)))});
      const float* plain = rows_of(weight, room, *arena);
      for (int64_t b = 0; b < B; ++b) {
        const size_t from = static_cast<size_t>(b) * length * width;
        const float* dy = y.gradient() + static_cast<size_t>(b) * rows * width;
        if (x.tracked()) {  // dx += weightᵀ · dy
          columns_of(plain, weight, S, marks, b, columns.data());
          pack({dy, static_cast<ptrdiff_t>(width), 1}, rows, width, panels.data());
          gemm(length, width, rows, {columns.data(), 1, static_cast<ptrdiff_t>(S)}, panels.data(), nullptr, x.gradient() + from,
               width, true);
        }
        if (dweight) {  // dweight += dy · xᵀ
          pack({x.data() + from, 1, static_cast<ptrdiff_t>(width)}, width, length, panels.data());
          gemm(rows, length, width, {dy, static_cast<ptrdiff_t>(width), 1}, panels.data(), nullptr, columns.data(), length);
          add_columns(columns.data(), weight, S, marks, b, dweight);
        }
      }
    });
  return y;
}

Tensor spread_pattern(const Context& cx, const Parameter& weight, const Tensor& pattern, int64_t keys,
                      std::span<const uint8_t> hidden) {
  check_positions("spread_pattern", weight, pattern.dim(0), keys, hidden);
  if (pattern.dim(3) != weight.shape[0])
    throw_error(ErrorCode::bad_input, {"spread_pattern: ", weight.name, " has ", weight.shape[0], " rows, the pattern's have ",
                                       pattern.dim(3), " values"});
  const int64_t B = pattern.dim(0), k = weight.shape[0];
  const size_t rows = static_cast<size_t>(pattern.dim(1) * pattern.dim(2)), mixed = static_cast<size_t>(k),
               length = static_cast<size_t>(keys);
  const std::vector<uint8_t> marks(hidden.begin(), hidden.end());
  cx.count(rows, mixed, length, static_cast<size_t>(B));
  Tensor y = cx.make({B, pattern.dim(1), pattern.dim(2), keys});
  {
    Tensor room, columns = cx.make({k, keys}), panels = cx.make({static_cast<int64_t>(packed_size(mixed, length))});
    const float* plain = rows_of(weight, room, cx.arena);
    for (int64_t b = 0; b < B; ++b) {
      columns_of(plain, weight, keys, marks, b, columns.data());
      pack({columns.data(), static_cast<ptrdiff_t>(keys), 1}, mixed, length, panels.data());
      gemm(rows, length, mixed, {pattern.data() + static_cast<size_t>(b) * rows * mixed, static_cast<ptrdiff_t>(k), 1},
           panels.data(), nullptr, y.data() + static_cast<size_t>(b) * rows * length, length);
    }
  }

  if (cx.tracks(pattern) || cx.tracks(&weight))
    cx.tape->record(y, [pattern, marks, &weight, dweight = cx.tape->gradient(weight), arena = &cx.arena, macs = cx.macs, B, k,
                        keys, rows, mixed, length](const Tensor& y) {
      Context scratch{*arena};
      scratch.macs = macs;
      scratch.count(rows, mixed, length, static_cast<size_t>(B) * (size_t{pattern.tracked()} + size_t{dweight != nullptr}));
      Tensor room, columns(*arena, {k, keys});
      Tensor panels(*arena, {static_cast<int64_t>(std::max(packed_size(length, mixed), packed_size(rows, length)))});
      const float* plain = rows_of(weight, room, *arena);
      for (int64_t b = 0; b < B; ++b) {
        const size_t from = static_cast<size_t>(b) * rows * mixed;
        const float* dy = y.gradient() + static_cast<size_t>(b) * rows * length;
        if (pattern.tracked()) {  // dpattern += dy · weightᵀ
          columns_of(plain, weight, keys, marks, b, columns.data());
          pack({columns.data(), 1, static_cast<ptrdiff_t>(keys)}, length, mixed, panels.data());
          gemm(rows, mixed, length, {dy, static_cast<ptrdiff_t>(keys), 1}, panels.data(), nullptr, pattern.gradient() + from,
               mixed, true);
        }
        if (dweight) {  // dweight += patternᵀ · dy
          pack({dy, static_cast<ptrdiff_t>(keys), 1}, rows, length, panels.data());
          gemm(mixed, length, rows, {pattern.data() + from, 1, static_cast<ptrdiff_t>(k)}, panels.data(), nullptr,
               columns.data(), length);
          add_columns(columns.data(), weight, keys, marks, b, dweight);
        }
      }
    });
  return y;
}

}  // namespace glass
