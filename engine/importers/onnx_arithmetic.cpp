// SPDX-License-Identifier: Apache-2.0
//
// Element by element: functions of one value, sums, products, and arithmetic with constants.
#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/importers/onnx_operators.h"

namespace peakscope::engine {
namespace {

using Kind = ActivationParams::Kind;

struct NamedKind {
  const char* op;
  Kind kind;
};
constexpr NamedKind kinds[] = {{"Clip", Kind::Clip},           {"Sigmoid", Kind::Sigmoid},     {"HardSigmoid", Kind::HardSigmoid}, {"Tanh", Kind::Tanh},
                               {"LeakyRelu", Kind::LeakyRelu}, {"Elu", Kind::Elu},             {"Softplus", Kind::Softplus},       {"HardSwish", Kind::HardSwish},
                               {"Gelu", Kind::Gelu},           {"Mish", Kind::Mish}};

/// Clip from 0 without an upper end is ReLU.
bool isRelu(const OnnxTranslation& t, const OnnxNode& node) {
  if (node.op == "Relu") return true;
  if (node.op != "Clip") return false;
  const auto bound = [&](const char* attribute, std::size_t input, double otherwise) {
    const OnnxValue* given = t.constant(node, input);
    return given ? given->scalar().value_or(otherwise) : node.number(attribute, otherwise);
  };
  constexpr double infinite = std::numeric_limits<float>::max();
  return bound("min", 1, -infinite) == 0 && bound("max", 2, infinite) >= infinite;
}

/// Whether a constant has one number for each channel, and 1 elsewhere: what a bias looks like beside N x C x H x W.
bool isPerChannel(const OnnxValue& constant, const OnnxValue& x, std::int64_t channels) {
  const auto axis = static_cast<std::ptrdiff_t>(constant.dims.size()) - static_cast<std::ptrdiff_t>(x.dims.size()) + 1;
  if (axis < 0) return false;
  for (std::size_t i = 0; i < constant.dims.size(); ++i)
    if (constant.dims[i] != (static_cast<std::ptrdiff_t>(i) == axis ? channels : 1)) return false;
  return true;
}

/// Exporters write some biases as a sum behind the layer: they become the layer's own.
Translated addBias(OnnxTranslation& t, const OnnxNode& node, const OnnxValue& x, const std::string& xName, const OnnxValue& bias) {
  Layer& layer = t.layers[x.layer];
  const bool isUnread = layer.consumers.empty() && t.readersOf(xName) == 1 && isPerChannel(bias, x, layer.shape.c);
  if (auto* fc = std::get_if<FcParams>(&layer.params); fc && !fc->hasBias && isUnread) {
    fc->hasBias = true;
  } else if (auto* conv = std::get_if<ConvParams>(&layer.params); conv && !conv->hasBias && isUnread) {
    conv->hasBias = true;
  } else if (elementsOf(bias.dims) == std::int64_t{1}) {
    return t.addElementWise(node, ActivationParams{Kind::Scale}, x);
  } else {
    return unplanned("of a parameter");
  }
  t.useParameter(bias);
  return std::vector{x};
}

}  // namespace

Translated translateActivation(OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = t.data(node, 0);
  if (x == nullptr) return unplanned("of a constant");
  if (isRelu(t, node)) return t.addElementWise(node, ReluParams{}, *x);
  const auto* known = std::find_if(std::begin(kinds), std::end(kinds), [&](const NamedKind& k) { return node.op == k.op; });
  if (known == std::end(kinds)) return unplanned();
  return t.addElementWise(node, ActivationParams{known->kind}, *x);
}

Translated translateAdd(OnnxTranslation& t, const OnnxNode& node) {
  if (node.inputs.size() == 1 && t.data(node, 0)) return std::vector{*t.data(node, 0)};
  if (node.inputs.size() == 2) {
    for (std::size_t k = 0; k < 2; ++k)
      if (const OnnxValue *x = t.data(node, k), *bias = t.constant(node, 1 - k); x && bias) return addBias(t, node, *x, node.inputs[k], *bias);
  }
  std::vector<OnnxValue> inputs;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    const OnnxValue* x = t.data(node, k);
    const auto settled = x ? t.settled(*x) : std::nullopt;
    if (!settled) return unplanned("of reshaped images or constants");
    if (settled->dims != x->dims || (!inputs.empty() && settled->dims != inputs[0].dims)) return unplanned("of different shapes");
    inputs.push_back(*settled);
  }
  if (inputs.size() < 2) return wrong("has fewer than two inputs");
  return t.addLayer(node, AddParams{}, inputs);
}

Translated translateArithmetic(OnnxTranslation& t, const OnnxNode& node) {
  if (node.inputs.size() != 2) return wrong("does not have two inputs");
  const OnnxValue *a = t.data(node, 0), *b = t.data(node, 1);
  if (a && b) {
    if (node.op != "Mul") return unplanned("of two computed values");
    const auto first = t.settled(*a), second = t.settled(*b);
    if (!first || !second || first->dims.size() != second->dims.size()) return unplanned("of different shapes");
    return t.addLayer(node, MulParams{}, {*first, *second});
  }
  const OnnxValue* x = a ? a : b;
  const OnnxValue* constant = t.constant(node, a ? 1 : 0);
  if (!x || !constant) return unplanned("of constants");
  if (elementsOf(constant->dims) != std::int64_t{1}) return unplanned("by a parameter");
  if (!a && node.op == "Div") return unplanned("of a constant by an image");
  return t.addElementWise(node, ActivationParams{Kind::Scale}, *x);
}

}  // namespace peakscope::engine
