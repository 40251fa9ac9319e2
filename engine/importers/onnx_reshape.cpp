// SPDX-License-Identifier: Apache-2.0
//
// What moves elements or only names them otherwise. Note [Views] in onnx_translation.h.
#include <fmt/format.h>

#include <algorithm>

#include "engine/importers/onnx_operators.h"

namespace peakscope::engine {
namespace {

std::vector<OnnxValue> viewOf(OnnxValue value, std::vector<std::int64_t> dims) {
  value.dims = std::move(dims);
  return {std::move(value)};
}

/// Channels exchanged between two reshapes: [N, g, C/g, H, W] became [N, C/g, g, H, W], and is one image again.
bool endsShuffle(const OnnxTranslation& t, const OnnxValue& x, const std::vector<std::int64_t>& dims) {
  return x.shuffledGroups > 0 && dims == t.imageDims(x.layer);
}

struct ChannelRange {
  std::int64_t begin, end;
};

/// Begin and end as Slice means them: negative from the end, clamped.
ChannelRange clamped(std::int64_t begin, std::int64_t end, std::int64_t size) {
  const auto bound = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? std::max(at, -size) + size : at, 0, size); };
  return {bound(begin), bound(end)};
}

}  // namespace

Translated translateAlias(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr) return unplanned("of a constant");
  if (node.op == "Cast") {
    const auto to = static_cast<OnnxType>(node.integer("to", 0));
    if (to != OnnxType::Float && to != OnnxType::Half && to != OnnxType::Double && to != OnnxType::BFloat) return unplanned("to a type without fractions");
  }
  return std::vector{*x};
}

Translated translateFlatten(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  const std::int64_t axis = node.integer("axis", 1);
  if (x == nullptr || x->shuffledGroups > 0 || (axis < 0 ? axis + static_cast<std::int64_t>(x->dims.size()) : axis) != 1) return unplanned("of other axes than all behind the batch");
  return viewOf(*x, {t.batch, t.image(*x).elements()});
}

Translated translateReshape(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr) return unplanned("of a constant");
  std::optional<OnnxDims> dims;
  if (node.op == "Reshape") {
    const auto target = listOf(t, node, "shape", 1);
    if (!target) return unplanned("to a shape that is not known");
    dims = reshaped(x->dims, *target, node.integer("allowzero", 0) != 0);
    if (!dims) return wrong(fmt::format("cannot make {} of its input {}", dimsText(*target), dimsText(x->dims)));
  } else {
    const auto axes = listOf(t, node, "axes", 1);
    if (!axes && node.hasInput(1)) return unplanned("over axes that are not known");
    dims = node.op == "Squeeze" ? squeezed(x->dims, axes) : unsqueezed(x->dims, axes);
    if (!dims) return wrong("its axes do not fit its input " + dimsText(x->dims));
  }
  if (dims->empty() || dims->front() != t.batch) return unplanned("that mixes the images of a batch");
  if (endsShuffle(t, *x, *dims)) {
    OnnxValue image = *x;
    image.shuffledGroups = 0;
    image.dims = *dims;
    return t.addLayer(node, ChannelShuffleParams{x->shuffledGroups}, {image});
  }
  if (x->shuffledGroups > 0) return unplanned("of exchanged axes");
  return viewOf(*x, std::move(*dims));
}

Translated translateTranspose(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  const OnnxAttribute* order = node.find("perm");
  if (x == nullptr || order == nullptr) return unplanned();
  const auto& d = x->dims;
  const auto image = t.imageDims(x->layer);
  const bool isGrouped = d.size() == 5 && d[0] == image[0] && d[1] * d[2] == image[1] && d[3] == image[2] && d[4] == image[3];
  if (!isGrouped || x->shuffledGroups > 0 || order->integers != std::vector<std::int64_t>{0, 2, 1, 3, 4}) return unplanned();
  OnnxValue exchanged = *x;
  exchanged.shuffledGroups = d[1];
  return viewOf(exchanged, {d[0], d[2], d[1], d[3], d[4]});
}

Translated translateConcat(OnnxTranslation& t, const OnnxNode& node) {
  std::vector<OnnxValue> inputs;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    const OnnxValue* x = t.data(node, k);
    const auto settled = x ? t.settled(*x) : std::nullopt;
    if (!settled) return unplanned("of reshaped images or constants");
    if (!inputs.empty() && settled->dims.size() != inputs[0].dims.size()) return unplanned("of different shapes");
    inputs.push_back(*settled);
  }
  if (inputs.empty()) return wrong("has no inputs");
  if (axisOf(node.integer("axis", 1), inputs[0].dims.size()) != std::int64_t{1}) return unplanned("along another axis than the channels");
  if (inputs.size() == 1) return inputs;
  return t.addLayer(node, ConcatParams{}, inputs);
}

Translated translateSlice(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  const auto settled = x ? t.settled(*x) : std::nullopt;
  if (!settled) return unplanned("of a reshaped image");
  const auto starts = listOf(t, node, "starts", 1), ends = listOf(t, node, "ends", 2), axes = listOf(t, node, "axes", 3);
  const auto* steps = integersOf(t, node, 4);
  const bool isOne = starts && ends && axes && starts->size() == 1 && ends->size() == 1 && axes->size() == 1;
  if (!isOne || axisOf((*axes)[0], settled->dims.size()) != std::int64_t{1} || (steps && *steps != std::vector<std::int64_t>{1}))
    return unplanned("of something else than neighbouring channels");
  const ChannelRange range = clamped((*starts)[0], (*ends)[0], t.image(*settled).c);
  if (range.end <= range.begin) return wrong("takes no channels");
  return t.addLayer(node, ChannelSliceParams{range.begin, range.end - range.begin}, {*settled});
}

Translated translateSplit(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  const auto settled = x ? t.settled(*x) : std::nullopt;
  if (!settled || axisOf(node.integer("axis", 0), settled->dims.size()) != std::int64_t{1}) return unplanned("along another axis than the channels");
  const std::int64_t channels = t.image(*settled).c, count = static_cast<std::int64_t>(node.outputs.size());
  auto sizes = listOf(t, node, "split", 1);
  if (!sizes) {
    const std::int64_t size = (channels + count - 1) / count;   // the last one takes what is left
    sizes.emplace();
    for (std::int64_t begin = 0; begin < channels; begin += size) sizes->push_back(std::min(size, channels - begin));
  }
  if (static_cast<std::int64_t>(sizes->size()) != count) return wrong(fmt::format("has {} outputs and {} sizes", count, sizes->size()));
  std::vector<OnnxValue> parts;
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < sizes->size(); ++k) {
    const std::int64_t size = (*sizes)[k];
    if (size < 1 || size > channels - begin) return wrong(fmt::format("its sizes do not fit {} channels", channels));
    OnnxValue part;   // nobody reads it: no layer
    if (!node.outputs[k].empty() && (t.readersOf(node.outputs[k]) > 0 || node.outputs[k] == t.outputName)) {
      auto made = t.addLayer(node, ChannelSliceParams{begin, size}, {*settled});
      if (!made) return made;
      part = made->front();
    }
    parts.push_back(std::move(part));
    begin += size;
  }
  return parts;
}

}  // namespace peakscope::engine
