// SPDX-License-Identifier: Apache-2.0
//
// Dynamic workspaces: the fastest algorithm that the free bytes of a step allow, and never a byte more for it.
#include <random>

#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;
using std::chrono::microseconds;

namespace {

/// AlexNet whose convolutions can also run with 16 or 512 MiB of workspace, the faster the more.
struct Net {
  Net() : workload(readOracle("alexnet").workload) {
    for (Op& op : workload.ops)
      if (workload.layers[op.layer].layerClass == LayerClass::Convolution) op.candidates = {{"none", Bytes{}}, {"some", Bytes{16 * bytesPerMiB}}, {"much", Bytes{512 * bytesPerMiB}}};
    for (const Op& op : workload.ops)
      costs.opTimes.push_back(op.candidates.size() == 1 ? std::vector<std::chrono::nanoseconds>{microseconds(10)}
                                                        : std::vector<std::chrono::nanoseconds>{microseconds(30), microseconds(20), microseconds(10)});
    costs.linkBytesPerSecond = 8e9;
  }
  Plan plan(bool hasWorkspaces, std::optional<Bytes> budget = {}) const {
    return *makePlan({workload, device, costs}, {.techniques = {.liveness = true, .workspace = hasWorkspaces}, .budget = budget});
  }
  std::chrono::nanoseconds time(const Plan& plan) const {
    std::chrono::nanoseconds sum{0};
    for (const PlanStep& step : plan.steps)
      if (const auto* run = std::get_if<RunStep>(&step.action)) sum += costs.opTime(run->op, run->candidate);
    return sum;
  }
  std::string algorithmOf(const Plan& plan, const std::string& op) const {
    for (const PlanStep& step : plan.steps)
      if (const auto* run = std::get_if<RunStep>(&step.action); run != nullptr && opName(workload, run->op) == op)
        return workload.ops[run->op].candidates[static_cast<std::size_t>(run->candidate)].algorithm;
    return {};
  }

  Workload workload;
  CostTable costs;
  DeviceSpec device = roomyDevice();
};

}  // namespace

class WorkspacesTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutABudgetTheyNeverRaiseThePeakOfTheTensors() {
    const Plan off = m_net.plan(false), on = m_net.plan(true);
    QCOMPARE(on.arenaBytes.count(), off.arenaBytes.count());
    QVERIFY(m_net.time(on) < m_net.time(off));
    QVERIFY(checkPlan(on, m_net.workload).empty());
  }

  void aStepWithMoreFreeBytesGetsTheFasterAlgorithm() {
    // conv1 runs forward with 222 MiB live of 1,489, conv5 runs backward with 1,459 MiB live: 30 MiB are left.
    const Plan plan = m_net.plan(true);
    QCOMPARE(m_net.algorithmOf(plan, "conv1 forward"), std::string("much"));
    QCOMPARE(m_net.algorithmOf(plan, "conv5 backward"), std::string("some"));
  }

  void moreBudgetMeansFasterAndNoBudgetMeansOutOfMemory() {
    const Plan tight = m_net.plan(false);
    auto last = m_net.time(tight);
    for (const std::int64_t more : {0, 16, 100, 600}) {
      const Bytes budget = tight.arenaBytes + Bytes{more * bytesPerMiB};
      const Plan plan = m_net.plan(true, budget);
      QVERIFY(plan.arenaBytes <= budget);
      QVERIFY(checkPlan(plan, m_net.workload).empty());
      QVERIFY(m_net.time(plan) <= last);
      last = m_net.time(plan);
    }
    QCOMPARE(m_net.algorithmOf(m_net.plan(true, tight.arenaBytes + Bytes{600 * bytesPerMiB}), "conv5 backward"), std::string("much"));
  }

  void theChoiceNeverMovesATensor() {
    std::mt19937 random(2);
    for (int round = 0; round < 30; ++round) {
      Workload workload = randomWorkload(random, {.layers = 20});
      for (Op& op : workload.ops)
        if (op.phase != Phase::Load) op.candidates.push_back({"larger", op.candidates.front().workspace + Bytes{1 + static_cast<std::int64_t>(random() % 100000)}});
      const CostTable costs = randomCosts(random, workload);
      const auto off = *makePlan({workload, m_net.device, costs}, {.techniques = {.liveness = true}});
      const auto on = *makePlan({workload, m_net.device, costs}, {.techniques = {.liveness = true, .workspace = true}});
      QCOMPARE(on.steps.size(), off.steps.size());
      for (std::size_t i = 0; i < on.steps.size(); ++i)
        if (!std::holds_alternative<RunStep>(on.steps[i].action)) QVERIFY(on.steps[i] == off.steps[i]);
      const auto problems = checkPlan(on, workload);
      QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().text.c_str());
    }
  }

 private:
  Net m_net;
};

PEAKSCOPE_TEST(WorkspacesTest)
#include "workspaces_test.moc"
