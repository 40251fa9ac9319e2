// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints by other rules than the paper's: convolutions are rebuilt too, and every plan still passes the check.
#include <cmath>

#include "memory/analysis/memory_curve.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "memory/techniques/checkpoints.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

class CheckpointsTest : public QObject {
  Q_OBJECT
 private slots:
  void aListedLayerIsKeptAndAllOthersAreNot() {
    const Workload workload = readOracle("alexnet").workload;
    const auto isKept = checkpointsOf(workload, {.checkpointRule = CheckpointRule::Listed, .checkpoints = {"pool2"}});
    for (const LayerId layer : idsOf(workload.layers)) {
      const WorkloadLayer& entry = workload.layers[layer];
      const bool isEnd = entry.layerClass == LayerClass::Data || entry.layerClass == LayerClass::Loss;
      QCOMPARE(isKept[layer] != 0, isEnd || entry.name == "pool2");
    }
  }

  void theSquareRootRuleKeepsAboutSquareRootLayers() {
    const Workload workload = readOracle("resnet50").workload;
    const auto isKept = checkpointsOf(workload, {.checkpointRule = CheckpointRule::SquareRoot});
    int kept = 0;
    for (const char is : isKept) kept += is;
    QVERIFY(std::abs(kept - std::sqrt(191.0)) < 4);
  }

  void anUnknownCheckpointIsRefusedByName() {
    const Workload workload = readOracle("alexnet").workload;
    const CostTable costs = uniformCosts(workload);
    const DeviceSpec device = roomyDevice();
    const auto plan = makePlan({workload, device, costs}, {.checkpointRule = CheckpointRule::Listed, .checkpoints = {"conv1", "conv99"}});
    QVERIFY(!plan.has_value());
    QCOMPARE(static_cast<int>(errorOf(plan.error()).kind), static_cast<int>(ErrorKind::BadInput));
    QVERIFY(message(plan.error()).find("'conv99'") != std::string::npos);
  }

  void withTheOraclesNetworksEveryRulePlans() {
    for (const char* name : {"alexnet", "resnet50", "inception4"}) {
      const Workload workload = readOracle(name).workload;
      const CostTable costs = uniformCosts(workload);
      const DeviceSpec device = roomyDevice();
      for (const CheckpointRule rule : {CheckpointRule::Joins, CheckpointRule::Convolutions, CheckpointRule::SquareRoot})
        for (const RecomputeMode mode : {RecomputeMode::Speed, RecomputeMode::Memory}) {
          const auto plan = makePlan({workload, device, costs}, {.techniques = {.liveness = true, .recompute = true}, .recompute = mode, .checkpointRule = rule});
          QVERIFY(plan.has_value());
          const auto problems = checkPlan(*plan, workload);
          QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().text.c_str());
        }
    }
  }
};

PEAKSCOPE_TEST(CheckpointsTest)
#include "checkpoints_test.moc"
