// The register tiles: one template, instantiated for every number of rows of every tile.
//
// Which tile is fastest depends on the machine and on the wasm engine's register allocator, so a binary holds a few and
// choose_tile() measures. A tile of R rows and V vectors keeps R · V sums in registers and needs V more for B and one for A.
#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/simd.h"

namespace glass {
namespace {

using vec::Floats;
using vec::kLanes;

// sums += one column of A times one row of B. The shorter of the two is held in registers, the longer read as it is used;
// V8's register allocator spills the sums of a 3 × 3 tile otherwise, at half the speed.
template <size_t R, size_t V>
inline void step(Floats (&sums)[R][V], const float* a, ptrdiff_t a_row, const float* b) {
  if constexpr (R <= V) {
    Floats x[R];
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) x[r] = vec::splat(a[static_cast<ptrdiff_t>(r) * a_row]);
#pragma GCC unroll 16
    for (size_t v = 0; v < V; ++v) {
      const Floats y = vec::load(b + v * kLanes);
#pragma GCC unroll 16
      for (size_t r = 0; r < R; ++r) sums[r][v] = vec::multiply_add(x[r], y, sums[r][v]);
    }
  } else {
    Floats y[V];
#pragma GCC unroll 16
    for (size_t v = 0; v < V; ++v) y[v] = vec::load(b + v * kLanes);
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) {
      const Floats x = vec::splat(a[static_cast<ptrdiff_t>(r) * a_row]);
#pragma GCC unroll 16
      for (size_t v = 0; v < V; ++v) sums[r][v] = vec::multiply_add(x, y[v], sums[r][v]);
    }
  }
}

template <size_t R, size_t V>
void micro(size_t k, Strided a, const float* panel, const float* bias, bool first, float* c, size_t ldc) {
  Floats sums[R][V];
#pragma GCC unroll 16
  for (size_t r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (size_t v = 0; v < V; ++v) {
      sums[r][v] = !first ? vec::load(c + r * ldc + v * kLanes) : bias ? vec::load(bias + v * kLanes) : Floats{};
    }
  }
  const float* column = a.data;
  const ptrdiff_t row = a.row, next = a.col;
  for (; k != 0; --k) {
    step(sums, column, row, panel);
    column += next;
    panel += V * kLanes;
  }
#pragma GCC unroll 16
  for (size_t r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (size_t v = 0; v < V; ++v) vec::store(c + r * ldc + v * kLanes, sums[r][v]);
  }
}

template <size_t V, size_t... R>
constexpr std::array<MicroKernel, sizeof...(R)> micro_kernels(std::index_sequence<R...>) {
  return {micro<R + 1, V>...};
}

template <size_t R, size_t V>
constexpr std::array<MicroKernel, R> kMicro = micro_kernels<V>(std::make_index_sequence<R>());

template <size_t R, size_t V>
constexpr Tile tile(const char* name) {
  static_assert(R <= kMaxTileRows && V * kLanes <= kMaxTileCols);
  return {name, R, V * kLanes, kMicro<R, V>.data()};
}

// By the lanes of a vector. The first of each is the best guess.
template <size_t Lanes>
constexpr auto tiles_for() {
  if constexpr (Lanes == 16)  // 32 registers; wider panels gain 4% and waste half of themselves on heads of 32
    return std::array{tile<14, 2>("14x32"), tile<12, 2>("12x32")};
  else if constexpr (Lanes == 8)  // 16 registers
    return std::array{tile<6, 2>("6x16"), tile<4, 3>("4x24"), tile<4, 2>("4x16")};
  else  // 16 registers (32 on AArch64); 6x16 is for engines that join 128-bit operations into 256-bit ones
    return std::array{tile<3, 3>("3x12"), tile<4, 2>("4x8"), tile<6, 2>("6x8"), tile<6, 4>("6x16")};
}
constexpr auto kTiles = tiles_for<kLanes>();

const Tile* current = kTiles.data();

// Measured over one millisecond or more, since browsers round their clock to as much as a tenth.
template <class Work>
double calls_per_second(Work work) {
  using Clock = std::chrono::steady_clock;
  size_t calls = 0;
  const Clock::time_point start = Clock::now();
  Clock::duration passed{};
  while (passed < std::chrono::milliseconds(1)) {
    work();
    ++calls;
    passed = Clock::now() - start;
  }
  return static_cast<double>(calls) / std::chrono::duration<double>(passed).count();
}

}  // namespace

std::span<const Tile> tiles() { return kTiles; }
const Tile& current_tile() { return *current; }
void set_tile(size_t index) { current = &kTiles[index]; }

void choose_tile() {
  constexpr size_t kM = 24, kN = 384, kK = 64;  // small enough for the second cache; no tile has a remainder in n
  constexpr int kRounds = 4;  // the first is spent on warming up; taking turns spreads a disturbance over all tiles
  const std::vector<float> a(kM * kK, 1.0f), b(kK * kN, 1.0f);
  std::vector<float> packed(kK * kN), c(kM * kN);
  double best[std::size(kTiles)] = {};
  for (int round = 0; round < kRounds; ++round) {
    for (size_t t = 0; t < std::size(kTiles); ++t) {
      set_tile(t);
      pack({b.data(), kN, 1}, kK, kN, packed.data());
      const auto product = [&] { gemm(kM, kN, kK, {a.data(), kK, 1}, packed.data(), nullptr, c.data(), kN); };
      best[t] = std::max(best[t], calls_per_second(product));
    }
  }
  set_tile(static_cast<size_t>(std::max_element(std::begin(best), std::end(best)) - std::begin(best)));
}

}  // namespace glass
