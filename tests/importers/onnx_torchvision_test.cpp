// SPDX-License-Identifier: Apache-2.0
//
// Real exports, whose weights are not there: parameters as torchvision publishes them, shapes, and a safe plan from every
// policy at any batch and input size.
#include "engine/cost_model.h"
#include "engine/importers/onnx.h"
#include "engine/lowering.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/importers/model_builder.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

struct Model {
  const char* name;
  std::int64_t parameters;
  std::int32_t layers;      ///< forks, data and loss included
  const char* somewhere;    ///< a layer, and its output for one image
  const char* shape;
};
// Layers: nodes less constants, flattens and concats of one input; data and loss; a fork for each value read several times.
// DenseNet-121: 431 nodes - 1 - 4 + 2, and 58 forks: the inputs of 4 blocks, and all of their 58 layers but the last ones.
constexpr Model models[] = {
    {"alexnet", 61'100'840, 23, "features.12", "1x256x6x6"},
    {"resnet50", 25'557'032, 192, "layer4.2.add", "1x2048x7x7"},
    {"densenet121", 7'978'856, 486, "features.denseblock4.denselayer16.conv2", "1x32x7x7"},
    {"googlenet", 6'624'904, 207, "inception5b.concat", "1x1024x7x7"},
    {"mobilenet_v2", 3'504'872, 164, "features.18.0", "1x1280x7x7"},
};

Result<Graph> read(const char* name) { return readOnnx(std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "tests/importers/data" / (std::string(name) + ".onnx")); }

std::int64_t parametersOf(const Workload& workload) {
  Bytes bytes;
  for (const Tensor& tensor : workload.tensors)
    if (tensor.kind == TensorKind::Weight) bytes += tensor.shapeBytes;
  return bytes.count() / 4;
}

DeviceSpec roomy() {
  DeviceSpec device;
  device.name = "roomy";
  device.memory = Bytes{std::int64_t{1} << 40};
  device.hostMemory = Bytes{std::int64_t{1} << 40};
  device.flopsPerSecond = 1e13;
  device.memoryBytesPerSecond = 1e12;
  device.linkBytesPerSecond = 1e10;
  return device;
}

void addModels() {
  QTest::addColumn<int>("index");
  int index = 0;
  for (const Model& model : models) QTest::newRow(model.name) << index++;
}

}  // namespace

class OnnxTorchvisionTest : public QObject {
  Q_OBJECT
 private slots:
  void parametersAndShapesAreTorchvisions_data() { addModels(); }
  void parametersAndShapesAreTorchvisions() {
    QFETCH(int, index);
    const Model& model = models[index];
    const auto graph = read(model.name);
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    QVERIFY2(graph->remarks.empty(), graph->remarks.empty() ? "" : graph->remarks[0].c_str());
    QCOMPARE(graph->name, std::string(model.name));
    IdealLibrary library;
    QCOMPARE(parametersOf(lower(*graph, 2, LoweringOptions::lean(), library).workload), model.parameters);
    QCOMPARE(layerOf(*graph, model.somewhere).shape, std::string(model.shape));
    QCOMPARE(toString(graph->layers[graph->lossLayer()].shape), std::string("1x1000x1x1"));
    QCOMPARE(graph->layers.size(), model.layers);
  }

  void everyPolicyMakesASafePlan_data() { addModels(); }
  void everyPolicyMakesASafePlan() {
    QFETCH(int, index);
    const auto graph = read(models[index].name);
    QVERIFY(graph.has_value());
    IdealLibrary library;
    for (const LoweringOptions& lowering : {LoweringOptions::paper(), LoweringOptions::lean()})
      for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{48}}) {
        const Lowering lowered = lower(*graph, batch, lowering, library);
        const CostTable costs = modelCosts(lowered, roomy());
        for (const PolicyInfo& policy : policies()) {
          PolicyOptions options;
          options.policy = policy.name;
          const DeviceSpec device = roomy();
          const auto plan = makePlan({lowered.workload, device, costs}, options);
          QVERIFY2(plan.has_value(), policy.name);
          const auto problems = checkPlan(*plan, lowered.workload);
          QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].text.c_str());
        }
      }
  }

  void bytesGrowWithTheBatchAlone_data() { addModels(); }
  void bytesGrowWithTheBatchAlone() {
    QFETCH(int, index);
    const auto graph = read(models[index].name);
    IdealLibrary library;
    const auto activations = [&](std::int64_t batch) {
      Bytes bytes;
      for (const Tensor& tensor : lower(*graph, batch, LoweringOptions::paper(), library).workload.tensors)
        if (isScheduled(tensor.kind)) bytes += tensor.shapeBytes;
      return bytes.count();
    };
    QCOMPARE(activations(48), 48 * activations(1));
  }

  void aModelWithAGlobalAverageTakesAnyInputSize() {
    for (const char* name : {"resnet50", "densenet121", "googlenet", "mobilenet_v2"}) {
      const auto graph = withInputSize(*read(name), 320, 256);
      QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    }
    QCOMPARE(layerOf(*withInputSize(*read("resnet50"), 320, 256), "layer4.2.add").shape, std::string("1x2048x10x8"));
  }

  void aModelWhoseWeightsFixTheInputSizeSaysSo() {
    const auto larger = withInputSize(*read("alexnet"), 256, 256);
    QVERIFY(!larger.has_value());
    QVERIFY2(larger.error().message.find("take 9216 numbers, but its input 256x7x7 has 12544") != std::string::npos, larger.error().message.c_str());
    QVERIFY(withInputSize(*read("alexnet"), 227, 227).has_value());   // the same 6 x 6 at the end
  }
};

PEAKSCOPE_TEST(OnnxTorchvisionTest)
#include "onnx_torchvision_test.moc"
