// SPDX-License-Identifier: Apache-2.0
//
// Small ONNX models for tests, made with the library's own classes.
//
//   ModelBuilder m;
//   m.input("x", {-1, 3, 8, 8}).parameter("w", {4, 3, 3, 3});
//   m.node("Conv", {"x", "w"}, "y").ints("pads", {1, 1, 1, 1}).called("/conv1/Conv");
//   m.classifier("y", 4);                       // global average, flatten, fully connected
//   Result<Graph> graph = m.read();
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph.h"
#include "memory/result.h"

namespace peakscope::test {

class NodeBuilder {
 public:
  explicit NodeBuilder(onnx::NodeProto& node) : m_node(node) {}
  NodeBuilder& ints(const std::string& name, const std::vector<std::int64_t>& values);
  NodeBuilder& integer(const std::string& name, std::int64_t value);
  NodeBuilder& number(const std::string& name, float value);
  NodeBuilder& text(const std::string& name, const std::string& value);
  NodeBuilder& called(const std::string& name);
  NodeBuilder& writes(const std::string& output);
  NodeBuilder& in(const std::string& domain);

 private:
  onnx::AttributeProto& add(const std::string& name, onnx::AttributeProto::AttributeType type);
  onnx::NodeProto& m_node;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(std::int64_t opset = 20);

  /// -1: left open, with a name.
  ModelBuilder& input(const std::string& name, const std::vector<std::int64_t>& dims);
  ModelBuilder& output(const std::string& name);
  /// Without values, as if they lay in another file.
  ModelBuilder& parameter(const std::string& name, const std::vector<std::int64_t>& dims);
  ModelBuilder& integers(const std::string& name, const std::vector<std::int64_t>& values);
  /// A single number without dimensions.
  ModelBuilder& index(const std::string& name, std::int64_t value);
  ModelBuilder& number(const std::string& name, float value);
  NodeBuilder node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output);
  /// Global average, flatten, a fully connected layer of `classes`, and the graph's output.
  ModelBuilder& classifier(const std::string& from, std::int64_t channels, std::int64_t classes = 10);

  [[nodiscard]] std::string bytes() const { return model.SerializeAsString(); }
  [[nodiscard]] Result<engine::Graph> read() const;

  onnx::ModelProto model;

 private:
  onnx::TensorProto& tensor(const std::string& name, const std::vector<std::int64_t>& dims, onnx::TensorProto::DataType type);
};

/// The layer of that name; its type is "" if there is none.
struct FoundLayer {
  std::string type;
  std::string shape;   ///< "1x64x56x56"
  const engine::Layer* layer = nullptr;
};
[[nodiscard]] FoundLayer layerOf(const engine::Graph& graph, const std::string& name);
/// "data conv relu softmax": types in the order of the layers.
[[nodiscard]] std::string typesOf(const engine::Graph& graph);

}  // namespace peakscope::test
