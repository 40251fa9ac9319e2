// SPDX-License-Identifier: Apache-2.0
//
// The paper preset against the oracle files: the same tensors, the same steps, the same lifetimes, to the byte.
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/engine/sample_lowerings.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;
using nlohmann::json;

namespace {

json oracleOf(const QString& net) {
  std::ifstream file(std::string(PEAKSCOPE_SOURCE_DIR) + "/tests/oracle/" + net.toStdString() + ".json");
  return json::parse(file);
}

Lowering paperLowering(const json& oracle) { return lowered(sample(oracle["net"]), oracle["batch"], "paper"); }

struct Life {
  json first = nullptr, lastForward = nullptr, firstBackward = nullptr, last = nullptr;
};

IdVector<TensorId, Life> livesOf(const Workload& workload) {
  IdVector<TensorId, Life> lives(workload.tensors.size());
  for (const OpId id : workload.route) {
    const Op& op = workload.ops[id];
    if (op.phase != Phase::Forward && op.phase != Phase::Backward) continue;
    for (const OpArg& arg : op.args) {
      Life& life = lives[arg.tensor];
      if (life.first.is_null()) life.first = op.paperStep;
      if (op.phase == Phase::Forward) life.lastForward = op.paperStep;
      if (op.phase == Phase::Backward && life.firstBackward.is_null()) life.firstBackward = op.paperStep;
      life.last = op.paperStep;
    }
  }
  return lives;
}

}  // namespace

class PaperLoweringTest : public QObject {
  Q_OBJECT
 private slots:
  void stepsAreTheOraclesSteps_data() { addOracleRows(); }
  void stepsAreTheOraclesSteps() {
    QFETCH(QString, net);
    const json oracle = oracleOf(net);
    const Workload workload = paperLowering(oracle).workload;
    json steps = json::array();
    for (const OpId id : workload.route) {
      const Op& op = workload.ops[id];
      if (op.phase == Phase::Forward || op.phase == Phase::Backward) steps.push_back({op.paperStep, workload.layers[op.layer].name, toString(op.phase)});
    }
    QCOMPARE(steps.size(), oracle["steps"].size());
    for (std::size_t i = 0; i < steps.size(); ++i) QVERIFY2(steps[i] == oracle["steps"][i], (steps[i].dump() + " instead of " + oracle["steps"][i].dump()).c_str());
    QCOMPARE(paperStepCount(workload), oracle["counts"]["steps"].get<PaperStep>());
  }

  void scheduledTensorsAndTheirLivesAreTheOracles_data() { addOracleRows(); }
  void scheduledTensorsAndTheirLivesAreTheOracles() {
    QFETCH(QString, net);
    const json oracle = oracleOf(net);
    const Workload workload = paperLowering(oracle).workload;
    const auto lives = livesOf(workload);
    std::map<std::string, json> expected;
    for (const json& tensor : oracle["tensors"]) expected[tensor["name"]] = tensor;

    std::int64_t total = 0;
    std::size_t count = 0;
    for (const TensorId id : idsOf(workload.tensors)) {
      const Tensor& tensor = workload.tensors[id];
      if (!isScheduled(tensor.kind)) continue;
      QVERIFY2(expected.contains(tensor.name), tensor.name.c_str());
      const json& e = expected[tensor.name];
      const Life& life = lives[id];
      const json isGradient = tensor.kind == TensorKind::ActivationGrad;
      const json actual{{"name", tensor.name}, {"shape", tensor.shape}, {"bytes", tensor.shapeBytes.count()}, {"first", life.first},
                        {"last_forward", life.lastForward}, {"first_backward", life.firstBackward}, {"last", life.last}};
      QVERIFY2(actual == e, (actual.dump() + " instead of " + e.dump()).c_str());
      total += tensor.shapeBytes.count();
      ++count;
    }
    QCOMPARE(count, expected.size());
    QCOMPARE(total, oracle["totals"]["scheduled_bytes"].get<std::int64_t>());
  }

  void backwardRouteIsTheOracles_data() { addOracleRows(); }
  void backwardRouteIsTheOracles() {
    QFETCH(QString, net);
    const json oracle = oracleOf(net);
    const Graph graph = sample(net.toStdString());
    std::vector<std::string> names;
    for (const LayerId id : backwardRoute(graph))
      if (id != graph.dataLayer()) names.push_back(graph.layers[id].name);
    QCOMPARE(names, oracle["backward_route"].get<std::vector<std::string>>());
  }

  void layersAreTheOracles_data() { addOracleRows(); }
  void layersAreTheOracles() {
    QFETCH(QString, net);
    const json oracle = oracleOf(net);
    const Graph graph = sample(net.toStdString());
    const Workload workload = paperLowering(oracle).workload;
    const std::vector<LayerId> route = forwardRoute(graph);
    QCOMPARE(route.size(), oracle["layers"].size());
    for (std::size_t i = 0; i < route.size(); ++i) {
      const Layer& layer = graph.layers[route[i]];
      const json& expected = oracle["layers"][i];
      QCOMPARE(layer.name, expected["name"].get<std::string>());
      QCOMPARE(route[i].index + 1, expected["id"].get<int>());
      QCOMPARE(std::string(typeName(layer.params)), expected["type"].get<std::string>());
      const std::vector<std::int64_t> shape{oracle["batch"], layer.shape.c, layer.shape.h, layer.shape.w};
      QCOMPARE(shape, expected["output"].get<std::vector<std::int64_t>>());
      QCOMPARE(isCheckpoint(workload.layers[route[i]].layerClass), expected["checkpoint"].get<bool>());
      std::vector<std::string> inputs;
      for (const LayerId input : layer.inputs) inputs.push_back(graph.layers[input].name);
      QCOMPARE(inputs, expected["inputs"].get<std::vector<std::string>>());
    }
  }

  void parametersAreTheOracles_data() { addOracleRows(); }
  void parametersAreTheOracles() {
    QFETCH(QString, net);
    const json oracle = oracleOf(net);
    const Lowering lowering = paperLowering(oracle);
    std::int64_t elements = 0;
    for (const TensorId id : idsOf(lowering.tensors))
      if (lowering.workload.tensors[id].kind == TensorKind::Weight) elements += lowering.tensors[id].shape.elements();
    QCOMPARE(elements, oracle["totals"]["parameter_elems"].get<std::int64_t>());
  }

  void deepNetworksHaveThePublishedCounts_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<int>("layers");
    QTest::addColumn<qint64>("parameters");
    QTest::newRow("resnet101") << "resnet101" << 379 << qint64{44'549'160};
    QTest::newRow("resnet152") << "resnet152" << 566 << qint64{60'192'808};
    QTest::newRow("the deepest of the paper") << "resnet:6,32,788,6" << 9168 << qint64{920'635'688};
    QTest::newRow("googlenet") << "googlenet" << 152 << qint64{6'998'552};
    QTest::newRow("inception4") << "inception4" << 366 << qint64{42'616'712};
    QTest::newRow("inception4-bn") << "inception4-bn" << 514 << qint64{42'679'816};
    // 2 * (64 * 15 * 15 + 64 * 7 * 7 + 384 + 192) of them are scales and shifts.
    QTest::newRow("cifar10") << "cifar10" << 17 << qint64{4'864 + 102'464 + 1'204'608 + 73'920 + 1'930 + 36'224};
    QTest::newRow("densenet121") << "densenet121" << 486 << qint64{7'978'856};
    QTest::newRow("vgg19") << "vgg19" << 46 << qint64{143'667'240};
  }
  void deepNetworksHaveThePublishedCounts() {
    QFETCH(QString, net);
    QFETCH(int, layers);
    QFETCH(qint64, parameters);
    const Graph graph = sample(net.toStdString());
    QCOMPARE(graph.layers.size(), layers);
    const Lowering lowering = lowered(graph, 1, "paper");
    std::int64_t elements = 0;
    for (const TensorId id : idsOf(lowering.tensors))
      if (lowering.workload.tensors[id].kind == TensorKind::Weight) elements += lowering.tensors[id].shape.elements();
    QCOMPARE(elements, parameters);
    QCOMPARE(paperStepCount(lowering.workload), 2 * (layers - 1));
  }
};

PEAKSCOPE_TEST(PaperLoweringTest)
#include "paper_lowering_test.moc"
