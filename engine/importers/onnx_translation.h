// SPDX-License-Identifier: Apache-2.0
//
// OnnxTranslation: what the rules of the operators work with while nodes become layers, one after the other in an order
// in which inputs come first. A rule reads the node's inputs here and gives its outputs back.
//
//   Translated translateRelu(OnnxTranslation& t, const OnnxNode& node) {
//     const OnnxValue* x = t.data(node, 0);
//     if (!x) return unplanned("on a constant");
//     return t.addLayer(node, ReluParams{}, {*x});
//   }
//
// Note [Views]
// Flatten, Reshape, Squeeze and Unsqueeze move nothing: they give the same layer's output with other dimensions. Layers
// read the image behind a view where that is the same thing (a fully connected layer, an element-wise one); elsewhere
// settled() puts a flatten layer in between.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/graph.h"
#include "engine/importers/onnx_dims.h"
#include "engine/importers/onnx_model.h"
#include "engine/importers/onnx_names.h"

namespace peakscope::engine {

/// What stands under a name: a layer's output, a constant (weights, shape numbers), or nothing that is known.
struct OnnxValue {
  enum class Kind : std::uint8_t { Unknown, Data, Constant } kind = Kind::Unknown;
  std::vector<std::int64_t> dims;
  LayerId layer;                     ///< Data: whose output it is
  std::int64_t shuffledGroups = 0;   ///< Data: channels were exchanged in this five-dimensional view, not yet in a layer
  std::string parameter;             ///< Constant: the initializer's name
  std::optional<std::vector<std::int64_t>> integers;
  std::optional<std::vector<double>> numbers;

  [[nodiscard]] bool isData() const { return kind == Kind::Data; }
  [[nodiscard]] bool isConstant() const { return kind == Kind::Constant; }
  /// The one number of a constant.
  [[nodiscard]] std::optional<double> scalar() const;
};

/// Why a node has no outputs. Unplanned operators are collected and named together; what is wrong ends the import.
struct OnnxRefusal {
  bool isWrong = false;
  std::string text;   ///< unplanned: what about the operator, or nothing
};
using Translated = Result<std::vector<OnnxValue>, OnnxRefusal>;

[[nodiscard]] inline auto unplanned(std::string text = {}) { return fail(OnnxRefusal{false, std::move(text)}); }
[[nodiscard]] inline auto wrong(std::string text) { return fail(OnnxRefusal{true, std::move(text)}); }

/// What points at an export for inference.
struct InferenceSigns {
  std::int64_t convolutionsWithBias = 0, foldedNames = 0, trainingNorms = 0, inferenceNorms = 0, trainingDropouts = 0,
               inferenceDropouts = 0;
};

class OnnxTranslation {
 public:
  OnnxTranslation(const OnnxModel& model, std::string outputName);

  const OnnxModel& model;
  const std::string outputName;            ///< the value that the loss is put on
  std::int64_t batch = 1;                  ///< with which shape numbers are folded; no layer depends on it
  IdVector<LayerId, Layer> layers;         ///< connections may fan out; forks come later
  OnnxNames names;
  InferenceSigns signs;
  std::int64_t sharedParameters = 0;       ///< uses of weights that another layer uses too

  // Values.
  void set(const std::string& name, OnnxValue value) { m_values[name] = std::move(value); }
  [[nodiscard]] const OnnxValue* find(const std::string& name) const;
  /// Input `k`, if it is given and of that kind; null otherwise.
  [[nodiscard]] const OnnxValue* data(const OnnxNode& node, std::size_t k) const;
  [[nodiscard]] const OnnxValue* constant(const OnnxNode& node, std::size_t k) const;
  void countReader(const std::string& name) { ++m_readers[name]; }
  [[nodiscard]] std::int64_t readersOf(const std::string& name) const;
  /// Weights of one more layer.
  void useParameter(const OnnxValue& weights);

  // Shapes.
  [[nodiscard]] const Shape& image(const OnnxValue& value) const { return layers[value.layer].shape; }
  /// N, C, H, W of the layer's output.
  [[nodiscard]] std::vector<std::int64_t> imageDims(LayerId layer) const;
  /// Whether a four-dimensional value is the layer's output as it is (and not a view of other proportions).
  [[nodiscard]] bool isImage(const OnnxValue& value) const;
  [[nodiscard]] bool isFlat(const OnnxValue& value) const;

  // Layers.
  /// The value with its dimensions in a layer of their own: one with a flatten behind it if it is a flat view.
  [[nodiscard]] std::optional<OnnxValue> settled(const OnnxValue& value);
  /// A layer that reads the inputs' images; its output has N, C, H, W, or N, C if all inputs have two dimensions.
  [[nodiscard]] Translated addLayer(const OnnxNode& node, LayerParams params, const std::vector<OnnxValue>& inputs);
  /// The same under a name of its own, for a layer that stands for a part of a node.
  [[nodiscard]] Result<OnnxValue, OnnxRefusal> addNamed(const std::string& name, LayerParams params, const std::vector<OnnxValue>& inputs);
  /// An element-wise layer: flat views stay flat.
  [[nodiscard]] Translated addElementWise(const OnnxNode& node, LayerParams params, const OnnxValue& input);

 private:
  std::unordered_map<std::string, OnnxValue> m_values;
  std::unordered_map<std::string, std::int64_t> m_readers;
  std::unordered_map<std::string, bool> m_usedParameters;
};

[[nodiscard]] OnnxValue constantOf(const OnnxTensor& tensor);
[[nodiscard]] OnnxValue integerConstant(std::vector<std::int64_t> dims, std::vector<std::int64_t> values);
}  // namespace peakscope::engine
