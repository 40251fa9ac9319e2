// SPDX-License-Identifier: Apache-2.0
//
// The planner against the oracle: every network, every configuration, every step, to the byte.
#include "memory/analysis/memory_curve.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

class OracleTest : public QObject {
  Q_OBJECT
 private slots:
  void everyStepEqualsTheOracle_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("configuration");
    for (const char* net : oracleNets) {
      const OracleNet oracle = readOracle(net);
      for (const auto& [name, values] : oracle.json["configs"].items())
        QTest::newRow((std::string(net) + " " + name).c_str()) << QString::fromLatin1(net) << QString::fromStdString(name);
    }
  }

  void everyStepEqualsTheOracle() {
    QFETCH(QString, net);
    QFETCH(QString, configuration);
    const OracleNet oracle = readOracle(net.toStdString());
    const auto& expected = oracle.json["configs"][configuration.toStdString()];
    const Workload& workload = oracle.workload;
    const CostTable costs = uniformCosts(workload);
    const auto plan = makePlan({workload, roomyDevice(), costs}, optionsOf(configuration.toStdString()));
    QVERIFY2(plan.has_value(), plan ? "" : message(plan.error()).c_str());

    const auto problems = checkPlan(*plan, workload);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().text.c_str());

    QVERIFY2(wasteOf(workload, *plan) <= 1.01, std::to_string(wasteOf(workload, *plan)).c_str());

    const auto curve = analysis::memoryCurve(workload, *plan);
    const auto rows = analysis::bytesPerStep(workload, *plan, curve);
    QCOMPARE(rows.size(), expected["live"].size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      QCOMPARE(rows[i].step, static_cast<PaperStep>(i) + 1);
      QCOMPARE(workload.layers[rows[i].layer].name, oracle.json["steps"][i][1].get<std::string>());
      QVERIFY2(rows[i].scheduled.count() == expected["live"][i].get<std::int64_t>(), at(i, rows[i].scheduled, expected["live"][i]).c_str());
      if (expected["peak_in_step"].is_array()) {
        const std::int64_t inStep = expected["peak_in_step"][i];
        QVERIFY2(rows[i].scheduledInStep.count() == inStep, at(i, rows[i].scheduledInStep, inStep).c_str());
      }
    }

    const auto peak = analysis::scheduledPeak(workload, *plan, curve);
    QCOMPARE(peak.bytes.count(), expected["peak"]["bytes"].get<std::int64_t>());
    QCOMPARE(peak.step, expected["peak"]["step"].get<PaperStep>());
    QCOMPARE(workload.layers[peak.layer].name, expected["peak"]["layer"].get<std::string>());
    QCOMPARE(std::string(toString(peak.phase)), expected["peak"]["phase"].get<std::string>());
    QCOMPARE(peak.rebuilding.isValid(), !expected["peak"]["rebuilding"].is_null());
    if (peak.rebuilding.isValid()) QCOMPARE(workload.layers[peak.rebuilding].name, expected["peak"]["rebuilding"].get<std::string>());

    QCOMPARE(plan->extraForwards, expected["extra_forwards"].get<std::int32_t>());
    QCOMPARE(plan->hostBytes.count(), expected["host_bytes"].get<std::int64_t>());
    std::int64_t out = 0, in = 0;
    for (const PlanStep& step : plan->steps) {
      if (const auto* copy = std::get_if<CopyOutStep>(&step.action)) out += workload.tensors[copy->tensor].shapeBytes.count();
      if (const auto* copy = std::get_if<CopyInStep>(&step.action)) in += workload.tensors[copy->tensor].shapeBytes.count();
    }
    QCOMPARE(out, expected["traffic"]["d2h"].get<std::int64_t>());
    QCOMPARE(in, expected["traffic"]["h2d"].get<std::int64_t>());
  }

  void layerPeakEqualsTheOracle_data() {
    QTest::addColumn<QString>("net");
    for (const char* net : oracleNets) QTest::newRow(net) << QString::fromLatin1(net);
  }
  void layerPeakEqualsTheOracle() {
    QFETCH(QString, net);
    const OracleNet oracle = readOracle(net.toStdString());
    const CostTable costs = uniformCosts(oracle.workload);
    const auto plan = makePlan({oracle.workload, roomyDevice(), costs}, optionsOf("recompute_cost"));
    QVERIFY(plan.has_value());
    const auto& expected = oracle.json["l_peak"];
    QCOMPARE(plan->lPeak.bytes.count(), expected["bytes"].get<std::int64_t>());
    QCOMPARE(oracle.workload.layers[plan->lPeak.layer].name, expected["layer"].get<std::string>());
    QCOMPARE(plan->lPeak.distinctBytes.count(), expected["distinct_bytes"].get<std::int64_t>());
    QCOMPARE(oracle.workload.layers[plan->lPeak.distinctLayer].name, expected["distinct_layer"].get<std::string>());

    const auto& segments = oracle.json["segments"];
    QCOMPARE(plan->segments.size(), segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      // In forward order of their first layer, as the oracle lists them.
      const Segment& segment = plan->segments[i];
      QCOMPARE(oracle.workload.tensors[segment.checkpoint].name, segments[i]["tensor"].get<std::string>());
      QCOMPARE(segment.cost.count(), segments[i]["cost_bytes"].get<std::int64_t>());
      QCOMPARE(segment.mode == RecomputeMode::Memory, segments[i]["cost_aware"] == "memory");
      QCOMPARE(segment.layers.size(), segments[i]["layers"].size());
    }
  }

 private:
  /// The arena against the most bytes of slots alive at once, which no placement can go below.
  static double wasteOf(const Workload& workload, const Plan& plan) {
    Bytes live = plan.persistentBytes, most;
    for (const PlanStep& step : plan.steps) {
      if (const auto* alloc = std::get_if<AllocStep>(&step.action)) live += roundUp(workload.tensors[alloc->tensor].bytes, plan.alignment);
      if (const auto* free = std::get_if<FreeStep>(&step.action)) live -= roundUp(workload.tensors[free->tensor].bytes, plan.alignment);
      most = std::max(most, live);
    }
    return static_cast<double>(plan.arenaBytes.count()) / static_cast<double>(most.count());
  }
  static std::string at(std::size_t index, Bytes actual, std::int64_t expected) {
    return "step " + std::to_string(index + 1) + ": " + std::to_string(actual.count()) + ", the oracle says " + std::to_string(expected);
  }
};

PEAKSCOPE_TEST(OracleTest)
#include "oracle_test.moc"
