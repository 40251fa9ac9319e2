// SPDX-License-Identifier: Apache-2.0
//
// ReLU, dropout, sums and copies: one pass over the elements each, split over the threads in fixed parts.
#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/backends/cpu/ops/ops.h"
#include "engine/data/random.h"

namespace peakscope::engine::cpu {
namespace {

void copy(const float* from, float* to, std::int64_t elements) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < elements; ++i) to[i] = from[i];
}
void addTo(float* sum, const float* other, std::int64_t elements) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < elements; ++i) sum[i] += other[i];
}

/// Note [Dropout by counter]
/// Whether an element is kept is a hash of (seed, iteration, layer, its place in NCHW): the same in forward, backward and
/// a rebuild, whatever the layout, the lowering or the backend.
class Dropout {
 public:
  Dropout(const OpDesc& desc, const DropoutParams& params)
      : m_shape(desc.dst.shape), m_isChannelsLast(desc.dst.layout == Layout::ChannelsLast && m_shape.h * m_shape.w > 1), m_layer(hashOf(desc.layer)),
        m_threshold(static_cast<std::uint64_t>(static_cast<double>(params.rate) * 0x1p32)), m_scale(params.rate < 1 ? 1 / (1 - params.rate) : 0),
        m_isTraining(desc.isTraining) {}

  void apply(const CpuOpContext& context, const float* in, float* out) const {
    if (!m_isTraining) return copy(in, out, m_shape.elements());
    const std::uint64_t key = mix(mix(context.seed, static_cast<std::uint64_t>(context.iteration.iteration)), m_layer);
    const std::int64_t pixels = m_shape.h * m_shape.w, channels = m_shape.c;
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < m_shape.n; ++n)
      for (std::int64_t i = 0; i < channels * pixels; ++i) {
        const std::int64_t logical = m_isChannelsLast ? (i % channels) * pixels + i / channels : i;
        const std::int64_t element = n * channels * pixels;
        const bool isKept = (scramble(key + static_cast<std::uint64_t>(element + logical)) >> 32) >= m_threshold;
        out[element + i] = isKept ? in[element + i] * m_scale : 0.0F;
      }
  }

 private:
  Shape m_shape;
  bool m_isChannelsLast;
  std::uint64_t m_layer, m_threshold;
  float m_scale;
  bool m_isTraining;
};

}  // namespace

OpPointer makeRelu(const OpDesc& desc) {
  const std::int64_t elements = desc.dst.shape.elements();
  if (desc.phase != Phase::Backward)
    return makeKernel([elements](const CpuOpContext& context) {
      const float* src = context.data(ArgRole::Src);
      float* dst = context.data(ArgRole::Dst);
#pragma omp parallel for simd schedule(static)
      for (std::int64_t i = 0; i < elements; ++i) dst[i] = src[i] > 0 ? src[i] : 0.0F;
    });
  return makeKernel([elements](const CpuOpContext& context) {
    const float* dst = context.data(ArgRole::Dst);
    const float* diffDst = context.data(ArgRole::DiffDst);
    float* diffSrc = context.data(ArgRole::DiffSrc);
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) diffSrc[i] = dst[i] > 0 ? diffDst[i] : 0.0F;
  });
}

OpPointer makeDropout(const OpDesc& desc, const DropoutParams& params) {
  const Dropout dropout(desc, params);
  if (desc.phase == Phase::Backward)
    return makeKernel([dropout](const CpuOpContext& c) { dropout.apply(c, c.data(ArgRole::DiffDst), c.data(ArgRole::DiffSrc)); });
  return makeKernel([dropout](const CpuOpContext& c) { dropout.apply(c, c.data(ArgRole::Src), c.data(ArgRole::Dst)); });
}

OpPointer makeAdd(const OpDesc& desc) {
  const std::int64_t elements = desc.dst.shape.elements();
  const auto inputs = static_cast<std::int32_t>(desc.src.size());
  if (desc.phase == Phase::Backward)
    return makeKernel([elements, inputs](const CpuOpContext& context) {
      const float* diffDst = context.data(ArgRole::DiffDst);
      for (std::int32_t k = 0; k < inputs; ++k)
        if (float* diffSrc = context.data(ArgRole::DiffSrc, k); diffSrc != nullptr && diffSrc != diffDst) copy(diffDst, diffSrc, elements);
    });
  return makeKernel([elements, inputs, intoFirst = desc.accumulatesIntoInputZero](const CpuOpContext& context) {
    float* dst = context.data(ArgRole::Dst);
    float* sum = intoFirst ? context.data(ArgRole::Src, 0) : dst;
    if (!intoFirst) copy(context.data(ArgRole::Src, 0), sum, elements);
    for (std::int32_t k = 1; k < inputs; ++k) addTo(sum, context.data(ArgRole::Src, k), elements);
    if (intoFirst) copy(sum, dst, elements);
  });
}

OpPointer makeFork(const OpDesc& desc) {
  const std::int64_t elements = desc.dst.shape.elements();
  if (desc.phase == Phase::Backward)
    return makeKernel([elements](const CpuOpContext& context) {
      // Gradient 0 is the sum itself where the op runs in place; the others follow in a fixed order.
      float* sum = context.data(ArgRole::DiffSrc);
      if (const float* first = context.data(ArgRole::DiffDst, 0); first != sum) copy(first, sum, elements);
      for (std::int32_t k = 1; const float* other = context.data(ArgRole::DiffDst, k); ++k) addTo(sum, other, elements);
    });
  return makeKernel([elements](const CpuOpContext& context) {
    const float* src = context.data(ArgRole::Src);
    for (std::int32_t k = 0; float* dst = context.data(ArgRole::Dst, k); ++k) copy(src, dst, elements);
  });
}

OpPointer makeChannelPad(const OpDesc& desc, const ChannelPadParams& params) {
  const bool isBackward = desc.phase == Phase::Backward;
  return makeKernel([isBackward, before = params.before, in = desc.src[0].shape, out = desc.dst.shape, inStrides = stridesOf(desc.src[0]),
                     outStrides = stridesOf(desc.dst)](const CpuOpContext& context) {
    float* small = context.data(isBackward ? ArgRole::DiffSrc : ArgRole::Src);
    float* large = context.data(isBackward ? ArgRole::DiffDst : ArgRole::Dst);
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < out.n; ++n) {
      if (!isBackward) std::fill_n(large + n * outStrides.n, out.c * out.h * out.w, 0.0F);
      for (std::int64_t h = 0; h < out.h; ++h)
        for (std::int64_t w = 0; w < out.w; ++w)
          for (std::int64_t c = 0; c < in.c; ++c) {
            float& inside = small[n * inStrides.n + h * inStrides.h + w * inStrides.w + c * inStrides.c];
            float& outside = large[n * outStrides.n + h * outStrides.h + w * outStrides.w + (c + before) * outStrides.c];
            (isBackward ? inside : outside) = isBackward ? outside : inside;
          }
    }
  });
}

}  // namespace peakscope::engine::cpu
