// SPDX-License-Identifier: Apache-2.0
//
// Modelled costs against numbers worked out by hand.
#include "engine/cost_model.h"
#include "engine/graph/device_file.h"
#include "tests/engine/sample_lowerings.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

OpId opOf(const Workload& workload, const std::string& name) {
  for (const OpId id : idsOf(workload.ops))
    if (opName(workload, id) == name) return id;
  qFatal("no op %s", name.c_str());
}

const DeviceSpec unitDevice{.name = "unit", .flopsPerSecond = 1e9, .memoryBytesPerSecond = 1e9, .linkBytesPerSecond = 1e6, .launchNanoseconds = 100};

}  // namespace

class CostModelTest : public QObject {
  Q_OBJECT
 private slots:
  void aConvolutionCountsMultiplicationsAndAdditions() {
    const Lowering lowering = lowered(sample("lenet"), 2, "paper");
    const double forward = 2.0 * (2 * 50 * 8 * 8) * (20 * 5 * 5);
    QCOMPARE(flops(lowering.ops[opOf(lowering.workload, "conv2 forward")]), forward);
    QCOMPARE(flops(lowering.ops[opOf(lowering.workload, "conv2 backward")]), 2 * forward);
  }

  void theFirstLayersInputGradientCostsNothingInLean() {
    const Lowering lowering = lowered(sample("lenet"), 2, "lean");
    const Workload& w = lowering.workload;
    QCOMPARE(flops(lowering.ops[opOf(w, "conv1 backward")]), flops(lowering.ops[opOf(w, "conv1 forward")]));
  }

  void everyCandidateOfEveryOpHasATime() {
    const Lowering lowering = lowered(sample("alexnet"), 4, "lean");
    const CostTable costs = modelCosts(lowering, unitDevice);
    QCOMPARE(costs.opTimes.size(), lowering.workload.ops.size());
    for (const OpId id : idsOf(lowering.workload.ops)) {
      QCOMPARE(costs.opTimes[id].size(), lowering.workload.ops[id].candidates.size());
      for (const auto time : costs.opTimes[id]) QVERIFY(time.count() >= 100);
    }
  }

  void aCopyingOpIsBoundByMemory() {
    const Lowering lowering = lowered(sample("lenet"), 1, "paper");
    const OpId relu = opOf(lowering.workload, "relu forward");   // 500 in, 500 out, 4 bytes each, at 1 GB/s
    QCOMPARE(modelCosts(lowering, unitDevice).opTime(relu, 0).count(), std::int64_t{4000 + 100});
  }

  void workspaceBuysTime() {
    const Lowering lowering = lowered(sample("lenet"), 1, "lean");
    const OpId conv = opOf(lowering.workload, "conv1 forward");
    const CostTable costs = modelCosts(lowering, unitDevice);
    const auto& candidates = lowering.workload.ops[conv].candidates;
    QCOMPARE(candidates.size(), std::size_t{3});   // implicit, im2col, and fft for its 5x5 kernel
    QCOMPARE(candidates[2].algorithm, std::string("fft"));
    QVERIFY(candidates[2].workspace > candidates[1].workspace);
    QCOMPARE(lowering.workload.ops[conv].candidates[0].workspace, Bytes{});
    QCOMPARE(lowering.workload.ops[conv].candidates[1].workspace, Bytes{1 * 5 * 5 * 24 * 24 * 4});
    QVERIFY(costs.opTime(conv, 1) < costs.opTime(conv, 0));
  }

  void theLinkOptionOverridesTheDevice() {
    const Lowering lowering = lowered(sample("lenet"), 1, "lean");
    QCOMPARE(modelCosts(lowering, unitDevice).linkBytesPerSecond, 1e6);
    QCOMPARE(modelCosts(lowering, unitDevice, 2e9).linkBytesPerSecond, 2e9);
    QCOMPARE(modelCosts(lowering, unitDevice).description, std::string("modelled for unit (roofline)"));
  }
};

PEAKSCOPE_TEST(CostModelTest)
#include "cost_model_test.moc"
