// SPDX-License-Identifier: Apache-2.0
//
// A check that accepts everything would pass the property tests: here one step at a time is taken out of good plans, and
// addresses are moved, and the check must notice every time.
#include <random>

#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/plan_cases.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

/// The plan without one step; waits that named a later step still name it.
std::optional<Plan> without(const Plan& plan, std::size_t index) {
  Plan less = plan;
  less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(index));
  for (PlanStep& step : less.steps)
    if (auto* wait = std::get_if<WaitStep>(&step.action)) {
      if (wait->on.index == static_cast<std::int32_t>(index)) return std::nullopt;   // its wait would have no meaning
      if (wait->on.index > static_cast<std::int32_t>(index)) --wait->on.index;
    }
  return less;
}

/// The plan with the step, and every wait for it, taken out.
Plan withoutAndItsWaits(const Plan& plan, std::size_t index) {
  Plan less = plan;
  for (std::size_t i = plan.steps.size(); i-- > 0;) {
    const auto* wait = std::get_if<WaitStep>(&plan.steps[i].action);
    if (i != index && (wait == nullptr || wait->on.index != static_cast<std::int32_t>(index))) continue;
    less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(i));
    for (PlanStep& step : less.steps)
      if (auto* other = std::get_if<WaitStep>(&step.action); other != nullptr && other->on.index > static_cast<std::int32_t>(i)) --other->on.index;
  }
  return less;
}

const char* nameOf(const PlanAction& action) {
  static constexpr const char* names[] = {"Alloc", "Free", "Run", "CopyOut", "CopyIn", "Wait"};
  return names[action.index()];
}

void verifyThatEveryStepIsNeeded(const Workload& workload, const Plan& plan, std::size_t stride) {
  for (std::size_t i = 0; i < plan.steps.size(); i += stride) {
    const auto less = without(plan, i);
    const auto problems = checkPlan(less ? *less : withoutAndItsWaits(plan, i), workload);
    QVERIFY2(!problems.empty(), (std::string(nameOf(plan.steps[i].action)) + " at plan step " + std::to_string(i) + " can be taken out unnoticed").c_str());
  }
}

}  // namespace

class PlanCheckTest : public QObject {
  Q_OBJECT
 private slots:
  void everyStepThatIsTakenOutIsNoticed() {
    for (unsigned seed = 1; seed <= 12; ++seed) {
      std::mt19937 random(seed);
      const Workload workload = randomWorkload(random, {.layers = 14});
      const CostTable costs = randomCosts(random, workload);
      for (const PolicyOptions& options : allPolicyOptions()) {
        const auto plan = makePlan({workload, roomyDevice(), costs}, options);
        QVERIFY(plan.has_value());
        verifyThatEveryStepIsNeeded(workload, *plan, 1);
        if (QTest::currentTestFailed()) {
          qWarning("network %u, %s", seed, textOf(options).c_str());
          return;
        }
      }
    }
  }

  void everyStepOfAlexNetIsNeeded() {
    const OracleNet oracle = readOracle("alexnet");
    const CostTable costs = uniformCosts(oracle.workload);
    for (const char* configuration : {"baseline", "conv_prefetch_cost", "ckpt_demand_memory", "ckpt_demand_speed"}) {
      const auto plan = makePlan({oracle.workload, roomyDevice(), costs}, optionsOf(configuration));
      QVERIFY(plan.has_value());
      verifyThatEveryStepIsNeeded(oracle.workload, *plan, 1);
    }
  }

  void twoTensorsThatShareBytesAreNoticed() {
    std::mt19937 random(7);
    const Workload workload = randomWorkload(random, {.layers = 20});
    auto plan = makePlan({workload, roomyDevice(), randomCosts(random, workload)}, {.policy = "keep-all"});
    QVERIFY(plan.has_value() && checkPlan(*plan, workload).empty());
    AllocStep* lowest = nullptr;
    for (PlanStep& step : plan->steps)
      if (auto* alloc = std::get_if<AllocStep>(&step.action)) {
        if (lowest != nullptr && lowest->offset != alloc->offset) {
          alloc->offset = lowest->offset;
          QVERIFY(!checkPlan(*plan, workload).empty());
          return;
        }
        lowest = alloc;
      }
    QFAIL("the network has less than two tensors");
  }

  void twoCopiesThatShareHostBytesAreNoticed() {
    const OracleNet oracle = readOracle("alexnet");
    auto plan = makePlan({oracle.workload, roomyDevice(), uniformCosts(oracle.workload)}, optionsOf("conv_demand"));
    QVERIFY(plan.has_value());
    for (PlanStep& step : plan->steps) {
      if (auto* out = std::get_if<CopyOutStep>(&step.action)) out->hostOffset = Bytes{};
      if (auto* in = std::get_if<CopyInStep>(&step.action)) in->hostOffset = Bytes{};
    }
    QVERIFY(!checkPlan(*plan, oracle.workload).empty());
  }

  void wrongExtentsAndBudgetsAreNoticed() {
    const OracleNet oracle = readOracle("lenet");
    const auto plan = makePlan({oracle.workload, roomyDevice(), uniformCosts(oracle.workload)}, optionsOf("ckpt_demand_cost"));
    QVERIFY(plan.has_value() && checkPlan(*plan, oracle.workload).empty());
    Plan changed = *plan;
    changed.arenaBytes += Bytes{256};
    QVERIFY(!checkPlan(changed, oracle.workload).empty());
    changed = *plan;
    changed.hostBytes -= Bytes{4};
    QVERIFY(!checkPlan(changed, oracle.workload).empty());
    changed = *plan;
    changed.options.budget = plan->arenaBytes - Bytes{1};
    QVERIFY(!checkPlan(changed, oracle.workload).empty());
  }

  void aPlanOfAnotherWorkloadIsRefused() {
    const OracleNet lenet = readOracle("lenet"), alexnet = readOracle("alexnet");
    const auto plan = makePlan({alexnet.workload, roomyDevice(), uniformCosts(alexnet.workload)}, optionsOf("liveness"));
    QVERIFY(plan.has_value());
    QVERIFY(!checkPlan(*plan, lenet.workload).empty());
  }
};

PEAKSCOPE_TEST(PlanCheckTest)
#include "plan_check_test.moc"
