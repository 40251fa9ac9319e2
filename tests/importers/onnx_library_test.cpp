// SPDX-License-Identifier: Apache-2.0
//
// Shapes compared with the ONNX library's own inference, on files of an operator set that it knows.
#include <onnx/shape_inference/implementation.h>

#include <map>

#include "engine/importers/onnx.h"
#include "tests/importers/model_builder.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

/// Every kind of window, a residual block, a gate, a concat; batch 2.
ModelBuilder mixed() {
  ModelBuilder m(13);
  m.input("x", {2, 3, 33, 29});
  m.parameter("w1", {8, 3, 5, 3}).parameter("w2", {8, 4, 3, 3}).parameter("w3", {8, 8, 1, 1}).parameter("w4", {8, 8, 1, 1});
  for (const char* name : {"scale", "shift", "mean", "variance"}) m.parameter(name, {8});
  m.node("Conv", {"x", "w1"}, "c1").ints("strides", {2, 1}).ints("pads", {2, 0, 1, 3}).ints("dilations", {1, 2});
  m.node("MaxPool", {"c1"}, "p1").ints("kernel_shape", {3, 3}).ints("strides", {2, 2}).ints("pads", {1, 1, 1, 1}).integer("ceil_mode", 1);
  m.node("Conv", {"p1", "w2"}, "c2").integer("group", 2).text("auto_pad", "SAME_LOWER");
  m.node("BatchNormalization", {"c2", "scale", "shift", "mean", "variance"}, "n2");
  m.node("HardSigmoid", {"n2"}, "h2");
  m.node("Add", {"h2", "p1"}, "sum");
  m.node("GlobalAveragePool", {"sum"}, "squeeze");
  m.node("Conv", {"squeeze", "w3"}, "excite");
  m.node("Sigmoid", {"excite"}, "gate");
  m.node("Mul", {"sum", "gate"}, "gated");
  m.node("AveragePool", {"gated"}, "p2").ints("kernel_shape", {2, 3}).ints("strides", {1, 2});
  m.node("Conv", {"gated", "w4"}, "c4").text("auto_pad", "SAME_UPPER").ints("strides", {2, 2});
  m.node("MaxPool", {"c4"}, "p4").ints("kernel_shape", {2, 2}).ints("strides", {1, 1});
  m.node("Concat", {"gated", "h2"}, "both").integer("axis", 1);
  m.node("AveragePool", {"both"}, "p5").ints("kernel_shape", {3, 3}).ints("strides", {3, 3}).ints("pads", {0, 1, 1, 0});
  for (const char* name : {"p2", "p4", "p5"}) m.node("GlobalAveragePool", {name}, std::string(name) + "g");
  m.node("Concat", {"p2g", "p4g", "p5g"}, "features").integer("axis", 1);
  return m.classifier("features", 32);
}

std::map<std::string, std::vector<std::int64_t>> inferredByTheLibrary(const ModelBuilder& m) {
  onnx::ModelProto model = m.model;
  onnx::shape_inference::InferShapes(model);
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const auto& value : model.graph().value_info())
    for (const auto& dim : value.type().tensor_type().shape().dim()) shapes[value.name()].push_back(dim.dim_value());
  return shapes;
}

}  // namespace

class OnnxLibraryTest : public QObject {
  Q_OBJECT
 private slots:
  void shapesAreTheLibrarys() {
    const auto expected = inferredByTheLibrary(mixed());
    const auto graph = mixed().read();
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    int compared = 0;
    for (const auto& [name, dims] : expected) {
      const FoundLayer found = layerOf(*graph, name);   // the builder names nodes after what they write
      if (found.layer == nullptr || dims.size() != 4) continue;
      QVERIFY2(found.shape == toString(Shape{1, dims[1], dims[2], dims[3]}), (name + ": " + found.shape).c_str());
      ++compared;
    }
    QCOMPARE(compared, 20);
  }
};

PEAKSCOPE_TEST(OnnxLibraryTest)
#include "onnx_library_test.moc"
