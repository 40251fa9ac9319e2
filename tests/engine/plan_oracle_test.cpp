// SPDX-License-Identifier: Apache-2.0
//
// The whole way: a sample file, lowered in the paper preset and planned, has the oracle's curve in every configuration.
#include <nlohmann/json.hpp>

#include "memory/analysis/memory_curve.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/engine/sample_lowerings.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

class PlanOracleTest : public QObject {
  Q_OBJECT
 private slots:
  void theCurveIsTheOraclesAtEveryStep_data() { addOracleRows(); }
  void theCurveIsTheOraclesAtEveryStep() {
    QFETCH(QString, net);
    const nlohmann::json oracle = readOracle(net.toStdString()).json;
    const Workload workload = lowered(sample(net.toStdString()), oracle["batch"], "paper").workload;
    const CostTable costs = uniformCosts(workload);
    for (const auto& [configuration, expected] : oracle["configs"].items()) {
      const auto plan = makePlan({workload, roomyDevice(), costs}, optionsOf(configuration));
      QVERIFY2(plan.has_value(), configuration.c_str());
      const auto problems = checkPlan(*plan, workload);
      QVERIFY2(problems.empty(), problems.empty() ? "" : (configuration + ": " + problems.front().text).c_str());
      const auto curve = analysis::memoryCurve(workload, *plan);
      std::vector<std::int64_t> live;
      for (const auto& row : analysis::bytesPerStep(workload, *plan, curve)) live.push_back(row.scheduled.count());
      QVERIFY2(live == expected["live"].get<std::vector<std::int64_t>>(), configuration.c_str());
      QCOMPARE(analysis::scheduledPeak(workload, *plan, curve).bytes.count(), expected["peak"]["bytes"].get<std::int64_t>());
      QCOMPARE(plan->extraForwards, expected["extra_forwards"].get<std::int32_t>());
      QCOMPARE(plan->hostBytes.count(), expected["host_bytes"].get<std::int64_t>());
    }
  }

  void theLayerPeakIsTheOracles_data() { addOracleRows(); }
  void theLayerPeakIsTheOracles() {
    QFETCH(QString, net);
    const nlohmann::json oracle = readOracle(net.toStdString()).json;
    const Workload workload = lowered(sample(net.toStdString()), oracle["batch"], "paper").workload;
    const auto plan = makePlan({workload, roomyDevice(), uniformCosts(workload)}, optionsOf("recompute_cost"));
    QVERIFY(plan.has_value());
    QCOMPARE(plan->lPeak.bytes.count(), oracle["l_peak"]["bytes"].get<std::int64_t>());
    QCOMPARE(plan->lPeak.distinctBytes.count(), oracle["l_peak"]["distinct_bytes"].get<std::int64_t>());
    QCOMPARE(workload.layers[plan->lPeak.layer].name, oracle["l_peak"]["layer"].get<std::string>());
  }
};

PEAKSCOPE_TEST(PlanOracleTest)
#include "plan_oracle_test.moc"
