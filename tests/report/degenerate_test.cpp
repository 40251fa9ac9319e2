// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "memory/report/html_report.h"
#include "memory/report/lane_chart.h"
#include "memory/report/summary_json.h"
#include "memory/report/svg.h"
#include "memory/report/training_chart.h"
#include "memory/report/write_report.h"
#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

bool isFinite(const DisplayList& figure) {
  bool finite = std::isfinite(figure.width) && std::isfinite(figure.height);
  const auto point = [&](Point p) { finite = finite && std::isfinite(p.x) && std::isfinite(p.y); };
  const auto area = [&](const Area& a) { point({a.x, a.y}); point({a.width, a.height}); };
  for (const Primitive& item : figure.items)
    std::visit(Overloaded{[&](const RectItem& i) { area(i.area); }, [&](const FrameItem& i) { area(i.area); },
                          [&](const PolygonItem& i) { for (const Point p : i.points) point(p); },
                          [&](const PolylineItem& i) { for (const Point p : i.points) point(p); },
                          [&](const CircleItem& i) { point(i.centre); }, [&](const TextItem& i) { point(i.baseline); },
                          [&](const HintItem& i) { area(i.area); }, [&](const ClipBegin& i) { area(i.area); }, [](const ClipEnd&) {}},
               item);
  return finite;
}
IterationDone lossOf(std::int64_t iteration, float loss) {
  IterationDone done;
  done.iteration = iteration;
  done.loss = loss;
  return done;
}

}  // namespace

class DegenerateTest : public QObject {
  Q_OBJECT
 private slots:
  void aRunThatNeverIteratedShowsThePlan() {
    const auto history = test::historyOf(test::tinyRecords(test::tinyWorkload(), {.withIterations = false}));
    const auto page = htmlReport({history, {}});
    QVERIFY(page.has_value());
    QVERIFY(page->find("No iteration has finished") != std::string::npos);
    QVERIFY(page->find("nan") == std::string::npos);
  }
  void stepsOfNoLengthGiveFiniteAxes() {
    const auto history = test::historyOf(test::tinyRecords(test::tinyWorkload(), {.nsPerStep = 0}));
    const ReportInput input{history, {}};
    const auto facts = *reportFacts(input);
    for (const Figure& figure : figuresOf(input, facts)) QVERIFY(isFinite(figure.drawing));
  }
  void allBytesZeroGiveFiniteAxes() {
    Workload w = test::tinyWorkload();
    for (Tensor& tensor : w.tensors) tensor.bytes = tensor.shapeBytes = Bytes{0};
    for (Op& op : w.ops) op.candidates = {{"direct", Bytes{0}}};
    const auto history = test::historyOf(test::tinyRecords(w));
    const ReportInput input{history, Replanned{Baseline{}, {}}};
    const auto facts = *reportFacts(input);
    for (const Figure& figure : figuresOf(input, facts)) QVERIFY(isFinite(figure.drawing));
    QVERIFY(htmlReport(input)->find("nan") == std::string::npos);
  }
  void anEmptyPlanIsSaidToBeEmpty() {
    const Workload w;
    const Plan plan;
    const analysis::MemoryCurve none;
    const DisplayList memory = memoryChart({.workload = w, .plan = plan, .measured = none, .predicted = none});
    QVERIFY(isFinite(memory));
    QVERIFY(svgDocument(memory).find("nothing to draw") != std::string::npos);
    QVERIFY(isFinite(laneChart({w, plan, {}, {}})));
  }
  void aPlanThatRunsNothingIsStillAReport() {
    auto records = test::tinyRecords(test::tinyWorkload(), {.withIterations = false});
    auto& plan = std::get<PlanInstalled>(records[1]).value;
    std::erase_if(plan.steps, [](const PlanStep& step) { return !std::holds_alternative<AllocStep>(step.action); });
    const auto history = test::historyOf(records);
    const ReportInput input{history, {}};
    QVERIFY(htmlReport(input).has_value());
    QVERIFY(!summaryJson(input, *reportFacts(input)).empty());
    plan.steps.clear();
    const auto empty = test::historyOf(records);
    QVERIFY(htmlReport({empty, {}}).has_value());
  }
  void measuredBytesThatDifferAreDrawnOverThePrediction() {
    auto records = test::tinyRecords(test::tinyWorkload());
    for (LogRecord& record : records)
      if (auto* done = std::get_if<StepsDone>(&record)) done->deviations.push_back({PlanStepId{3}, Bytes{3 * bytesPerMiB}});
    const auto history = test::historyOf(records);
    const auto facts = *reportFacts({history, {}});
    QVERIFY(facts.measured[4].total > facts.predicted[4].total);
    QVERIFY(isFinite(figuresOf({history, {}}, facts).front().drawing));
  }
  void anIterationOfOneEventIsDrawn() {
    Workload w = test::tinyWorkload();
    Plan plan;
    plan.steps.push_back({RunStep{w.route[1], 0, {}}, 1, {}});
    plan.persistentOffsets = test::tinyPlan(w).persistentOffsets;
    const analysis::MemoryCurve curve = analysis::memoryCurve(w, plan);
    const std::vector<StepTime> times{{0, 5}};
    for (const XUnit unit : {XUnit::Step, XUnit::Time})
      for (const MemoryView view : {MemoryView::ScheduledAndFloor, MemoryView::Total})
        QVERIFY(isFinite(memoryChart({.workload = w, .plan = plan, .measured = curve, .predicted = curve, .times = times}, {.x = unit, .view = view})));
  }
  void tinyFiguresStayFinite() {
    const auto history = test::historyOf(test::tinyRecords(test::tinyWorkload()));
    const auto facts = *reportFacts({history, {}});
    for (const double size : {0.0, 1.0, 50.0})
      QVERIFY(isFinite(memoryChart({.workload = *facts.workload, .plan = *facts.plan, .measured = facts.measured, .predicted = facts.predicted},
                                   {.width = size, .height = size})));
  }
  void lossesThatAreNotNumbersAreLeftOutAndCounted() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<IterationDone> mixed{lossOf(0, 2.5f), lossOf(1, nan), lossOf(2, 1.5f)};
    QVERIFY(isFinite(lossChart(mixed)));
    QVERIFY(svgDocument(lossChart(mixed)).find("not finite") != std::string::npos);
    const std::vector<IterationDone> none{lossOf(0, nan)};
    QVERIFY(svgDocument(lossChart(none)).find("computes no values") != std::string::npos);
    QVERIFY(isFinite(lossChart({})));
    QVERIFY(isFinite(lossChart(std::vector{lossOf(3, 0.f)})));
    QVERIFY(isFinite(accuracyChart({})));
  }
  void aHundredThousandLossesMakeASmallPicture() {
    std::vector<IterationDone> many;
    for (std::int64_t i = 0; i < 100'000; ++i) many.push_back(lossOf(i, static_cast<float>(2 + std::sin(static_cast<double>(i)))));
    many[54'321].loss = 50;
    const std::string svg = svgDocument(lossChart(many, {.width = 492, .height = 220}));
    QVERIFY(svg.size() < 60'000);
  }
};
PEAKSCOPE_TEST(DegenerateTest)

}  // namespace peakscope::report

#include "degenerate_test.moc"
