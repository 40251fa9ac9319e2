// SPDX-License-Identifier: Apache-2.0
#include "tests/importers/model_builder.h"

#include "engine/importers/onnx.h"

namespace peakscope::test {

onnx::AttributeProto& NodeBuilder::add(const std::string& name, onnx::AttributeProto::AttributeType type) {
  auto& attribute = *m_node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}
NodeBuilder& NodeBuilder::ints(const std::string& name, const std::vector<std::int64_t>& values) {
  auto& attribute = add(name, onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
  return *this;
}
NodeBuilder& NodeBuilder::integer(const std::string& name, std::int64_t value) {
  add(name, onnx::AttributeProto::INT).set_i(value);
  return *this;
}
NodeBuilder& NodeBuilder::number(const std::string& name, float value) {
  add(name, onnx::AttributeProto::FLOAT).set_f(value);
  return *this;
}
NodeBuilder& NodeBuilder::text(const std::string& name, const std::string& value) {
  add(name, onnx::AttributeProto::STRING).set_s(value);
  return *this;
}
NodeBuilder& NodeBuilder::called(const std::string& name) {
  m_node.set_name(name);
  return *this;
}
NodeBuilder& NodeBuilder::writes(const std::string& output) {
  m_node.add_output(output);
  return *this;
}
NodeBuilder& NodeBuilder::in(const std::string& domain) {
  m_node.set_domain(domain);
  return *this;
}

ModelBuilder::ModelBuilder(std::int64_t opset) {
  model.set_ir_version(8);
  model.mutable_graph()->set_name("graph");
  model.add_opset_import()->set_version(opset);
}

ModelBuilder& ModelBuilder::input(const std::string& name, const std::vector<std::int64_t>& dims) {
  auto& port = *model.mutable_graph()->add_input();
  port.set_name(name);
  auto& type = *port.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape();
  for (const std::int64_t dim : dims) {
    auto& added = *type.mutable_shape()->add_dim();
    if (dim == -1) added.set_dim_param("open" + std::to_string(type.shape().dim_size()));
    else added.set_dim_value(dim);
  }
  return *this;
}

ModelBuilder& ModelBuilder::output(const std::string& name) {
  auto& port = *model.mutable_graph()->add_output();
  port.set_name(name);
  port.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  return *this;
}

onnx::TensorProto& ModelBuilder::tensor(const std::string& name, const std::vector<std::int64_t>& dims, onnx::TensorProto::DataType type) {
  auto& added = *model.mutable_graph()->add_initializer();
  added.set_name(name);
  added.set_data_type(type);
  for (const std::int64_t dim : dims) added.add_dims(dim);
  return added;
}
ModelBuilder& ModelBuilder::parameter(const std::string& name, const std::vector<std::int64_t>& dims) {
  tensor(name, dims, onnx::TensorProto::FLOAT).set_data_location(onnx::TensorProto::EXTERNAL);
  return *this;
}
ModelBuilder& ModelBuilder::integers(const std::string& name, const std::vector<std::int64_t>& values) {
  auto& added = tensor(name, {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64);
  for (const std::int64_t value : values) added.add_int64_data(value);
  return *this;
}
ModelBuilder& ModelBuilder::index(const std::string& name, std::int64_t value) {
  tensor(name, {}, onnx::TensorProto::INT64).add_int64_data(value);
  return *this;
}
ModelBuilder& ModelBuilder::number(const std::string& name, float value) {
  tensor(name, {}, onnx::TensorProto::FLOAT).add_float_data(value);
  return *this;
}

NodeBuilder ModelBuilder::node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output) {
  auto& added = *model.mutable_graph()->add_node();
  added.set_op_type(op);
  added.set_name("/" + output + "/" + op);
  for (const std::string& input : inputs) added.add_input(input);
  added.add_output(output);
  return NodeBuilder(added);
}

ModelBuilder& ModelBuilder::classifier(const std::string& from, std::int64_t channels, std::int64_t classes) {
  parameter("fc.weight", {classes, channels});
  parameter("fc.bias", {classes});
  node("GlobalAveragePool", {from}, "average");
  node("Flatten", {"average"}, "flat").integer("axis", 1);
  node("Gemm", {"flat", "fc.weight", "fc.bias"}, "scores").integer("transB", 1).called("/fc/Gemm");
  return output("scores");
}

Result<engine::Graph> ModelBuilder::read() const { return engine::parseOnnx(bytes(), "net.onnx"); }

FoundLayer layerOf(const engine::Graph& graph, const std::string& name) {
  for (const engine::Layer& layer : graph.layers)
    if (layer.name == name) return {.type = engine::typeName(layer.params), .shape = engine::toString(layer.shape), .layer = &layer};
  return {};
}

std::string typesOf(const engine::Graph& graph) {
  std::string types;
  for (const engine::Layer& layer : graph.layers) types += (types.empty() ? "" : " ") + std::string(engine::typeName(layer.params));
  return types;
}

}  // namespace peakscope::test
