// SPDX-License-Identifier: Apache-2.0
//
// The ideal library: plain layouts, and workspaces as a textbook has them. A convolution runs without scratch
// (implicit) or unrolls one image at a time into a matrix (im2col), which is faster and needs that matrix.
#include "engine/op_library.h"
#include "memory/plan.h"

namespace peakscope::engine {
namespace {

Bytes unrolledImage(const OpDesc& desc, const ConvParams& p) {
  const Shape& src = desc.src[0].shape;
  const Shape& dst = desc.dst.shape;
  return Bytes{src.c / p.groups * p.kernelH * p.kernelW * dst.h * dst.w * 4};
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
  return needs;
}

}  // namespace peakscope::engine
