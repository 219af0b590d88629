// LSH attention by chunks, forward and backward. What the backward needs of a chunk it computes again.
#include "ops/lsh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/gemm.h"
#include "kernels/kernels.h"
#include "tensor/error.h"

namespace glass {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

// One head of one sequence inside [B, T, H, K].
struct Head {
  int64_t b, h;
  size_t offset, stride;

  Head(const Tensor& x, int64_t batch, int64_t head)
      : b(batch),
        h(head),
        offset(static_cast<size_t>((batch * x.dim(1) * x.dim(2) + head) * x.dim(3))),
        stride(static_cast<size_t>(x.dim(2) * x.dim(3))) {}
};

template <class Visit>
void each_head(const Tensor& x, Visit&& visit) {
  for (int64_t b = 0; b < x.dim(0); ++b)
    for (int64_t h = 0; h < x.dim(2); ++h) visit(Head(x, b, h));
}

// Queries [first, end) and keys [keys, end) of the sorted sequence.
struct Chunk {
  size_t first, end, keys;
  size_t rows() const { return end - first; }
  size_t columns() const { return end - keys; }
};

// The sorted rows of one head in one round, and room for one chunk's numbers.
class Round {
 public:
  Round(Arena& arena, const Tensor& x, const LshPlan& plan) : plan_(plan), T_(x.dim(1)), K_(static_cast<size_t>(x.dim(3))) {
    int64_t m = 1;
    for (int64_t b = 0; b < plan.batch(); ++b) m = std::max(m, plan.chunk_length(b));
    const size_t most = static_cast<size_t>(std::min(2 * m, T_));
    for (Tensor* rows : {&q, &k, &v}) *rows = Tensor(arena, {T_, x.dim(3)});
    scores = Tensor(arena, {m, static_cast<int64_t>(most)});
    panels = Tensor(arena, {static_cast<int64_t>(std::max(packed_size(K_, most), packed_size(most, K_)))});
  }

  void begin(const Head& head, int64_t r) {
    head_ = &head;
    round_ = r;
    order_ = plan_.order(head.b, head.h, r);
  }
  int32_t position(size_t sorted) const { return order_[sorted]; }

  void gather(const float* x, Tensor& rows) const {
    for (size_t i = 0; i < static_cast<size_t>(T_); ++i)
      std::copy_n(x + head_->offset + static_cast<size_t>(order_[i]) * head_->stride, K_, rows.data() + i * K_);
  }
  void scatter_add(const Tensor& rows, float* x) const {
    for (size_t i = 0; i < static_cast<size_t>(T_); ++i)
      simd.axpy(1.f, rows.data() + i * K_, x + head_->offset + static_cast<size_t>(order_[i]) * head_->stride, K_);
  }

  template <class Visit>
  void each_chunk(Visit&& visit) const {
    const size_t m = static_cast<size_t>(plan_.chunk_length(head_->b)), T = static_cast<size_t>(T_);
    for (size_t first = 0; first < T; first += m) visit(Chunk{first, std::min(T, first + m), first > 0 ? first - m : 0});
  }

  // scores = q · k − log(times found), −inf where a query does not find a key. [rows, columns]
  void score(const Chunk& c) {
    pack({k.data() + c.keys * K_, 1, static_cast<ptrdiff_t>(K_)}, K_, c.columns(), panels.data());
    gemm(c.rows(), c.columns(), K_, {q.data() + c.first * K_, static_cast<ptrdiff_t>(K_), 1}, panels.data(), nullptr,
         scores.data(), c.columns());
    const auto [b, h] = std::pair{head_->b, head_->h};
    float* s = scores.data();
    for (size_t i = c.first; i < c.end; ++i)
      for (size_t j = c.keys; j < c.end; ++j, ++s) {
        if (!plan_.finds(b, h, round_, order_[i], order_[j])) {
          *s = kHidden;
        } else if (plan_.rounds() > 1) {
          if (const int times = plan_.found(b, h, order_[i], order_[j]); times > 1) *s -= std::log(static_cast<float>(times));
        }
      }
  }

  // Row i of the scores becomes exp(score − z).
  void exponentiate(const Chunk& c, size_t i, float z) {
    float* s = scores.data() + i * c.columns();
    for (size_t j = 0; j < c.columns(); ++j) s[j] -= z;
    simd.exp(s, s, c.columns());
  }

  Tensor q, k, v, scores, panels;

 private:
  const LshPlan& plan_;
  int64_t T_;
  size_t K_;
  const Head* head_ = nullptr;
  int64_t round_ = 0;
  const int32_t* order_ = nullptr;
};

// Inverted dropout of attention weights; `random` null: off.
struct Dropped {
  Random* random;
  float rate, kept;
  float factor() const { return !random ? 1.f : random->uniform() < rate ? 0.f : kept; }
  void draw(float* factors, size_t n) const {
    std::generate_n(factors, n, [&] { return factor(); });
  }
};

float log_add_exp(float a, float b) {
  const float most = std::max(a, b);
  return most == kHidden ? kHidden : most + std::log1p(std::exp(std::min(a, b) - most));
}

// Whether this token, which no round gave another one, has itself to attend to.
bool alone(const LshPlan& plan, int64_t b, const float* z, int64_t t) {
  return z[t] == kHidden && !plan.hidden(b, static_cast<int32_t>(t));
}

// z: [B, H, T] becomes the log-sum-exp of each token's scores over all rounds.
void forward(const Context& cx, const Tensor& q, const Tensor& k, const Tensor& v, const LshPlan& plan, const Dropped& dropped,
             Tensor& out, Tensor& z) {
  const int64_t T = q.dim(1), H = q.dim(2);
  const size_t K = static_cast<size_t>(q.dim(3));
  std::fill_n(out.data(), out.size(), 0.f);
  std::fill_n(z.data(), z.size(), kHidden);
  Round round(cx.arena, q, plan);
  Tensor factors = cx.make(dropped.random ? round.scores.shape() : Shape{1}), read = cx.make({round.scores.dim(0), q.dim(3)});
  each_head(q, [&](const Head& head) {
    float* zs = z.data() + (head.b * H + head.h) * T;
    for (int64_t r = 0; r < plan.rounds(); ++r) {
      round.begin(head, r);
      round.gather(q.data(), round.q);
      round.gather(k.data(), round.k);
      round.gather(v.data(), round.v);
      round.each_chunk([&](const Chunk& c) {
        round.score(c);
        for (size_t i = 0; i < c.rows(); ++i) {
          const int32_t t = round.position(c.first + i);
          const float here = simd.log_sum_exp(round.scores.data() + i * c.columns(), c.columns());
          const float joined = log_add_exp(zs[t], here);
          float* earlier = out.data() + head.offset + static_cast<size_t>(t) * head.stride;
          if (zs[t] != kHidden && joined != zs[t]) simd.scale(std::exp(zs[t] - joined), earlier, earlier, K);
          round.exponentiate(c, i, joined == kHidden ? 0.f : joined);
          zs[t] = joined;
        }
        const size_t pairs = c.rows() * c.columns();
        cx.count(c.rows(), K, c.columns(), 2);  // scores and values
        if (dropped.random) {
          dropped.draw(factors.data(), pairs);
          simd.multiply(round.scores.data(), factors.data(), round.scores.data(), pairs);
        }
        pack({round.v.data() + c.keys * K, static_cast<ptrdiff_t>(K), 1}, c.columns(), K, round.panels.data());
        gemm(c.rows(), K, c.columns(), {round.scores.data(), static_cast<ptrdiff_t>(c.columns()), 1}, round.panels.data(),
             nullptr, read.data(), K);
        for (size_t i = 0; i < c.rows(); ++i)
          simd.axpy(1.f, read.data() + i * K,
                    out.data() + head.offset + static_cast<size_t>(round.position(c.first + i)) * head.stride, K);
      });
    }
    for (int64_t t = 0; t < T; ++t)
      if (alone(plan, head.b, zs, t)) {
        const size_t at = head.offset + static_cast<size_t>(t) * head.stride;
        simd.scale(dropped.factor(), v.data() + at, out.data() + at, K);
      }
  });
}

// With p = exp(score − z) over all rounds, the output is Σ p · factor · v: a softmax's backward, as if rounds were further
// keys.
void backward(const Context& cx, const Tensor& q, const Tensor& k, const Tensor& v, const LshPlan& plan, const Dropped& dropped,
              const Tensor& out, const Tensor& z) {
  const int64_t T = q.dim(1), H = q.dim(2);
  const size_t K = static_cast<size_t>(q.dim(3));
  Round round(cx.arena, q, plan);
  Tensor dout = cx.make(round.q.shape()), dq = cx.make(round.q.shape()), dk = cx.make(round.q.shape()),
         dv = cx.make(round.q.shape()), factors = cx.make(round.scores.shape()), ds = cx.make(round.scores.shape());
  Tensor mean = cx.make({T});  // Σ_j p · dp of each token = ⟨dout, out⟩
  each_head(q, [&](const Head& head) {
    const float* zs = z.data() + (head.b * H + head.h) * T;
    for (int64_t t = 0; t < T; ++t) {
      const size_t at = head.offset + static_cast<size_t>(t) * head.stride;
      mean.data()[t] = simd.dot(out.gradient() + at, out.data() + at, K);
    }
    for (int64_t r = 0; r < plan.rounds(); ++r) {
      round.begin(head, r);
      round.gather(q.data(), round.q);
      round.gather(k.data(), round.k);
      round.gather(v.data(), round.v);
      round.gather(out.gradient(), dout);
      for (Tensor* rows : {&dq, &dk, &dv}) std::fill_n(rows->data(), rows->size(), 0.f);
      round.each_chunk([&](const Chunk& c) {
        const size_t n = c.columns(), pairs = c.rows() * n;
        const ptrdiff_t step = static_cast<ptrdiff_t>(n), width = static_cast<ptrdiff_t>(K);
        cx.count(c.rows(), K, n, 5);  // scores again, and what follows
        round.score(c);
        for (size_t i = 0; i < c.rows(); ++i) {
          const float log_sum = zs[round.position(c.first + i)];
          round.exponentiate(c, i, log_sum == kHidden ? 0.f : log_sum);
        }
        float *p = round.scores.data(), *f = factors.data(), *g = ds.data(), *panels = round.panels.data();
        const float *q_rows = round.q.data() + c.first * K, *dout_rows = dout.data() + c.first * K;
        dropped.draw(f, pairs);
        pack({round.v.data() + c.keys * K, 1, width}, K, n, panels);
        gemm(c.rows(), n, K, {dout_rows, width, 1}, panels, nullptr, g, n);  // dp = dout · vᵀ
        for (size_t i = 0; i < c.rows(); ++i) {
          const float expected = mean.data()[round.position(c.first + i)];
          for (size_t j = i * n; j < (i + 1) * n; ++j) {
            g[j] = p[j] * (f[j] * g[j] - expected);
            p[j] *= f[j];
          }
        }
        pack({dout_rows, width, 1}, c.rows(), K, panels);  // dv += pᵀ · dout
        gemm(n, K, c.rows(), {p, 1, step}, panels, nullptr, dv.data() + c.keys * K, K, true);
        pack({round.k.data() + c.keys * K, width, 1}, n, K, panels);  // dq += ds · k
        gemm(c.rows(), K, n, {g, step, 1}, panels, nullptr, dq.data() + c.first * K, K, true);
        pack({q_rows, width, 1}, c.rows(), K, panels);  // dk += dsᵀ · q
        gemm(n, K, c.rows(), {g, 1, step}, panels, nullptr, dk.data() + c.keys * K, K, true);
      });
      if (q.tracked()) round.scatter_add(dq, q.gradient());
      if (k.tracked()) round.scatter_add(dk, k.gradient());
      if (v.tracked()) round.scatter_add(dv, v.gradient());
    }
    for (int64_t t = 0; t < T; ++t)
      if (alone(plan, head.b, zs, t)) {
        const size_t at = head.offset + static_cast<size_t>(t) * head.stride;
        const float factor = dropped.factor();
        if (v.tracked()) simd.axpy(factor, out.gradient() + at, v.gradient() + at, K);
      }
  });
}

}  // namespace

Tensor lsh_attention(const Context& cx, const Tensor& q, const Tensor& k, const Tensor& v, LshPlan plan, float dropout_rate) {
  check_shape("lsh_attention, keys", q.shape(), k.shape());
  check_shape("lsh_attention, values", q.shape(), v.shape());
  if (q.shape().rank() != 4 || q.dim(0) != plan.batch() || q.dim(1) != plan.length() || q.dim(2) != plan.heads())
    throw_error(ErrorCode::bad_input, {"lsh_attention: queries ", q.shape(), " do not fit buckets of ",
                                       Shape{plan.batch(), plan.heads(), plan.rounds(), plan.length()}});
  if (cx.dropout_rate >= 0.f) dropout_rate = cx.dropout_rate;
  Random* random = dropout_rate > 0.f ? cx.random : nullptr;
  const Random before = random ? *random : Random();
  const Dropped dropped{random, dropout_rate, 1.f / (1.f - dropout_rate)};
  Tensor out = cx.make(q.shape()), z = cx.make({q.dim(0), q.dim(2), q.dim(1)});
  forward(cx, q, k, v, plan, dropped, out, z);

  if (cx.tracks(q) || cx.tracks(k) || cx.tracks(v))
    cx.tape->record(
        out, [q, k, v, z, plan = std::move(plan), before, dropped, arena = &cx.arena, macs = cx.macs](const Tensor& out) {
          Random again = before;  // the same factors
          Context scratch{*arena};
          scratch.macs = macs;
          backward(scratch, q, k, v, plan, {dropped.random ? &again : nullptr, dropped.rate, dropped.kept}, out, z);
        });
  return out;
}

}  // namespace glass
