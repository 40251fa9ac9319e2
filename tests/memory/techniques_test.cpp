// SPDX-License-Identifier: Apache-2.0
//
// What each technique does to AlexNet's plan, in the words of the paper.
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

struct AlexNet {
  OracleNet oracle = readOracle("alexnet");
  const Workload& workload = oracle.workload;
  CostTable costs = uniformCosts(workload);

  Plan plan(const PolicyOptions& options) const { return *makePlan({workload, roomyDevice(), costs}, options); }
  const std::string& name(TensorId tensor) const { return workload.tensors[tensor].name; }

  /// Index of the `count`-th step of this kind on a tensor, counted from 1; -1: there is none.
  template <class Step>
  std::int32_t find(const Plan& plan, const std::string& tensor, int count = 1) const {
    for (std::int32_t i = 0; const PlanStep& step : plan.steps) {
      if (const auto* found = std::get_if<Step>(&step.action); found != nullptr && name(found->tensor) == tensor && --count == 0) return i;
      ++i;
    }
    return -1;
  }
  std::int32_t findRun(const Plan& plan, const std::string& op) const {
    for (std::int32_t i = 0; const PlanStep& step : plan.steps) {
      if (const auto* run = std::get_if<RunStep>(&step.action); run != nullptr && opName(workload, run->op) == op) return i;
      ++i;
    }
    return -1;
  }
};

PaperStep stepOf(const Plan& plan, std::int32_t index) { return plan.steps[static_cast<std::size_t>(index)].paperStep; }
const Cause& causeOf(const Plan& plan, std::int32_t index) { return plan.steps[static_cast<std::size_t>(index)].cause; }

}  // namespace

class TechniquesTest : public QObject {
  Q_OBJECT
 private slots:
  void aTensorIsFreedAfterItsLastReader() {
    const Plan plan = m_net.plan({.policy = "liveness"});
    QCOMPARE(stepOf(plan, m_net.find<AllocStep>(plan, "relu1.out")), 2);
    QCOMPARE(stepOf(plan, m_net.find<FreeStep>(plan, "relu1.out")), 45);
    QVERIFY(m_net.find<FreeStep>(plan, "relu1.out") > m_net.findRun(plan, "relu1 backward"));
  }

  void withoutAnyTechniqueNothingIsFreedBeforeTheEnd() {
    const Plan plan = m_net.plan({.techniques = noTechniques});
    QCOMPARE(stepOf(plan, m_net.find<FreeStep>(plan, "conv1.out")), 46);
    QVERIFY(m_net.find<AllocStep>(plan, "conv1.dx") < m_net.findRun(plan, "conv1 forward"));
  }

  void aCopyOutStartsBesideTheForwardReaders() {
    const Plan plan = m_net.plan(optionsOf("conv_prefetch"));
    const std::int32_t copy = m_net.find<CopyOutStep>(plan, "conv1.out");
    QVERIFY(copy > m_net.findRun(plan, "conv1 forward"));
    QVERIFY(copy < m_net.findRun(plan, "relu1 forward"));
    QVERIFY(m_net.find<FreeStep>(plan, "conv1.out") > m_net.findRun(plan, "relu1 forward"));
    QCOMPARE(stepOf(plan, m_net.find<FreeStep>(plan, "conv1.out")), 2);
  }

  void theOutputOfThePreviousConvolutionIsFetchedAtAConvolutionsBackward() {
    const Plan plan = m_net.plan(optionsOf("conv_prefetch"));
    const std::int32_t fetch = m_net.find<CopyInStep>(plan, "conv2.out");
    QCOMPARE(describe(causeOf(plan, fetch), m_net.workload), std::string("prefetched at conv3 backward"));
    const Plan onDemand = m_net.plan(optionsOf("conv_demand"));
    QCOMPARE(describe(causeOf(onDemand, m_net.find<CopyInStep>(onDemand, "conv2.out")), m_net.workload), std::string("fetched for relu2 backward"));
  }

  void gradientsAreAllocatedAfterTheRebuild() {
    const Plan plan = m_net.plan(optionsOf("recompute_speed"));
    const std::int32_t rebuilt = m_net.find<AllocStep>(plan, "lrn1.out", 2);
    QCOMPARE(describe(causeOf(plan, rebuilt), m_net.workload), std::string("rebuilt for conv2 backward"));
    QVERIFY(rebuilt < m_net.find<AllocStep>(plan, "conv2.dx"));
  }

  void hiddenFreesComeLaterAndTheBudgetBringsThemForward() {
    PolicyOptions options = optionsOf("conv_demand");
    const Plan early = m_net.plan(options);
    options.offloadFree = OffloadFree::Hidden;
    m_net.costs.linkBytesPerSecond = 232'320'000 / 6e-6;   // conv1.out takes six ops of one microsecond
    const Plan hidden = m_net.plan(options);
    QCOMPARE(stepOf(early, m_net.find<FreeStep>(early, "conv1.out")), 2);
    QCOMPARE(stepOf(hidden, m_net.find<FreeStep>(hidden, "conv1.out")), 7);
    options.budget = early.arenaBytes;
    QVERIFY(hidden.arenaBytes >= early.arenaBytes);
    const auto tight = makePlan({m_net.workload, roomyDevice(), m_net.costs}, options);
    QVERIFY(tight.has_value());
    QVERIFY(tight->arenaBytes <= early.arenaBytes);
    QVERIFY(checkPlan(*tight, m_net.workload).empty());
  }

  void aRefusalNamesTheStepTheNeedAndTheSmallestBudget() {
    PolicyOptions options = optionsOf("liveness");
    options.budget = Bytes{1'000'000'000};
    const auto refused = makePlan({m_net.workload, roomyDevice(), m_net.costs}, options);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().step, 32);
    QCOMPARE(refused.error().layer, std::string("pool5"));
    QVERIFY(refused.error().phase == Phase::Backward);
    QVERIFY(refused.error().needed == refused.error().smallestBudget);
    QVERIFY(message(refused.error()).find("pool5 backward") != std::string::npos);
  }

  void anUnknownPolicyIsNamedWithTheKnownOnes() {
    const auto refused = makePlan({m_net.workload, roomyDevice(), m_net.costs}, {.policy = "magic"});
    QVERIFY(!refused.has_value());
    for (const char* word : {"magic", "keep-all", "liveness", "superneurons"}) QVERIFY(message(refused.error()).find(word) != std::string::npos);
  }

 private:
  AlexNet m_net;
};

PEAKSCOPE_TEST(TechniquesTest)
#include "techniques_test.moc"
