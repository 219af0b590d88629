// Every row-wise and elementwise kernel, with its contract.
//
// A kernel is a plain function on float*: it allocates nothing, throws nothing, knows no tensor. Two tables hold them:
// `scalar` is the reference that reads like the equation, `simd` the fast twin. Everything above calls `simd`; the tests
// call both and compare. All pointers may be unaligned. Unless a comment says otherwise inputs and outputs may be the
// same array but must not overlap partly, n may be 0, and a backward kernel *adds* to its outputs (a gradient is a sum).
#pragma once

#include <cstddef>
#include <cstdint>

namespace glass {

// The activations of the families we read, by what they compute.
enum class Activation {
  relu,       // max(x, 0)
  gelu,       // x · Φ(x), Hendrycks & Gimpel 2016, with the exact normal distribution function
  gelu_tanh,  // the tanh form of the same paper, section 2 (`gelu_new`)
  silu,       // x · σ(x)
  tanh,
};

// Decoupled weight decay, Loshchilov & Hutter 2019, algorithm 2; the step's bias corrections are worked out by the caller.
struct AdamWStep {
  float lr, beta1, beta2, eps, weight_decay;
  float correction1, correction2;              // 1 − beta^t
  float rest1 = 1 - beta1, rest2 = 1 - beta2;  // given by callers that know beta in double: 1 − 0.999f is off by 1e-5
};

struct Kernels {
  // ---- elementwise: y[i] = f(x[i]), i < n ------------------------------------------------------------------------
  void (*exp)(const float* x, float* y, size_t n);   // relative error ≤ 2e-7 where the result is normal; exp(−inf) = 0
  void (*tanh)(const float* x, float* y, size_t n);  // absolute error ≤ 3e-7
  void (*activate)(Activation f, const float* x, float* y, size_t n);  // error ≤ 5e-7 · max(1, |x|)
  void (*activate_backward)(Activation f, const float* x, const float* dy, float* dx, size_t n);  // dx += dy · f'(x)
  void (*add)(const float* a, const float* b, float* y, size_t n);                                // y = a + b
  void (*multiply)(const float* a, const float* b, float* y, size_t n);                           // y = a · b
  void (*multiply_add)(const float* a, const float* b, float* y, size_t n);                       // y += a · b
  void (*scale)(float s, const float* x, float* y, size_t n);                                     // y = s · x
  void (*axpy)(float s, const float* x, float* y, size_t n);                                      // y += s · x

  // ---- reductions over n values ----------------------------------------------------------------------------------
  float (*sum)(const float* x, size_t n);
  float (*dot)(const float* a, const float* b, size_t n);
  float (*max)(const float* x, size_t n);              // −inf for n = 0
  float (*log_sum_exp)(const float* x, size_t n);      // log Σ exp(x[i]), the maximum taken out first
  double (*sum_of_squares)(const float* x, size_t n);  // accumulated in double: gradient norms span many magnitudes

  // ---- rows: x is [rows, n], row-major and dense -----------------------------------------------------------------
  void (*add_row)(const float* x, const float* bias, float* y, size_t rows, size_t n);  // y[i,:] = x[i,:] + bias
  void (*sum_rows)(const float* x, float* y, size_t rows, size_t n);                    // y[:] += Σ_i x[i,:]

  // A few queries against rows that lie `stride` apart, read once where they are: y[i] = ⟨x, a[i,:]⟩, and
  // y[:] = Σ_i weights[i] · a[i,:], 0 for no rows. y must not overlap what is read.
  void (*dot_rows)(const float* x, const float* a, size_t stride, float* y, size_t rows, size_t n);
  void (*weigh_rows)(const float* weights, const float* a, size_t stride, float* y, size_t rows, size_t n);

  // y[i,:] = softmax(x[i,:] + mask[i · mask_stride : …]). `mask` is additive, null for none; a stride of 0 shares one row
  // of n. A row whose every entry is −inf gives zeros. In place allowed.
  void (*softmax_rows)(const float* x, const float* mask, size_t mask_stride, float* y, size_t rows, size_t n);
  void (*softmax_rows_backward)(const float* y, const float* dy, float* dx, size_t rows, size_t n);  // dx += y ∘ (dy − ⟨dy, y⟩)

  // Layer norm, Ba et al. 2016: y = (x − mean) · rstd · weight + bias, rstd = 1/√(population variance + eps). `weight` and
  // `bias` may be null (1 and 0). mean and rstd are [rows] and may be null where no backward follows.
  void (*layer_norm)(const float* x, const float* weight, const float* bias, float eps, float* y, float* mean, float* rstd,
                     size_t rows, size_t n);
  // dx, dweight, dbias each += and each may be null. dx must not be x or dy.
  void (*layer_norm_backward)(const float* x, const float* weight, const float* mean, const float* rstd, const float* dy,
                              float* dx, float* dweight, float* dbias, size_t rows, size_t n);

  // RMS norm, Zhang & Sennrich 2019: y = x · rrms · weight, rrms = 1/√(mean of squares + eps).
  void (*rms_norm)(const float* x, const float* weight, float eps, float* y, float* rrms, size_t rows, size_t n);
  void (*rms_norm_backward)(const float* x, const float* weight, const float* rrms, const float* dy, float* dx, float* dweight,
                            size_t rows, size_t n);

  // ---- tables ----------------------------------------------------------------------------------------------------
  // y[i,:] = table[ids[i],:]; the caller has checked that ids are in range.
  void (*gather_rows)(const float* table, const int32_t* ids, float* y, size_t count, size_t width);
  // dtable[ids[i],:] += dy[i,:], in order of i, so repeated ids add up the same way every time.
  void (*scatter_add_rows)(const float* dy, const int32_t* ids, float* dtable, size_t count, size_t width);

  // ---- optimizer -------------------------------------------------------------------------------------------------
  // One AdamW update of w with gradient g; m and v are the running moments. All [n], all distinct.
  void (*adamw)(const AdamWStep& step, float* w, const float* g, float* m, float* v, size_t n);
};

extern const Kernels scalar;  // the reference
extern const Kernels simd;    // what everything above this folder calls

}  // namespace glass
