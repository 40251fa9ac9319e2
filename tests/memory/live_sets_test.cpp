// SPDX-License-Identifier: Apache-2.0
//
// The in and out sets of the paper's liveness analysis, and the lower bound of the arena.
#include <algorithm>

#include "memory/analysis/arena_bound.h"
#include "memory/analysis/live_sets.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/plan_cases.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

class LiveSetsTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsLiveAfterAStepIsLiveBeforeTheNext() {
    for (const PolicyOptions& options : allPolicyOptions()) {
      const auto sets = analysis::liveSets(m_workload, plan(options));
      QCOMPARE(sets.size(), m_workload.route.size());
      for (std::size_t i = 1; i < sets.size(); ++i) QVERIFY2(sets[i].in == sets[i - 1].out, textOf(options).c_str());
      QVERIFY(sets.back().out.empty());
    }
  }

  void anOutputIsInTheSetsFromItsWriterToItsLastReader() {
    const auto sets = analysis::liveSets(m_workload, plan({.policy = "liveness"}));
    const auto has = [&](const std::vector<TensorId>& set, const char* name) {
      return std::any_of(set.begin(), set.end(), [&](TensorId id) { return m_workload.tensors[id].name == name; });
    };
    for (const auto& entry : sets) {
      QCOMPARE(has(entry.out, "relu1.out"), entry.step >= 2 && entry.step < 45);
      QCOMPARE(has(entry.in, "relu1.out"), entry.step > 2 && entry.step <= 45);
    }
  }

  void theBoundIsWhatIsLiveAtOnceAndNoPlacementIsBelowIt() {
    for (const PolicyOptions& options : allPolicyOptions()) {
      const Plan made = plan(options);
      QVERIFY(analysis::arenaLowerBound(m_workload, made) <= made.arenaBytes);
    }
    const Plan flat = plan({.policy = "keep-all"});
    QCOMPARE(analysis::arenaLowerBound(m_workload, flat).count(), flat.arenaBytes.count());
  }

 private:
  Plan plan(const PolicyOptions& options) const { return *makePlan({m_workload, m_device, m_costs}, options); }

  Workload m_workload = readOracle("alexnet").workload;
  CostTable m_costs = uniformCosts(m_workload);
  DeviceSpec m_device = roomyDevice();
};

PEAKSCOPE_TEST(LiveSetsTest)
#include "live_sets_test.moc"
