// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and fully connected layers. The weights' dimensions say all: their numbers are never looked at.
#include <fmt/format.h>

#include "engine/graph/graph_check.h"
#include "engine/importers/onnx_operators.h"

namespace peakscope::engine {
namespace {

/// A fully connected layer on N x K values; `outputs` and `inputs` are the two sides of its weights.
Translated fullyConnected(OnnxTranslation& t, const OnnxNode& node, const OnnxValue& x, const OnnxValue& weights, FcParams params) {
  if (x.dims.size() != 2 || !t.isFlat(x)) return unplanned(fmt::format("on {}", dimsText(x.dims)));
  if (params.inElements != x.dims[1])
    return wrong(fmt::format("its weights {} take {} numbers, but its input {} has {}", dimsText(weights.dims), params.inElements, dimsText(x.dims), x.dims[1]));
  t.useParameter(weights);
  auto made = t.addLayer(node, params, {x});
  if (made) made->front().dims.resize(2);
  return made;
}

}  // namespace

Translated translateConv(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue *x = t.data(node, 0), *weights = t.constant(node, 1);
  if (x == nullptr || weights == nullptr) return unplanned("with computed weights");
  if (weights->dims.size() != 4 || !t.isImage(*x) || x->dims.size() != 4)
    return weights->dims.size() == 3 || weights->dims.size() == 5 ? unplanned(fmt::format("in {} dimensions", weights->dims.size() - 2)) : unplanned("of a reshaped image");
  const auto& dims = weights->dims;
  const std::int64_t groups = node.integer("group", 1);
  const Shape image = t.image(*x);
  if (groups < 1 || groups > maxExtent || dims[0] < 1 || dims[0] > maxExtent || dims[1] < 1 || dims[1] > maxExtent || image.c != dims[1] * groups)
    return wrong(fmt::format("its weights {} in {} groups do not fit the {} channels of its input", dimsText(dims), groups, image.c));
  auto window = windowOf(node, image, dims[2], dims[3]);
  if (!window) return fail(window.error());
  const auto padded = padInFront(t, *x, *window);
  if (!padded) return fail(padded.error());
  const bool hasBias = node.hasInput(2);
  if (hasBias) ++t.signs.convolutionsWithBias;
  if (weights->parameter.starts_with("onnx::Conv_")) ++t.signs.foldedNames;
  t.useParameter(*weights);
  return t.addLayer(node,
                    ConvParams{.outChannels = dims[0], .kernelH = dims[2], .kernelW = dims[3], .strideH = window->strideH, .strideW = window->strideW, .padH = window->top,
                               .padW = window->left, .dilationH = window->dilationH, .dilationW = window->dilationW, .groups = groups, .hasBias = hasBias},
                    {*padded});
}

Translated translateGemm(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue *x = t.data(node, 0), *weights = t.constant(node, 1);
  if (x == nullptr || weights == nullptr || weights->dims.size() != 2) return unplanned("with computed weights");
  if (node.hasInput(2) && t.constant(node, 2) == nullptr) return unplanned("with a computed bias");
  if (node.integer("transA", 0) != 0) return unplanned("with transA");
  const bool isTurned = node.integer("transB", 0) != 0;
  return fullyConnected(t, node, *x, *weights,
                        {.outChannels = weights->dims[isTurned ? 0 : 1], .hasBias = node.hasInput(2), .inElements = weights->dims[isTurned ? 1 : 0]});
}

Translated translateMatMul(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue *x = t.data(node, 0), *weights = t.constant(node, 1);
  if (x == nullptr || weights == nullptr) return unplanned(x == nullptr ? "of a constant" : "of two computed values");
  if (weights->dims.size() != 2) return unplanned(fmt::format("with weights {}", dimsText(weights->dims)));
  return fullyConnected(t, node, *x, *weights, {.outChannels = weights->dims[1], .hasBias = false, .inElements = weights->dims[0]});
}

}  // namespace peakscope::engine
