// SPDX-License-Identifier: Apache-2.0
//
// Convolution, and fully connected layers as the convolution whose kernel is the whole image.
#include "engine/selftest/reference.h"

namespace peakscope::engine::reference {
namespace {

/// Calls use(input element, weight, output element) for every product of a convolution.
template <class Use>
void forEachProduct(const Shape& in, const Shape& out, const ConvParams& p, Use use) {
  const std::int64_t inPerGroup = in.c / p.groups, outPerGroup = out.c / p.groups;
  const Shape weights{out.c, inPerGroup, p.kernelH, p.kernelW};
  forEach(out, [&](std::int64_t n, std::int64_t oc, std::int64_t oh, std::int64_t ow) {
    for (std::int64_t ic = 0; ic < inPerGroup; ++ic)
      for (std::int64_t kh = 0; kh < p.kernelH; ++kh)
        for (std::int64_t kw = 0; kw < p.kernelW; ++kw) {
          const std::int64_t h = oh * p.strideH - p.padH + kh * p.dilationH, w = ow * p.strideW - p.padW + kw * p.dilationW;
          if (h < 0 || h >= in.h || w < 0 || w >= in.w) continue;
          use(at(in, n, oc / outPerGroup * inPerGroup + ic, h, w), at(weights, oc, ic, kh, kw), at(out, n, oc, oh, ow));
        }
  });
}

void forward(const Operands& o, const ConvParams& p) {
  const Shape &in = o.desc().src[0].shape, &out = o.desc().dst.shape;
  const Values &src = o.in(ArgRole::Src), &weights = o.in(ArgRole::Weights);
  Values dst = zeros(out.elements());
  forEachProduct(in, out, p, [&](std::size_t i, std::size_t w, std::size_t d) { dst[d] += src[i] * weights[w]; });
  if (o.has(ArgRole::Bias))
    forEach(out, [&](auto n, auto c, auto h, auto w) { dst[at(out, n, c, h, w)] += o.in(ArgRole::Bias)[static_cast<std::size_t>(c)]; });
  o.out(ArgRole::Dst, std::move(dst));
}

void backward(const Operands& o, const ConvParams& p) {
  const Shape &in = o.desc().src[0].shape, &out = o.desc().dst.shape;
  const Values &src = o.in(ArgRole::Src), &weights = o.in(ArgRole::Weights), &diffDst = o.in(ArgRole::DiffDst);
  Values diffSrc = zeros(in.elements()), diffBias = zeros(out.c), diffWeights(weights.size(), 0.0);
  forEachProduct(in, out, p, [&](std::size_t i, std::size_t w, std::size_t d) {
    diffSrc[i] += diffDst[d] * weights[w];
    diffWeights[w] += diffDst[d] * src[i];
  });
  forEach(out, [&](auto n, auto c, auto h, auto w) { diffBias[static_cast<std::size_t>(c)] += diffDst[at(out, n, c, h, w)]; });
  o.out(ArgRole::DiffSrc, std::move(diffSrc));
  o.out(ArgRole::DiffWeights, std::move(diffWeights));
  o.out(ArgRole::DiffBias, std::move(diffBias));
}

}  // namespace

void convolution(const Operands& o, const ConvParams& p) { o.desc().phase == Phase::Backward ? backward(o, p) : forward(o, p); }

void fullyConnected(const Operands& o, const FcParams& p) {
  const Shape& in = o.desc().src[0].shape;
  convolution(o, {.outChannels = p.outChannels, .kernelH = in.h, .kernelW = in.w, .hasBias = p.hasBias});
}

}  // namespace peakscope::engine::reference
