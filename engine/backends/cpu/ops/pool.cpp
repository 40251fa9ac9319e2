// SPDX-License-Identifier: Apache-2.0
//
// Pooling by own kernels, channels innermost so that the compiler works on whole vectors of them.
//
// Note [The first maximum wins]
// Forward keeps the first element of a window that is larger than all before it. Backward finds the same one, from the
// saved argmax (lean) or by comparing x with y (paper), so both presets give the same gradient to the bit.
// The argmax is the number of the element in its window: a byte, or four for windows that a byte cannot number.
#include <algorithm>
#include <limits>

#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

using Mode = PoolParams::Mode;
using Narrow = std::uint8_t;
using Wide = std::uint32_t;

[[nodiscard]] bool needsWideIndex(const PoolParams& p, const Shape& in) {
  return (p.isGlobal ? in.h * in.w : p.kernelH * p.kernelW) > std::numeric_limits<Narrow>::max() + 1;
}

struct Window {
  std::int64_t hBegin, hEnd, wBegin, wEnd;   ///< inside the image
  std::int64_t hFirst, wFirst;               ///< of the unclipped window
};

class Pool {
 public:
  Pool(const OpDesc& desc, const PoolParams& p)
      : m_in(desc.src[0].shape), m_out(desc.dst.shape), m_inStrides(stridesOf(desc.src[0])), m_outStrides(stridesOf(desc.dst)), m_params(p),
        m_savesArgmax(desc.savesForBackward && desc.isTraining && p.mode == Mode::Max), m_isWide(needsWideIndex(p, m_in)) {
    if (p.isGlobal) {
      m_params.kernelH = m_in.h;
      m_params.kernelW = m_in.w;
      m_params.strideH = m_params.strideW = 1;
      m_params.padH = m_params.padW = 0;
    }
    // With one pixel the layouts agree; otherwise channels must be innermost for the inner loops below.
    if (m_inStrides.c != 1 && m_in.h * m_in.w == 1) m_inStrides.c = 1;
    if (m_outStrides.c != 1 && m_out.h * m_out.w == 1) m_outStrides.c = 1;
  }

  void forward(const CpuOpContext& context) const { m_isWide ? forward<Wide>(context) : forward<Narrow>(context); }
  void backward(const CpuOpContext& context) const { m_isWide ? backward<Wide>(context) : backward<Narrow>(context); }

 private:
  template <class Index>
  void forward(const CpuOpContext& context) const {
    const float* src = context.data(ArgRole::Src);
    float* dst = context.data(ArgRole::Dst);
    Index* argmax = m_savesArgmax ? context.data<Index>(ArgRole::Saved) : nullptr;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t n = 0; n < m_out.n; ++n)
      for (std::int64_t oh = 0; oh < m_out.h; ++oh)
        for (std::int64_t ow = 0; ow < m_out.w; ++ow) {
          const std::int64_t at = n * m_outStrides.n + oh * m_outStrides.h + ow * m_outStrides.w;
          if (m_params.mode == Mode::Max)
            maximum(src + n * m_inStrides.n, window(oh, ow), dst + at, argmax == nullptr ? nullptr : argmax + at);
          else
            average(src + n * m_inStrides.n, window(oh, ow), dst + at);
        }
  }

  template <class Index>
  void backward(const CpuOpContext& context) const {
    const float* src = context.data(ArgRole::Src);
    const float* dst = context.data(ArgRole::Dst);
    const float* diffDst = context.data(ArgRole::DiffDst);
    float* diffSrc = context.data(ArgRole::DiffSrc);
    const Index* argmax = context.data<Index>(ArgRole::Saved);
    // Windows overlap within an image only: one thread per image keeps the sums in a fixed order.
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < m_out.n; ++n) {
      float* image = diffSrc + n * m_inStrides.n;
      std::fill_n(image, m_in.c * m_in.h * m_in.w, 0.0F);
      for (std::int64_t oh = 0; oh < m_out.h; ++oh)
        for (std::int64_t ow = 0; ow < m_out.w; ++ow) {
          const std::int64_t at = n * m_outStrides.n + oh * m_outStrides.h + ow * m_outStrides.w;
          const Window w = window(oh, ow);
          if (m_params.mode != Mode::Max)
            spread(diffDst + at, w, image);
          else if (argmax != nullptr)
            scatter(diffDst + at, argmax + at, w, image);
          else
            search(diffDst + at, src + n * m_inStrides.n, dst + at, w, image);
        }
    }
  }

  [[nodiscard]] Window window(std::int64_t oh, std::int64_t ow) const {
    const std::int64_t h = oh * m_params.strideH - m_params.padH, w = ow * m_params.strideW - m_params.padW;
    return {std::max<std::int64_t>(h, 0), std::min(h + m_params.kernelH, m_in.h), std::max<std::int64_t>(w, 0), std::min(w + m_params.kernelW, m_in.w), h, w};
  }
  [[nodiscard]] std::int64_t pixel(std::int64_t h, std::int64_t w) const { return h * m_inStrides.h + w * m_inStrides.w; }
  [[nodiscard]] std::int64_t number(const Window& w, std::int64_t h, std::int64_t x) const {
    return (h - w.hFirst) * m_params.kernelW + (x - w.wFirst);
  }
  [[nodiscard]] float scale(const Window& w) const {
    const std::int64_t inside = (w.hEnd - w.hBegin) * (w.wEnd - w.wBegin);
    return 1.0F / static_cast<float>(m_params.mode == Mode::Average ? std::max<std::int64_t>(inside, 1) : m_params.kernelH * m_params.kernelW);
  }

  template <class Index>
  void maximum(const float* image, const Window& w, float* out, Index* argmax) const {
    std::fill_n(out, m_out.c, -std::numeric_limits<float>::infinity());
    for (std::int64_t h = w.hBegin; h < w.hEnd; ++h)
      for (std::int64_t x = w.wBegin; x < w.wEnd; ++x) {
        const float* in = image + pixel(h, x);
        const auto here = static_cast<Index>(number(w, h, x));
        if (argmax == nullptr) {
#pragma omp simd
          for (std::int64_t c = 0; c < m_out.c; ++c) out[c] = in[c] > out[c] ? in[c] : out[c];
        } else {
#pragma omp simd
          for (std::int64_t c = 0; c < m_out.c; ++c) {
            const bool isLarger = in[c] > out[c];
            out[c] = isLarger ? in[c] : out[c];
            argmax[c] = isLarger ? here : argmax[c];
          }
        }
      }
  }
  void average(const float* image, const Window& w, float* out) const {
    std::fill_n(out, m_out.c, 0.0F);
    for (std::int64_t h = w.hBegin; h < w.hEnd; ++h)
      for (std::int64_t x = w.wBegin; x < w.wEnd; ++x) {
        const float* in = image + pixel(h, x);
#pragma omp simd
        for (std::int64_t c = 0; c < m_out.c; ++c) out[c] += in[c];
      }
    const float factor = scale(w);
#pragma omp simd
    for (std::int64_t c = 0; c < m_out.c; ++c) out[c] *= factor;
  }
  void spread(const float* diffOut, const Window& w, float* image) const {
    const float factor = scale(w);
    for (std::int64_t h = w.hBegin; h < w.hEnd; ++h)
      for (std::int64_t x = w.wBegin; x < w.wEnd; ++x) {
        float* in = image + pixel(h, x);
#pragma omp simd
        for (std::int64_t c = 0; c < m_out.c; ++c) in[c] += diffOut[c] * factor;
      }
  }
  template <class Index>
  void scatter(const float* diffOut, const Index* argmax, const Window& w, float* image) const {
    for (std::int64_t h = w.hBegin; h < w.hEnd; ++h)
      for (std::int64_t x = w.wBegin; x < w.wEnd; ++x) {
        float* in = image + pixel(h, x);
        const auto here = static_cast<Index>(number(w, h, x));
#pragma omp simd
        for (std::int64_t c = 0; c < m_out.c; ++c) in[c] += argmax[c] == here ? diffOut[c] : 0.0F;
      }
  }
  void search(const float* diffOut, const float* image, const float* out, const Window& w, float* diffImage) const {
    for (std::int64_t c = 0; c < m_out.c; ++c) {
      for (std::int64_t h = w.hBegin, isFound = 0; h < w.hEnd && isFound == 0; ++h)
        for (std::int64_t x = w.wBegin; x < w.wEnd && isFound == 0; ++x)
          if (image[pixel(h, x) + c] == out[c]) {
            diffImage[pixel(h, x) + c] += diffOut[c];
            isFound = 1;
          }
    }
  }

  Shape m_in, m_out;
  Strides m_inStrides, m_outStrides;
  PoolParams m_params;
  bool m_savesArgmax, m_isWide;
};

}  // namespace

OpPointer makePool(const OpDesc& desc, const PoolParams& params) {
  const Pool pool(desc, params);
  if (desc.phase == Phase::Backward) return makeKernel([pool](const CpuOpContext& context) { pool.backward(context); });
  return makeKernel([pool](const CpuOpContext& context) { pool.forward(context); });
}

Bytes savedByPool(const OpDesc& desc, const PoolParams& params) {
  const bool saves = desc.savesForBackward && desc.isTraining && params.mode == Mode::Max;
  const auto indexBytes = static_cast<std::int64_t>(needsWideIndex(params, desc.src[0].shape) ? sizeof(Wide) : sizeof(Narrow));
  return saves ? Bytes{desc.dst.shape.elements() * indexBytes} : Bytes{};
}

}  // namespace peakscope::engine::cpu
