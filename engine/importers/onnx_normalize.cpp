// SPDX-License-Identifier: Apache-2.0
//
// Layers that behave otherwise in training than in inference, and LRN. What an inference export turned off is planned as
// it trains; what it left out cannot come back, and the signs are counted.
#include <fmt/format.h>

#include "engine/importers/onnx_operators.h"

namespace peakscope::engine {

Translated translateBatchNorm(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue *x = t.data(node, 0), *scale = t.constant(node, 1);
  if (x == nullptr || scale == nullptr) return unplanned("with a computed scale");
  const auto settled = t.settled(*x);
  if (!settled) return unplanned("of a reshaped image");
  const std::int64_t channels = t.image(*settled).c;
  for (std::size_t k = 1; k < 5; ++k)
    if (const OnnxValue* parameter = t.constant(node, k); parameter == nullptr || parameter->dims != std::vector{channels})
      return wrong(fmt::format("its parameters do not have one number for each of the {} channels of its input", channels));
  // Before operator set 14 it trained if its statistics were outputs; the flag came then.
  const bool trains = t.model.opset >= 14 ? node.integer("training_mode", 0) != 0 : node.outputs.size() > 1;
  ++(trains ? t.signs.trainingNorms : t.signs.inferenceNorms);
  t.useParameter(*scale);
  return t.addLayer(node,
                    BatchNormParams{.epsilon = static_cast<float>(node.number("epsilon", 1e-5)),
                                    .momentum = static_cast<float>(1 - node.number("momentum", 0.9))},
                    {*settled});
}

Translated translateLrn(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr || x->dims.size() != 4 || !t.isImage(*x)) return unplanned("of a reshaped image");
  return t.addLayer(node,
                    LrnParams{.size = node.integer("size", 0), .alpha = static_cast<float>(node.number("alpha", 1e-4)), .beta = static_cast<float>(node.number("beta", 0.75)),
                              .k = static_cast<float>(node.number("bias", 1))},
                    {*x});
}

Translated translateDropout(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr) return unplanned("of a constant");
  if (node.outputs.size() > 1 && t.readersOf(node.outputs[1]) > 0) return unplanned("whose mask is read");
  double rate = node.number("ratio", 0.5);
  if (const OnnxValue* ratio = t.constant(node, 1)) rate = ratio->scalar().value_or(rate);
  const OnnxValue* flag = t.constant(node, 2);
  const bool trains = t.model.opset < 12 || (flag != nullptr && flag->scalar().value_or(1) != 0);
  ++(trains ? t.signs.trainingDropouts : t.signs.inferenceDropouts);
  if (rate == 0) return std::vector{*x};
  return t.addElementWise(node, DropoutParams{static_cast<float>(rate)}, *x);
}

/// The loss has its softmax inside: one at the end of the model is that one.
Translated translateSoftmax(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr || node.outputs[0] != t.outputName || t.readersOf(node.outputs[0]) > 0) return unplanned("that is not at the end");
  const auto axis = axisOf(node.integer("axis", t.model.opset >= 13 ? -1 : 1), x->dims.size());
  if (axis != std::int64_t{1}) return unplanned("over another axis than the classes");
  return std::vector{*x};
}

}  // namespace peakscope::engine
