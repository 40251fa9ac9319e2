// SPDX-License-Identifier: Apache-2.0
//
// What slides a window over an image: strides, padding of each side, pooling, averages over the whole image, padding.
#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/graph_check.h"
#include "engine/importers/onnx_operators.h"

namespace peakscope::engine {
namespace {

/// Two numbers of an attribute, in range; true if the attribute is absent (the values stay) or good.
bool readPair(const OnnxNode& node, const char* name, std::int64_t& vertical, std::int64_t& horizontal) {
  const OnnxAttribute* found = node.find(name);
  if (found == nullptr || found->integers.empty()) return true;
  if (found->integers.size() != 2) return false;
  vertical = found->integers[0];
  horizontal = found->integers[1];
  return vertical >= 1 && vertical <= maxWindow && horizontal >= 1 && horizontal <= maxWindow;
}

struct Side {
  std::int64_t length, kernel, stride, dilation;
};
/// What SAME_UPPER and SAME_LOWER add in all along one side.
std::int64_t samePadding(const Side& s) {
  const std::int64_t count = (s.length + s.stride - 1) / s.stride;
  return std::max<std::int64_t>(0, (count - 1) * s.stride + (s.kernel - 1) * s.dilation + 1 - s.length);
}

}  // namespace

Result<OnnxWindow, OnnxRefusal> windowOf(const OnnxNode& node, const Shape& image, std::int64_t kernelH, std::int64_t kernelW) {
  OnnxWindow w{.kernelH = kernelH, .kernelW = kernelW};
  if (!readPair(node, "kernel_shape", w.kernelH, w.kernelW) || (kernelH > 0 && (w.kernelH != kernelH || w.kernelW != kernelW)) || w.kernelH < 1 || w.kernelW < 1 ||
      w.kernelH > maxWindow || w.kernelW > maxWindow)
    return wrong(fmt::format("its kernel is not two numbers between 1 and {} that fit its weights", maxWindow));
  if (!readPair(node, "strides", w.strideH, w.strideW)) return wrong(fmt::format("its strides are not two numbers between 1 and {}", maxWindow));
  if (!readPair(node, "dilations", w.dilationH, w.dilationW)) return wrong(fmt::format("its dilations are not two numbers between 1 and {}", maxWindow));
  const std::string automatic = node.text("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    const std::int64_t vertical = samePadding({image.h, w.kernelH, w.strideH, w.dilationH}), horizontal = samePadding({image.w, w.kernelW, w.strideW, w.dilationW});
    const bool isUpper = automatic == "SAME_UPPER";   // the odd one goes behind
    w.top = isUpper ? vertical / 2 : vertical - vertical / 2;
    w.left = isUpper ? horizontal / 2 : horizontal - horizontal / 2;
    w.bottom = vertical - w.top;
    w.right = horizontal - w.left;
  } else if (const OnnxAttribute* pads = node.find("pads"); pads && automatic != "VALID") {
    const bool isGood = pads->integers.size() == 4 && std::all_of(pads->integers.begin(), pads->integers.end(), [](std::int64_t p) { return p >= 0 && p <= maxWindow; });
    if (!isGood) return wrong(fmt::format("its pads are not four numbers between 0 and {}", maxWindow));
    w.top = pads->integers[0];
    w.left = pads->integers[1];
    w.bottom = pads->integers[2];
    w.right = pads->integers[3];
  }
  return w;
}

Result<OnnxValue, OnnxRefusal> padInFront(OnnxTranslation& t, const OnnxValue& x, OnnxWindow& w) {
  if (w.top == w.bottom && w.left == w.right) return x;
  auto padded = t.addNamed(t.layers[x.layer].name + ".pad", ImagePadParams{w.top, w.left, w.bottom, w.right}, {x});
  w.top = w.left = w.bottom = w.right = 0;
  return padded;
}

Translated translatePool(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr || x->dims.size() != 4 || !t.isImage(*x)) return unplanned("of a reshaped image");
  for (std::size_t k = 1; k < node.outputs.size(); ++k)
    if (!node.outputs[k].empty() && t.readersOf(node.outputs[k]) > 0) return unplanned("whose indices are read");
  auto window = windowOf(node, t.image(*x), 0, 0);
  if (!window) return fail(window.error());
  if (window->dilationH * window->dilationW != 1) return unplanned("with dilation");
  const auto padded = padInFront(t, *x, *window);
  if (!padded) return fail(padded.error());
  using Mode = PoolParams::Mode;
  const Mode mode = node.op == "MaxPool" ? Mode::Max : node.integer("count_include_pad", 0) != 0 ? Mode::AverageIncludingPadding : Mode::Average;
  return t.addLayer(node,
                    PoolParams{.mode = mode, .kernelH = window->kernelH, .kernelW = window->kernelW, .strideH = window->strideH, .strideW = window->strideW,
                               .padH = window->top, .padW = window->left, .isGlobal = false, .roundsUp = node.integer("ceil_mode", 0) != 0},
                    {*padded});
}

Translated translateGlobalPool(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr || x->dims.size() != 4 || !t.isImage(*x)) return unplanned("of a reshaped image");
  return t.addLayer(node, PoolParams{.mode = node.op == "GlobalMaxPool" ? PoolParams::Mode::Max : PoolParams::Mode::Average, .isGlobal = true}, {*x});
}

Translated translateReduceMean(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  const auto axes = listOf(t, node, "axes", 1);
  if (x == nullptr || x->dims.size() != 4 || !t.isImage(*x) || !axes || axes->size() != 2) return unplanned("over other axes than height and width");
  for (const std::int64_t axis : *axes)
    if (const auto at = axisOf(axis, 4); !at || *at < 2) return unplanned("over other axes than height and width");
  if (axisOf((*axes)[0], 4) == axisOf((*axes)[1], 4)) return unplanned("over other axes than height and width");
  auto made = t.addLayer(node, PoolParams{.mode = PoolParams::Mode::Average, .isGlobal = true}, {*x});
  if (made && node.integer("keepdims", 1) == 0) made->front().dims.resize(2);
  return made;
}

Translated translatePad(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr || x->dims.size() != 4 || !t.isImage(*x)) return unplanned("of a reshaped image");
  if (node.text("mode", "constant") != "constant") return unplanned("with mode " + shownName(node.text("mode", "")));
  const auto pads = listOf(t, node, "pads", 1);
  std::vector<std::int64_t> axes{0, 1, 2, 3};
  if (const auto* given = integersOf(t, node, 3)) axes = *given;
  if (!pads || axes.size() > 4 || pads->size() != 2 * axes.size()) return unplanned("by numbers that are not known");
  std::int64_t before[4] = {}, after[4] = {};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = axisOf(axes[i], 4);
    if (!axis) return wrong("an axis is not one of its input's four");
    before[*axis] = (*pads)[i];
    after[*axis] = (*pads)[i + axes.size()];
  }
  if (before[0] != 0 || after[0] != 0) return unplanned("of the batch");
  const bool padsChannels = before[1] != 0 || after[1] != 0;
  const bool padsImage = before[2] != 0 || after[2] != 0 || before[3] != 0 || after[3] != 0;
  if (!padsChannels && !padsImage) return std::vector{*x};
  if (padsChannels && padsImage) return unplanned("of channels and sides at once");
  if (padsChannels) return t.addLayer(node, ChannelPadParams{before[1], after[1]}, {*x});
  return t.addLayer(node, ImagePadParams{before[2], before[3], after[2], after[3]}, {*x});
}

}  // namespace peakscope::engine
