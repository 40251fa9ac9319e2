// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_translation.h"

#include <algorithm>

#include "engine/graph/graph_check.h"

namespace peakscope::engine {

std::optional<double> OnnxValue::scalar() const {
  if (numbers && numbers->size() == 1) return numbers->front();
  if (integers && integers->size() == 1) return static_cast<double>(integers->front());
  return std::nullopt;
}

OnnxValue constantOf(const OnnxTensor& tensor) {
  return {.kind = OnnxValue::Kind::Constant,
          .dims = tensor.dims,
          .layer = {},
          .shuffledGroups = 0,
          .parameter = tensor.name,
          .integers = tensor.integers,
          .numbers = tensor.numbers};
}

OnnxValue integerConstant(std::vector<std::int64_t> dims, std::vector<std::int64_t> values) {
  OnnxValue value;
  value.kind = OnnxValue::Kind::Constant;
  value.dims = std::move(dims);
  value.integers = std::move(values);
  return value;
}

OnnxTranslation::OnnxTranslation(const OnnxModel& m, std::string output) : model(m), outputName(std::move(output)), names(m.nodes) {}

const OnnxValue* OnnxTranslation::find(const std::string& name) const {
  const auto found = m_values.find(name);
  return found == m_values.end() ? nullptr : &found->second;
}

const OnnxValue* OnnxTranslation::data(const OnnxNode& node, std::size_t k) const {
  const OnnxValue* value = node.hasInput(k) ? find(node.inputs[k]) : nullptr;
  return value != nullptr && value->isData() ? value : nullptr;
}

const OnnxValue* OnnxTranslation::constant(const OnnxNode& node, std::size_t k) const {
  const OnnxValue* value = node.hasInput(k) ? find(node.inputs[k]) : nullptr;
  return value != nullptr && value->isConstant() ? value : nullptr;
}

std::int64_t OnnxTranslation::readersOf(const std::string& name) const {
  const auto found = m_readers.find(name);
  return found == m_readers.end() ? 0 : found->second;
}

void OnnxTranslation::useParameter(const OnnxValue& weights) {
  if (!weights.parameter.empty() && !m_usedParameters.emplace(weights.parameter, true).second) ++sharedParameters;
}

std::vector<std::int64_t> OnnxTranslation::imageDims(LayerId layer) const {
  const Shape& shape = layers[layer].shape;
  return {batch, shape.c, shape.h, shape.w};
}

bool OnnxTranslation::isImage(const OnnxValue& value) const {
  return value.isData() && value.shuffledGroups == 0 && value.dims == imageDims(value.layer);
}

bool OnnxTranslation::isFlat(const OnnxValue& value) const {
  return value.isData() && value.shuffledGroups == 0 && value.dims.size() == 2 && value.dims[0] == batch &&
         value.dims[1] == image(value).elements();
}

std::optional<OnnxValue> OnnxTranslation::settled(const OnnxValue& value) {
  if (isImage(value)) return value;
  if (!isFlat(value)) return std::nullopt;
  if (image(value).h * image(value).w == 1) return value;
  auto flat = addNamed(layers[value.layer].name + ".flatten", FlattenParams{}, {value});
  if (!flat) return std::nullopt;
  flat->dims = value.dims;
  return *flat;
}

Result<OnnxValue, OnnxRefusal> OnnxTranslation::addNamed(const std::string& name, LayerParams params, const std::vector<OnnxValue>& inputs) {
  std::vector<Shape> shapes;
  std::vector<LayerId> sources;
  for (const OnnxValue& input : inputs) {
    shapes.push_back(image(input));
    sources.push_back(input.layer);
  }
  const auto shape = inferShape(params, shapes);
  if (!shape) return wrong(shape.error());
  const LayerId id = layers.push_back({.name = names.unique(name), .params = std::move(params), .inputs = sources, .consumers = {}, .shape = *shape});
  for (const LayerId source : sources) layers[source].consumers.push_back(id);
  OnnxValue value;
  value.kind = OnnxValue::Kind::Data;
  value.layer = id;
  value.dims = imageDims(id);
  return value;
}

Translated OnnxTranslation::addLayer(const OnnxNode& node, LayerParams params, const std::vector<OnnxValue>& inputs) {
  auto value = addNamed(names.nameFor(node), std::move(params), inputs);
  if (!value) return fail(value.error());
  const bool isFlatEverywhere = !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [](const OnnxValue& v) { return v.dims.size() == 2; });
  if (isFlatEverywhere && layers[value->layer].shape.h * layers[value->layer].shape.w == 1) value->dims.resize(2);
  return std::vector{std::move(*value)};
}

Translated OnnxTranslation::addElementWise(const OnnxNode& node, LayerParams params, const OnnxValue& input) {
  if (!isImage(input) && !isFlat(input)) return unplanned("of a reshaped image");
  auto value = addNamed(names.nameFor(node), std::move(params), {input});
  if (!value) return fail(value.error());
  value->dims = input.dims;
  return std::vector{std::move(*value)};
}

}  // namespace peakscope::engine
