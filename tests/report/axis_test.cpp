// SPDX-License-Identifier: Apache-2.0
#include "memory/report/axis.h"

#include <cmath>
#include <limits>

#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

namespace peakscope::report {

class AxisTest : public QObject {
  Q_OBJECT
 private slots:
  void ticksAreRoundNumbers() {
    QCOMPARE(roundTicks(0, 2189, 6).values, (std::vector<double>{0, 500, 1000, 1500, 2000}));
    const Ticks small = roundTicks(0, 0.0031, 5);
    QCOMPARE(small.decimals, 3);
    QVERIFY(small.values.size() >= 2);
  }
  void ticksAreFiniteForAnyRange() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (const auto& [low, high] : {std::pair{0.0, 0.0}, {5.0, 5.0}, {5.0, 1.0}, {nan, nan}, {0.0, inf}, {-inf, inf}, {0.0, 1e300}, {0.0, 1e-300}}) {
      const Ticks ticks = roundTicks(low, high, 6);
      QVERIFY(std::isfinite(ticks.step));
      QVERIFY(ticks.values.size() <= 7);
      for (const double value : ticks.values) QVERIFY(std::isfinite(value));
    }
  }
  void anEmptyScaleGivesItsMiddle() {
    QCOMPARE((Scale{3, 3, 10, 20}(3)), 15.0);
    QCOMPARE((Scale{0, 1, 10, 20}(std::numeric_limits<double>::quiet_NaN())), 15.0);
  }
  void stepsHaveSlotsOfEqualWidth() {
    const Workload w = test::tinyWorkload();
    const XAxis x{test::tinyPlan(w), {}, 100, 900, XUnit::Step};
    QCOMPARE(x.firstStep(), 0);
    QCOMPARE(x.lastStep(), 8);
    QCOMPARE(x.slotLeft(0), 100.0);
    QCOMPARE(x.slotLeft(1), 200.0);
    QCOMPARE(x.slotLeft(9), 1000.0);
    QVERIFY(!x.hasTimes());
  }
  void timeIsLinearInsideASlot() {
    const Workload w = test::tinyWorkload();
    const Plan plan = test::tinyPlan(w);
    std::vector<StepTime> times;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const std::int64_t step = plan.steps[i].paperStep;
      times.push_back({step * 10, step * 10 + 10});
    }
    const XAxis x{plan, times, 0, 90, XUnit::Step};
    QVERIFY(x.hasTimes());
    QCOMPARE(x.atTime(0), 0.0);
    QCOMPARE(x.atTime(45), 45.0);
    QCOMPARE(x.atTime(1000), 90.0);
    QCOMPARE(x.atTime(-5), 0.0);
  }
  void aColumnShowsTheHighestMomentOfItsStep() {
    const Workload w = test::tinyWorkload();
    const Plan plan = test::tinyPlan(w);
    std::vector<std::int64_t> values(plan.steps.size(), 1);
    std::int32_t inSix = -1;
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
      if (plan.steps[i].paperStep == 6) inSix = static_cast<std::int32_t>(i);
    values[static_cast<std::size_t>(inSix)] = 99;
    const auto columns = XAxis{plan, {}, 0, 900, XUnit::Step}.columns(values);
    QCOMPARE(columns.size(), std::size_t{9});
    QCOMPARE(columns[6].point, inSix);
  }
  void aPeakSurvivesWhenStepsAreNarrowerThanPixels_data() {
    QTest::addColumn<int>("unit");
    QTest::newRow("step") << static_cast<int>(XUnit::Step);
    QTest::newRow("time") << static_cast<int>(XUnit::Time);
  }
  void aPeakSurvivesWhenStepsAreNarrowerThanPixels() {
    QFETCH(int, unit);
    Plan plan;
    std::vector<StepTime> times;
    for (std::int32_t i = 0; i < 10'000; ++i) {
      plan.steps.push_back({RunStep{OpId{0}, 0, {}}, i, {}});
      times.push_back({i, i + 1});
    }
    std::vector<std::int64_t> values(plan.steps.size(), 1);
    values[7777] = 2;
    const auto columns = XAxis{plan, times, 0, 200, static_cast<XUnit>(unit)}.columns(values);
    QVERIFY(columns.size() <= 200);
    QCOMPARE(std::ranges::count(columns, 7777, &XAxis::Column::point), 1);
  }
  void anEmptyPlanHasNoColumns() {
    const XAxis x{Plan{}, {}, 0, 100, XUnit::Time};
    QVERIFY(x.columns({}).empty());
    QVERIFY(std::isfinite(x.atTime(5)));
  }
};
PEAKSCOPE_TEST(AxisTest)

}  // namespace peakscope::report

#include "axis_test.moc"
