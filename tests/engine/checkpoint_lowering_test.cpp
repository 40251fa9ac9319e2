// SPDX-License-Identifier: Apache-2.0
//
// Every layer of a lowered network can be rebuilt: with any rule of checkpoints the plans of real graphs pass the check, and
// a residual network whose blocks are rebuilt whole keeps little more than their ends.
#include "engine/cost_model.h"
#include "engine/graph/network_file.h"
#include "engine/lowering.h"
#include "memory/analysis/memory_curve.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

class CheckpointLoweringTest : public QObject {
  Q_OBJECT
 private slots:
  void everyRulePlansEveryKindOfNetwork() {
    for (const char* net : {"minivgg", "residual32", "resnet50", "densenet121", "googlenet"})
      for (const LoweringOptions& preset : {LoweringOptions::paper(), LoweringOptions::lean()}) {
        const Net n(net, 2, preset);
        for (const CheckpointRule rule : {CheckpointRule::Joins, CheckpointRule::Convolutions, CheckpointRule::SquareRoot})
          for (const RecomputeMode mode : {RecomputeMode::Speed, RecomputeMode::Memory}) {
            const auto plan = n.plan({.techniques = {.liveness = true, .recompute = true}, .recompute = mode, .checkpointRule = rule});
            QVERIFY2(plan.has_value(), net);
            const auto problems = checkPlan(*plan, n.lowering.workload);
            QVERIFY2(problems.empty(), problems.empty() ? "" : (std::string(net) + " " + toString(rule) + ": " + problems.front().text).c_str());
          }
      }
  }

  void rebuildingWholeBlocksTakesLessThanRebuildingCheapLayers() {
    const Net n("resnet50", 8, LoweringOptions::lean());
    const auto cheap = n.plan({.techniques = {.liveness = true, .recompute = true}});
    const auto blocks = n.plan({.techniques = {.liveness = true, .recompute = true}, .recompute = RecomputeMode::Speed, .checkpointRule = CheckpointRule::Joins});
    QVERIFY(n.scheduledPeak(*blocks) < n.scheduledPeak(*cheap));
    QVERIFY(blocks->extraForwards > cheap->extraForwards);
  }

  void memoryEfficientDensenetDropsItsConcatenations() {
    const Net n("densenet121", 2, LoweringOptions::lean());
    const auto live = n.plan({.policy = "liveness"}), efficient = n.plan({.policy = "densenet-efficient"}), chen = n.plan({.policy = "chen-sqrt"});
    QVERIFY(n.scheduledPeak(*efficient).count() * 2 < n.scheduledPeak(*live).count());
    QVERIFY(n.scheduledPeak(*chen) < n.scheduledPeak(*live));
  }

 private:
  struct Net {
    Net(const char* name, std::int64_t batch, const LoweringOptions& options)
        : lowering(lower(*findNetwork(name, PEAKSCOPE_SOURCE_DIR "/samples/networks"), batch, options, library)), device(test::roomyDevice()) {
      device.flopsPerSecond = 4e12;
      device.memoryBytesPerSecond = 3e11;
      costs = modelCosts(lowering, device);
    }
    Result<Plan, PlanError> plan(const PolicyOptions& options) const { return makePlan({lowering.workload, device, costs}, options); }
    Bytes scheduledPeak(const Plan& plan) const { return analysis::scheduledPeak(lowering.workload, plan, analysis::memoryCurve(lowering.workload, plan)).bytes; }

    IdealLibrary library;
    Lowering lowering;
    DeviceSpec device;
    CostTable costs;
  };
};

PEAKSCOPE_TEST(CheckpointLoweringTest)
#include "checkpoint_lowering_test.moc"
