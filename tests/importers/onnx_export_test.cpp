// SPDX-License-Identifier: Apache-2.0
//
// What exporters do to a model besides writing it down: names for parameters, Identity nodes, folding for inference. Each
// is seen through or said.
#include "tests/importers/model_builder.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

struct Options {
  std::int64_t opset = 20;
  bool hasNorm = true, trains = true, hasBias = false, isWeightless = false, hasIdentity = false;
  std::string weights = "conv.weight";
};

/// conv, perhaps batch norm, relu, classifier.
ModelBuilder model(const Options& o) {
  ModelBuilder m(o.opset);
  m.input("x", {-1, 3, 8, 8});
  const auto parameter = [&](const std::string& name, const std::vector<std::int64_t>& dims) {
    if (o.isWeightless) m.input(name, dims);
    else m.parameter(name, dims);
  };
  parameter(o.weights, {4, 3, 3, 3});
  if (o.hasBias) parameter("conv.bias", {4});
  for (const char* name : {"scale", "shift", "mean", "variance"})
    if (o.hasNorm) parameter(name, {4});
  if (o.hasIdentity) m.node("Identity", {o.weights}, "alias");
  std::vector<std::string> inputs{"x", o.hasIdentity ? "alias" : o.weights};
  if (o.hasBias) inputs.emplace_back("conv.bias");
  m.node("Conv", inputs, "conv");
  if (o.hasNorm) {
    auto norm = m.node("BatchNormalization", {"conv", "scale", "shift", "mean", "variance"}, "norm");
    if (o.trains) norm.integer("training_mode", 1).writes("running_mean").writes("running_variance");
  }
  m.node("Relu", {o.hasNorm ? "norm" : "conv"}, "relu");
  m.classifier("relu", 4);
  return m;
}

std::string remarkOn(const ModelBuilder& m) {
  const auto graph = m.read();
  if (!graph) qFatal("%s", graph.error().message.c_str());
  return graph->remarks.empty() ? std::string() : graph->remarks[0];
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

class OnnxExportTest : public QObject {
  Q_OBJECT
 private slots:
  void aTrainingExportIsReadWithoutAWord() {
    const auto graph = model({}).read();
    QVERIFY(graph.has_value());
    QVERIFY(graph->remarks.empty());
    QCOMPARE(typesOf(*graph), std::string("data conv batchnorm relu pool fc softmax"));
    QCOMPARE(graph->defaultBatch, std::int64_t{32});
    QVERIFY(contains(graph->planOnly, "training such models comes later"));
  }

  void anInferenceExportIsSeenAndTheRemedyNamed() {
    const std::string evaluating = remarkOn(model({.trains = false}));
    QVERIFY2(contains(evaluating, "1 BatchNormalization nodes are in inference mode"), evaluating.c_str());
    QVERIFY2(contains(evaluating, "torch.onnx.export(model.train(), x, \"net.onnx\", training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False)"), evaluating.c_str());
    QVERIFY(contains(remarkOn(model({.hasNorm = false, .hasBias = true})), "1 convolutions have a bias and no BatchNormalization"));
    QVERIFY(contains(remarkOn(model({.hasNorm = false, .hasBias = true, .weights = "onnx::Conv_497"})), "folded into 1 convolutions"));
  }

  void aDropoutThatIsOffIsPlannedAsItTrains() {
    ModelBuilder m;
    m.input("x", {-1, 6, 8, 8}).number("rate", 0.5F);
    m.node("Dropout", {"x", "rate"}, "dropped");
    m.classifier("dropped", 6);
    QVERIFY(contains(remarkOn(m), "1 Dropout nodes are in inference mode"));
    QCOMPARE(typesOf(*m.read()), std::string("data dropout pool fc softmax"));
  }

  void beforeOperatorSet14ABatchNormTrainsIfItWritesStatistics() {
    ModelBuilder m = model({.opset = 13, .trains = false});
    for (auto& node : *m.model.mutable_graph()->mutable_node())
      if (node.op_type() == "BatchNormalization")
        for (const char* name : {"m", "v", "sm", "sv"}) node.add_output(name);
    QCOMPARE(remarkOn(m), std::string());
  }

  void parametersMayBeInputsOfTheGraph() {
    const auto graph = model({.isWeightless = true}).read();
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    QCOMPARE(typesOf(*graph), std::string("data conv batchnorm relu pool fc softmax"));
  }

  void anIdentityIsAnAlias() {
    for (const bool isWeightless : {false, true}) {
      const auto graph = model({.isWeightless = isWeightless, .hasIdentity = true}).read();
      QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
      QCOMPARE(typesOf(*graph), std::string("data conv batchnorm relu pool fc softmax"));
    }
  }

  void weightsOfTwoLayersAreCountedTwiceAndThatIsSaid() {
    ModelBuilder m;
    m.input("x", {-1, 4, 8, 8}).parameter("w", {4, 4, 1, 1});
    m.node("Conv", {"x", "w"}, "a");
    m.node("Conv", {"a", "w"}, "b");
    QVERIFY(contains(remarkOn(m.classifier("b", 4)), "shares parameters between layers"));
  }

  void theBatchIsTheFilesIfItHasOne() {
    ModelBuilder m;
    m.input("x", {8, 6, 8, 8}).parameter("w", {10, 384}).integers("target", {8, 384});
    m.node("Reshape", {"x", "target"}, "flat");   // written for eight images, planned for any number
    m.node("Gemm", {"flat", "w"}, "scores").integer("transB", 1);
    const auto graph = m.output("scores").read();
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    QCOMPARE(graph->defaultBatch, std::int64_t{8});
  }

  void anOpenImageSizeIsPlannedAsUsualAndThatIsSaid() {
    ModelBuilder m;
    m.input("x", {-1, 3, -1, -1});
    m.classifier("x", 3);
    QVERIFY(contains(remarkOn(m), "leaves the image's size open; it is planned with 224 a side"));
    QCOMPARE(layerOf(*m.read(), "x").shape, std::string("1x3x224x224"));
  }

  void nodesMayStandInAnyOrder() {
    ModelBuilder m = model({});
    auto& nodes = *m.model.mutable_graph()->mutable_node();
    std::reverse(nodes.begin(), nodes.end());
    const auto graph = m.read();
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    QCOMPARE(typesOf(*graph), std::string("data conv batchnorm relu pool fc softmax"));
  }
};

PEAKSCOPE_TEST(OnnxExportTest)
#include "onnx_export_test.moc"
