// SPDX-License-Identifier: Apache-2.0
//
// Local response normalisation across channels, by hand: oneDNN's backward is wrong in place, which the paper's counting
// needs, and its workspace is twice the tensor. One pixel at a time; every thread has a few rows of channels as workspace.
//   s_i = k + alpha/size * sum of x_j^2 over the window      y_i = x_i s_i^-beta
//   dx_i = dy_i s_i^-beta - 2 alpha beta/size * x_i * sum of dy_j x_j s_j^(-beta-1)
#include <algorithm>
#include <cmath>
#include <omp.h>

#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

class Lrn final : public CpuOp {
 public:
  Lrn(const OpDesc& desc, const LrnParams& params, std::int32_t threads)
      : m_shape(desc.dst.shape), m_strides(stridesOf(desc.dst)), m_params(params), m_isBackward(desc.phase == Phase::Backward), m_threads(std::max(threads, 1)) {}

  [[nodiscard]] Bytes workspace() const override { return Bytes{row() * rowsPerThread * 4 * m_threads}; }

  void run(const CpuOpContext& context) override {
    const float* src = context.data(ArgRole::Src);
    const float* diffDst = context.data(ArgRole::DiffDst);
    float* out = context.data(m_isBackward ? ArgRole::DiffSrc : ArgRole::Dst);
    auto* scratch = reinterpret_cast<float*>(context.workspace.data());
    const std::int64_t pixels = m_shape.h * m_shape.w;
#pragma omp parallel for schedule(static) num_threads(m_threads)
    for (std::int64_t i = 0; i < m_shape.n * pixels; ++i) {
      float* rows = scratch + omp_get_thread_num() * row() * rowsPerThread;
      const std::int64_t at = (i / pixels) * m_strides.n + (i % pixels) / m_shape.w * m_strides.h + (i % pixels) % m_shape.w * m_strides.w;
      if (m_isBackward)
        backward(src + at, diffDst + at, out + at, rows);
      else
        forward(src + at, out + at, rows);
    }
  }

 private:
  static constexpr std::int64_t rowsPerThread = 4;
  /// Channels with room for half a window on both sides, so that sums need no bounds.
  [[nodiscard]] std::int64_t row() const { return roundUp(Bytes{m_shape.c + 2 * m_params.size}, Bytes{16}).count(); }
  [[nodiscard]] std::int64_t low() const { return (m_params.size - 1) / 2; }

  void load(const float* from, float* to) const {
    for (std::int64_t c = 0; c < m_shape.c; ++c) to[c] = from[c * m_strides.c];
  }

  /// sums[c] = sum of values over the window of c; `values` stands in a row with zeros at both sides.
  void windowSums(const float* values, float* sums, std::int64_t before) const {
    std::fill_n(sums, m_shape.c, 0.0F);
    for (std::int64_t k = 0; k < m_params.size; ++k) {
      const float* shifted = values + k - before;
#pragma omp simd
      for (std::int64_t c = 0; c < m_shape.c; ++c) sums[c] += shifted[c];
    }
  }

  /// s^-beta; beta is 3/4 in every published network, and then two square roots are far cheaper than a power.
  void power(const float* s, float* out) const {
    if (m_params.beta == 0.75F) {
#pragma omp simd
      for (std::int64_t c = 0; c < m_shape.c; ++c) {
        const float root = std::sqrt(s[c]);
        out[c] = 1.0F / (root * std::sqrt(root));
      }
    } else {
      for (std::int64_t c = 0; c < m_shape.c; ++c) out[c] = std::pow(s[c], -m_params.beta);
    }
  }

  /// Leaves x in row 0, s in row 2, s^-beta in row 3.
  void scales(const float* src, float* x, float* squares, float* s, float* factor) const {
    load(src, x);
    std::fill_n(squares, row(), 0.0F);
    float* inside = squares + m_params.size;
#pragma omp simd
    for (std::int64_t c = 0; c < m_shape.c; ++c) inside[c] = x[c] * x[c];
    windowSums(inside, s, low());
    const float a = m_params.alpha / static_cast<float>(m_params.size);
#pragma omp simd
    for (std::int64_t c = 0; c < m_shape.c; ++c) s[c] = m_params.k + a * s[c];
    power(s, factor);
  }

  void forward(const float* src, float* dst, float* rows) const {
    float *x = rows, *squares = rows + row(), *s = rows + 2 * row(), *factor = rows + 3 * row();
    scales(src, x, squares, s, factor);
    for (std::int64_t c = 0; c < m_shape.c; ++c) dst[c * m_strides.c] = x[c] * factor[c];
  }

  void backward(const float* src, const float* diffDst, float* diffSrc, float* rows) const {
    float *x = rows, *terms = rows + row(), *s = rows + 2 * row(), *factor = rows + 3 * row();
    scales(src, x, terms, s, factor);
    float* inside = terms + m_params.size;
    for (std::int64_t c = 0; c < m_shape.c; ++c) inside[c] = diffDst[c * m_strides.c] * x[c] * factor[c] / s[c];
    // The window of j holds i exactly if the mirrored window of i holds j.
    windowSums(inside, s, m_params.size - 1 - low());
    const float a = 2 * m_params.alpha * m_params.beta / static_cast<float>(m_params.size);
    for (std::int64_t c = 0; c < m_shape.c; ++c) diffSrc[c * m_strides.c] = diffDst[c * m_strides.c] * factor[c] - a * x[c] * s[c];
  }

  Shape m_shape;
  Strides m_strides;
  LrnParams m_params;
  bool m_isBackward;
  std::int32_t m_threads;
};

}  // namespace

OpPointer makeLrn(const OpDesc& desc, const LrnParams& params, std::int32_t threads) { return std::make_unique<Lrn>(desc, params, threads); }

}  // namespace peakscope::engine::cpu
