// Speed of the kernels on this machine: GFLOP/s of every tile beside the processor's own limit, nanoseconds a value of the row
// kernels. Everything is timed in turns and the best turn counts, since other programs may be running.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/int8.h"
#include "kernels/kernels.h"
#include "kernels/simd.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#endif

namespace glass {
namespace {

volatile float sink;  // keeps results alive

std::vector<float> values(size_t n) {
  std::vector<float> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<float>((i * 7919) % 2003) / 1001.5f - 1.0f;
  return v;
}

// The time this process had the processor, which other programs disturb less than the time that passed.
double seconds_now() {
#if defined(__EMSCRIPTEN__)
  return EM_ASM_DOUBLE({
    const usage = process.cpuUsage();
    return 1e-6 * (usage.user + usage.system);
  });
#else
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

// Seconds of one call of `work`: the best of `turns` turns of at least 4 ms each.
template <class Work>
double best_seconds(Work work, int turns) {
  const auto timed = [&](size_t calls) {
    const double start = seconds_now();
    for (size_t i = 0; i < calls; ++i) work();
    return seconds_now() - start;
  };
  size_t calls = 1;
  while (timed(calls) < 4e-3) calls *= 2;
  double best = 1e9;
  for (int i = 0; i < turns; ++i) best = std::min(best, timed(calls));
  return best / static_cast<double>(calls);
}

// Multiply-adds in registers only: what one thread can do at most with this binary's vectors. Twelve independent sums hide
// the latency of both pipes.
__attribute__((noinline)) float registers_only(size_t steps) {
  vec::Floats s[12];
  for (size_t i = 0; i < 12; ++i) s[i] = vec::splat(static_cast<float>(i));
  const vec::Floats a = vec::splat(0.9999f), b = vec::splat(0.0001f);
  for (size_t t = 0; t < steps; ++t) {
#pragma GCC unroll 12
    for (size_t i = 0; i < 12; ++i) s[i] = vec::multiply_add(s[i], a, b);
    asm volatile("");  // or the loop over t would go
  }
  vec::Floats total{};
  for (size_t i = 0; i < 12; ++i) total += s[i];
  return total[0];
}

double peak() {
  constexpr size_t kSteps = 20000;
  const double seconds = best_seconds([] { sink = registers_only(kSteps); }, 5);
  return 2e-9 * 12 * vec::kLanes * kSteps / seconds;
}

struct Shape {
  const char* what;
  size_t m, n, k;
  enum { kForward, kInput, kWeight } pass;  // y = x Wᵀ, dx = dy W, dW = dyᵀ x: [m, n] = [m, k] · [k, n] each time
};

constexpr Shape kShapes[] = {
    {"forward 128x1536x384", 128, 1536, 384, Shape::kForward}, {"forward 128x384x1536", 128, 384, 1536, Shape::kForward},
    {"forward 1024x128x128", 1024, 128, 128, Shape::kForward}, {"forward 1024x512x128", 1024, 512, 128, Shape::kForward},
    {"forward 1024x128x512", 1024, 128, 512, Shape::kForward}, {"forward 1024x64x64", 1024, 64, 64, Shape::kForward},
    {"forward 1024x32x32", 1024, 32, 32, Shape::kForward},     {"forward 640x8000x64", 640, 8000, 64, Shape::kForward},
    {"forward 640x8000x128", 640, 8000, 128, Shape::kForward}, {"scores 64x64x32", 64, 64, 32, Shape::kForward},
    {"d input 1024x128x512", 1024, 128, 512, Shape::kInput},   {"d input 640x64x8000", 640, 64, 8000, Shape::kInput},
    {"d weight 128x128x1024", 128, 128, 1024, Shape::kWeight}, {"d weight 512x128x1024", 512, 128, 1024, Shape::kWeight},
    {"d weight 128x512x1024", 128, 512, 1024, Shape::kWeight}, {"d weight 64x64x1024", 64, 64, 1024, Shape::kWeight},
    {"d weight 8000x64x640", 8000, 64, 640, Shape::kWeight},   {"d weight 2048x512x1024", 2048, 512, 1024, Shape::kWeight},
    {"d weight 3072x768x512", 3072, 768, 512, Shape::kWeight}, {"d weight 8000x128x640", 8000, 128, 640, Shape::kWeight},
};

double gflops(const Shape& s, bool with_packing) {
  const std::vector<float> a = values(s.m * s.k), b = values(s.k * s.n);
  std::vector<float> packed(packed_size(s.k, s.n)), c(s.m * s.n);
  const Strided strided_a = s.pass == Shape::kWeight ? Strided{a.data(), 1, static_cast<ptrdiff_t>(s.m)}
                                                     : Strided{a.data(), static_cast<ptrdiff_t>(s.k), 1};
  const Strided strided_b = s.pass == Shape::kForward ? Strided{b.data(), 1, static_cast<ptrdiff_t>(s.k)}
                                                      : Strided{b.data(), static_cast<ptrdiff_t>(s.n), 1};
  const auto work = [&] {
    if (with_packing) pack(strided_b, s.k, s.n, packed.data());
    gemm(s.m, s.n, s.k, strided_a, packed.data(), nullptr, c.data(), s.n, s.pass == Shape::kWeight);
    sink = c[0];
  };
  pack(strided_b, s.k, s.n, packed.data());
  return 2e-9 * static_cast<double>(s.m * s.n * s.k) / best_seconds(work, 5);
}

void print_gemm() {
  std::printf("\nGFLOP/s (in brackets with packing B each time); limit %.1f\n%-24s", peak(), "");
  for (const Tile& t : tiles()) std::printf("%16s", t.name);
  std::printf("\n");
  for (const Shape& s : kShapes) {
    std::printf("%-24s", s.what);
    for (size_t t = 0; t < tiles().size(); ++t) {
      set_tile(t);
      std::printf("%8.1f (%5.1f)", gflops(s, false), gflops(s, true));
    }
    std::printf("\n");
  }
  const size_t n = 3072, k = 768;
  const std::vector<float> x = values(k), b = values(k * n);
  std::vector<float> y(n);
  std::printf("%-24s", "gemv 3072x768, GB/s");
  for (size_t t = 0; t < tiles().size(); ++t) {
    set_tile(t);
    std::vector<float> packed(packed_size(k, n));
    pack({b.data(), 1, static_cast<ptrdiff_t>(k)}, k, n, packed.data());
    const double seconds = best_seconds([&] { gemv(n, k, x.data(), packed.data(), nullptr, y.data()); }, 5);
    std::printf("%8.1f        ", 4e-9 * n * k / seconds);
  }
  choose_tile();
  std::printf("\nchosen: %s, limit now %.1f\n", current_tile().name, peak());
}

// Weights of 32 and of eight bits in GPT-2 small's shapes, one row of x and 64, in turns. The tile is the one that is set.
void print_int8() {
  std::printf("\nmilliseconds, weights of 32 bits and of 8 (best of 5 turns)\n");
  constexpr struct {
    size_t m, n, k;
  } kProducts[] = {{1, 3072, 768}, {1, 768, 3072}, {1, 50257, 768}, {64, 2304, 768}, {64, 3072, 768}, {64, 768, 3072}};
  for (const auto& [m, n, k] : kProducts) {
    const std::vector<float> x = values(m * k), w = values(n * k);
    std::vector<float> y(m * n), panels(packed_size(k, n)), scratch(int8_scratch(m, k));
    std::vector<int8_t> bytes(int8_size(k, n));
    pack({w.data(), 1, static_cast<ptrdiff_t>(k)}, k, n, panels.data());
    int8_pack(w.data(), 0, n, k, bytes.data());
    double best[2] = {1e9, 1e9};
    for (int turn = 0; turn < 5; ++turn) {
      const auto floats = [&, m = m, n = n, k = k] {
        gemm(m, n, k, {x.data(), static_cast<ptrdiff_t>(k), 1}, panels.data(), nullptr, y.data(), n);
      };
      const auto eight = [&, m = m, n = n, k = k] {
        int8_product(m, n, k, x.data(), bytes.data(), nullptr, y.data(), scratch.data());
      };
      best[0] = std::min(best[0], best_seconds(floats, 1));
      best[1] = std::min(best[1], best_seconds(eight, 1));
    }
    const double products = 1e-9 * static_cast<double>(m * n * k);
    std::printf("%3zu x %5zu x %4zu  %8.3f (%5.1f G/s, %5.1f GB/s)  %8.3f (%5.1f G/s, %5.1f GB/s)  %.2f times\n", m, n, k,
                1e3 * best[0], products / best[0], 4e-9 * static_cast<double>(n * k) / best[0], 1e3 * best[1],
                products / best[1], 1e-9 * static_cast<double>(bytes.size()) / best[1], best[0] / best[1]);
  }
}

void print_rows() {
  constexpr size_t kRows = 128, kCols = 1536, kCount = kRows * kCols;
  const std::vector<float> x = values(kCount), dy = values(kCount), bias = values(kCols);
  std::vector<float> y(kCount), grad(kCols), mean(kRows), rstd(kRows, 1.0f), m(kCount), v(kCount);
  std::printf("\n[%zu, %zu], nanoseconds a value\n%-28s%10s%10s\n", kRows, kCols, "", "scalar", "simd");
  const auto row = [&](const char* name, auto work) {
    std::printf("%-28s", name);
    for (const Kernels* k : {&scalar, &simd}) std::printf("%10.3f", 1e9 * best_seconds([&] { work(*k); }, 3) / kCount);
    std::printf("\n");
  };
  row("exp", [&](const Kernels& k) { k.exp(x.data(), y.data(), kCount); });
  for (const auto& [name, f] :
       {std::pair{"relu", Activation::relu}, std::pair{"gelu", Activation::gelu}, std::pair{"gelu_tanh", Activation::gelu_tanh},
        std::pair{"silu", Activation::silu}, std::pair{"tanh", Activation::tanh}}) {
    row(name, [&, f = f](const Kernels& k) { k.activate(f, x.data(), y.data(), kCount); });
    row((std::string(name) + " backward").c_str(),
        [&, f = f](const Kernels& k) { k.activate_backward(f, x.data(), dy.data(), y.data(), kCount); });
  }
  row("add", [&](const Kernels& k) { k.add(x.data(), dy.data(), y.data(), kCount); });
  row("sum", [&](const Kernels& k) { sink = k.sum(x.data(), kCount); });
  row("sum_of_squares", [&](const Kernels& k) { sink = static_cast<float>(k.sum_of_squares(x.data(), kCount)); });
  row("sum_rows", [&](const Kernels& k) { k.sum_rows(x.data(), grad.data(), kRows, kCols); });
  row("softmax, rows of 128", [&](const Kernels& k) { k.softmax_rows(x.data(), nullptr, 0, y.data(), kCount / 128, 128); });
  row("softmax, mask", [&](const Kernels& k) { k.softmax_rows(x.data(), bias.data(), 0, y.data(), kCount / 128, 128); });
  row("softmax, rows of 13", [&](const Kernels& k) { k.softmax_rows(x.data(), nullptr, 0, y.data(), kCount / 13, 13); });
  row("softmax backward", [&](const Kernels& k) { k.softmax_rows_backward(x.data(), dy.data(), y.data(), kCount / 128, 128); });
  row("layer_norm, rows of 384", [&](const Kernels& k) {
    k.layer_norm(x.data(), bias.data(), bias.data(), 1e-5f, y.data(), nullptr, nullptr, kCount / 384, 384);
  });
  row("layer_norm backward", [&](const Kernels& k) {
    k.layer_norm_backward(x.data(), bias.data(), mean.data(), rstd.data(), dy.data(), y.data(), grad.data(), grad.data(), kRows,
                          kCols);
  });
  row("adamw", [&](const Kernels& k) {
    k.adamw({1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f, 0.1f, 0.01f}, y.data(), dy.data(), m.data(), v.data(), kCount);
  });
}

}  // namespace
}  // namespace glass

// bench_kernels [gemm | int8 | rows]: one part or all.
int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  std::printf("%zu lanes\n", glass::vec::kLanes);
  if (only == "int8") glass::choose_tile();
  if (only.empty() || only == "gemm") glass::print_gemm();
  if (only.empty() || only == "int8") glass::print_int8();
  if (only.empty() || only == "rows") glass::print_rows();
}
