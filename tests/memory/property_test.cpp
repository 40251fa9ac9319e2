// SPDX-License-Identifier: Apache-2.0
//
// What holds for any workload, policy, technique set and budget.
#include <random>

#include "memory/analysis/live_set.h"
#include "memory/analysis/memory_curve.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/plan_cases.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

constexpr unsigned networks = 20;

struct Case {
  explicit Case(unsigned seed) : random(seed) {
    workload = randomWorkload(random, {.layers = 1 + static_cast<int>(random() % 40)});
    costs = randomCosts(random, workload);
    device.alignment = Bytes{random() % 2 == 0 ? 64 : 256};
  }
  Result<Plan, PlanError> plan(const PolicyOptions& options) const { return makePlan({workload, device, costs}, options); }

  std::mt19937 random;
  Workload workload;
  CostTable costs;
  DeviceSpec device = roomyDevice();
};

Bytes scheduledPeakOf(const Workload& workload, const Plan& plan) {
  return analysis::scheduledPeak(workload, plan, analysis::memoryCurve(workload, plan)).bytes;
}

}  // namespace

class PropertyTest : public QObject {
  Q_OBJECT
 private slots:
  void everyPlanPassesTheCheck() {
    forEach([](const Case& c, const PolicyOptions&, const Plan& plan, const std::string& what) {
      const auto problems = checkPlan(plan, c.workload);
      QVERIFY2(problems.empty(), problems.empty() ? "" : (what + ": step " + std::to_string(problems.front().step.index) + ": " + problems.front().text).c_str());
    });
  }

  void thePlanFitsItsBudgetOrTheSmallestBudgetIsNamed() {
    forEach([](const Case& c, const PolicyOptions& options, const Plan& plan, const std::string& what) {
      PolicyOptions tight = options;
      tight.budget = Bytes{1};
      const auto refused = c.plan(tight);
      QVERIFY2(!refused.has_value(), what.c_str());
      const Bytes smallest = refused.error().smallestBudget;
      QVERIFY2(smallest <= plan.arenaBytes, what.c_str());
      tight.budget = smallest;
      const auto accepted = c.plan(tight);
      QVERIFY2(accepted.has_value() && accepted->arenaBytes <= smallest, what.c_str());
      QVERIFY2(checkPlan(*accepted, c.workload).empty(), what.c_str());
      // With the cache another capacity may be placed a little more tightly: the one named works, it need not be the least.
      if (plan.options.techniques.cache || options.policy == "vdnn-dyn") return;
      tight.budget = smallest - Bytes{1};
      const auto again = c.plan(tight);
      QVERIFY2(!again.has_value() && again.error().smallestBudget == smallest && again.error().budget == *tight.budget, what.c_str());
    });
  }

  void theHostBudgetIsKept() {
    forEach([](const Case& c, const PolicyOptions& options, const Plan& plan, const std::string& what) {
      if (plan.hostBytes == Bytes{}) return;
      PolicyOptions tight = options;
      tight.hostBudget = plan.hostBytes;
      QVERIFY2(c.plan(tight).has_value(), what.c_str());
      tight.hostBudget = plan.hostBytes - Bytes{1};
      const auto refused = c.plan(tight);
      QVERIFY2(!refused.has_value() && refused.error().memory == PlanError::Memory::Host, what.c_str());
      QVERIFY2(refused.error().smallestBudget == plan.hostBytes, what.c_str());
    });
  }

  void livenessNeverRaisesTheScheduledPeak() {
    for (unsigned seed = 1; seed <= networks; ++seed) {
      const Case c(seed);
      const auto all = c.plan({.policy = "keep-all"}), live = c.plan({.policy = "liveness"});
      QVERIFY(all.has_value() && live.has_value());
      QVERIFY(scheduledPeakOf(c.workload, *live) <= scheduledPeakOf(c.workload, *all));
    }
  }

  void theLiveSetAddsUpToTheCurve() {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Case c(seed);
      for (const PolicyOptions& options : {PolicyOptions{}, PolicyOptions{.offload = OffloadSet::Checkpoints, .offloadFree = OffloadFree::Hidden}}) {
        const auto plan = c.plan(options);
        QVERIFY(plan.has_value());
        const auto curve = analysis::memoryCurve(c.workload, *plan);
        for (const auto& point : curve) {
          Bytes total;
          for (const auto& row : analysis::liveAt(c.workload, *plan, point.step)) total += row.bytes;
          QCOMPARE(total.count(), point.total.count());
        }
      }
    }
  }

  void theKindsOfACurvePointAddUpToItsTotal() {
    forEach([](const Case& c, const PolicyOptions&, const Plan& plan, const std::string& what) {
      for (const auto& point : analysis::memoryCurve(c.workload, plan)) {
        Bytes sum;
        for (const Bytes bytes : point.byKind) sum += bytes;
        QVERIFY2(sum == point.total, what.c_str());
      }
    });
  }

  void persistentTensorsHaveTheSamePlaceInEveryPlan() {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Case c(seed);
      const auto reference = c.plan({.policy = "keep-all"});
      for (const PolicyOptions& options : allPolicyOptions()) QVERIFY(c.plan(options)->persistentOffsets == reference->persistentOffsets);
    }
  }

  void aPlanDependsOnNothingButItsInput() {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Case c(seed);
      for (const PolicyOptions& options : allPolicyOptions()) QVERIFY(*c.plan(options) == *c.plan(options));
    }
  }

 private:
  void forEach(const auto& check) {
    for (unsigned seed = 1; seed <= networks; ++seed) {
      const Case c(seed);
      for (const PolicyOptions& options : allPolicyOptions()) {
        const std::string what = "network " + std::to_string(seed) + ", " + textOf(options);
        const auto plan = c.plan(options);
        QVERIFY2(plan.has_value(), what.c_str());
        check(c, options, *plan, what);
        if (QTest::currentTestFailed()) return;
      }
    }
  }
};

PEAKSCOPE_TEST(PropertyTest)
#include "property_test.moc"
