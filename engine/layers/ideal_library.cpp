// SPDX-License-Identifier: Apache-2.0
//
// The ideal library: plain layouts, and workspaces as a textbook has them. A convolution runs
//
//   implicit    without scratch
//   im2col      over one image at a time, unrolled into a matrix
//   winograd    3x3 with stride 1, F(4x4, 3x3): input, output and kernel tiles of 6x6, transformed
//   fft         5x5 and larger with stride 1: input, output and kernels as half planes of complex numbers
//
// each faster where it applies, for the bytes that it needs.
#include "engine/op_library.h"
#include "memory/plan.h"

namespace peakscope::engine {
namespace {

Bytes unrolledImage(const OpDesc& desc, const ConvParams& p) {
  const Shape& src = desc.src[0].shape;
  const Shape& dst = desc.dst.shape;
  return Bytes{src.c / p.groups * p.kernelH * p.kernelW * dst.h * dst.w * 4};
}

Bytes transformedTiles(const OpDesc& desc) {
  const Shape &src = desc.src[0].shape, &dst = desc.dst.shape;
  const std::int64_t tiles = (dst.h + 3) / 4 * ((dst.w + 3) / 4);
  return Bytes{36 * 4} * src.n * tiles * (src.c + dst.c) + Bytes{36 * 4} * src.c * dst.c;
}

Bytes halfPlanes(const OpDesc& desc, const ConvParams& p) {
  const Shape &src = desc.src[0].shape, &dst = desc.dst.shape;
  const std::int64_t points = (src.h + 2 * p.padH) * ((src.w + 2 * p.padW) / 2 + 1);
  return Bytes{8} * points * (src.n * src.c + src.n * dst.c + src.c * dst.c);
}

Bytes savedBytes(const OpDesc& desc) {
  const bool isForward = desc.phase == Phase::Forward || desc.phase == Phase::Rebuild;
  if (!isForward || !desc.isTraining || !desc.savesForBackward) return {};
  const Bytes onePerElement{desc.dst.shape.elements()};
  if (const auto* pool = std::get_if<PoolParams>(&desc.params))
    return pool->mode == PoolParams::Mode::Max ? onePerElement : Bytes{};
  return desc.hasFusedRelu ? onePerElement : Bytes{};
}

}  // namespace

OpNeeds IdealLibrary::describe(const OpDesc& desc) {
  OpNeeds needs{.candidates = {{"direct", Bytes{}}}, .saved = savedBytes(desc)};
  const auto* conv = std::get_if<ConvParams>(&desc.params);
  if (!conv || desc.phase == Phase::Update) return needs;
  needs.candidates = {{"implicit", Bytes{}}};
  const bool isPointwise = conv->kernelH * conv->kernelW == 1 && conv->strideH * conv->strideW == 1;
  if (!isPointwise) needs.candidates.push_back({"im2col", unrolledImage(desc, *conv)});
  const bool isDense = conv->groups == 1 && conv->strideH == 1 && conv->strideW == 1 && conv->dilationH == 1 && conv->dilationW == 1;
  if (isDense && conv->kernelH == 3 && conv->kernelW == 3) needs.candidates.push_back({"winograd", transformedTiles(desc)});
  if (isDense && conv->kernelH >= 5 && conv->kernelW >= 5) needs.candidates.push_back({"fft", halfPlanes(desc, *conv)});
  return needs;
}

}  // namespace peakscope::engine
