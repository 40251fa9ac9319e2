// SPDX-License-Identifier: GPL-3.0-or-later
//
// The item models under Qt's own tester, and the step layout.
#include <QAbstractItemModelTester>

#include "engine/lowering.h"
#include "engine/cost_model.h"
#include "engine/graph/device_file.h"
#include "engine/graph/network_file.h"
#include "memory/policy.h"
#include "tests/support/test_main.h"
#include "ui/models/coordinates.h"
#include "ui/models/event_model.h"
#include "ui/models/layer_model.h"
#include "ui/models/live_model.h"
#include "ui/models/step_layout.h"

using namespace peakscope;
using namespace peakscope::ui;

namespace {

struct Planned {
  engine::Lowering lowering;
  Plan plan;
};

Planned planLenet() {
  const std::filesystem::path root(PEAKSCOPE_SOURCE_DIR);
  engine::IdealLibrary library;
  const auto graph = engine::findNetwork("lenet", root / "samples/networks");
  const auto device = engine::readDevice("h200", root / "resources/devices");
  Planned planned{.lowering = engine::lower(*graph, 8, engine::LoweringOptions::lean(), library)};
  const CostTable costs = engine::modelCosts(planned.lowering, *device);
  planned.plan = *makePlan({planned.lowering.workload, *device, costs}, {});
  return planned;
}

}  // namespace

class ItemModelsTest : public QObject {
  Q_OBJECT
 private slots:
  void theLiveListIsGroupedAndEveryGroupHasItsSum() {
    const Planned planned = planLenet();
    const Workload& workload = planned.lowering.workload;
    LiveModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto curve = analysis::memoryCurve(workload, planned.plan);
    for (const analysis::CurvePoint& point : curve) {
      model.show(workload, planned.plan, point.step);
      QCOMPARE(model.scheduledSum(), point.scheduled);
      QCOMPARE(model.totalSum(), point.total);
      QVERIFY(model.rowCount() > 0 && model.index(0, 0).data(LiveModel::headingRole).toBool());
    }
    const auto peak = analysis::scheduledPeak(workload, planned.plan, curve);
    model.show(workload, planned.plan, peak.planStep);
    QCOMPARE(model.index(0, LiveModel::Name).data().toString(), QStringLiteral("Scheduled"));
    QCOMPARE(model.index(0, LiveModel::MiB).data().toString(), QString::fromStdString(formatMiB(peak.bytes)));
  }

  void aFilterShowsTensorsByNameKindAndState() {
    const Planned planned = planLenet();
    LiveModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto curve = analysis::memoryCurve(planned.lowering.workload, planned.plan);
    model.show(planned.lowering.workload, planned.plan, analysis::scheduledPeak(planned.lowering.workload, planned.plan, curve).planStep);
    const auto isShown = [&](const QString& name) {
      for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, LiveModel::Name).data().toString() == name) return true;
      return false;
    };
    QVERIFY(!isShown(QStringLiteral("conv1.weights")) && isShown(QStringLiteral("weights")));
    model.setFilter(QStringLiteral("conv1.weights"));
    QVERIFY(isShown(QStringLiteral("conv1.weights")) && !isShown(QStringLiteral("weights")));
    model.setFilter(QStringLiteral("no such tensor"));
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.totalSum() > Bytes{});
    model.clear();
    QCOMPARE(model.tensorCount(), 0);
  }

  void eventAndLayerModelsAreModels() {
    const Planned planned = planLenet();
    std::vector<StepTime> times;
    for (std::size_t i = 0; i < planned.plan.steps.size(); ++i) times.push_back({static_cast<std::int64_t>(i) * 10, static_cast<std::int64_t>(i) * 10 + 10});
    const auto events = analysis::expand(planned.lowering.workload, planned.plan, 0, PlanStepId{0}, times);
    EventModel eventModel;
    const QAbstractItemModelTester eventTester(&eventModel, QAbstractItemModelTester::FailureReportingMode::QtTest);
    eventModel.show(planned.lowering.workload, events);
    QCOMPARE(eventModel.rowCount(), static_cast<int>(events.size()));
    LayerModel layerModel;
    const QAbstractItemModelTester layerTester(&layerModel, QAbstractItemModelTester::FailureReportingMode::QtTest);
    layerModel.show(planned.lowering.workload, planned.plan, analysis::memoryCurve(planned.lowering.workload, planned.plan), events);
    QVERIFY(layerModel.rowCount() > 0);
  }

  void aLayerSaysWhichAlgorithmWasChosenAndWhatItTakes() {
    Planned planned = planLenet();
    Workload& workload = planned.lowering.workload;
    LayerModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto show = [&] { model.show(workload, planned.plan, analysis::memoryCurve(workload, planned.plan), {}); };
    const auto step = std::find_if(planned.plan.steps.begin(), planned.plan.steps.end(), [&](const PlanStep& s) {
      const auto* run = std::get_if<RunStep>(&s.action);
      return run != nullptr && workload.ops[run->op].phase == Phase::Forward && workload.layers[workload.ops[run->op].layer].layerClass == LayerClass::Convolution;
    });
    auto& run = std::get<RunStep>(step->action);
    Op& op = workload.ops[run.op];
    for (Op& other : workload.ops) other.candidates.resize(1);
    run.candidate = 0;
    for (PlanStep& other : planned.plan.steps)
      if (auto* some = std::get_if<RunStep>(&other.action)) some->candidate = 0;
    show();
    QVERIFY(!model.hasChoice());

    op.candidates.push_back({"winograd", Bytes{3 << 20}});
    run.candidate = 1;
    show();
    QVERIFY(model.hasChoice());
    for (int row = 0; row < model.rowCount(); ++row) {
      const bool isIt = model.index(row, LayerModel::Name).data().toString() == QString::fromStdString(workload.layers[op.layer].name);
      QCOMPARE(model.index(row, LayerModel::ForwardAlgorithm).data().toString(), isIt ? QStringLiteral("winograd") : QString());
      if (isIt) QCOMPARE(model.index(row, LayerModel::ForwardWorkspace).data().toString(), QStringLiteral("3.000"));
    }
  }

  void eventsAreFilteredByEveryWord() {
    const Planned planned = planLenet();
    const Workload& workload = planned.lowering.workload;
    std::vector<analysis::Event> events(3);
    const TensorId tensor{static_cast<std::int32_t>(workload.tensors.size()) - 1};
    events[0] = {.kind = analysis::EventKind::Free, .tensor = tensor, .cause = {CauseKind::Evicted, workload.route[2]}};
    events[1] = {.kind = analysis::EventKind::Free, .tensor = tensor, .cause = {CauseKind::LastUse, workload.route[2]}};
    events[2] = {.kind = analysis::EventKind::Run, .op = workload.route[2]};
    EventModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(workload, events);
    QCOMPARE(model.rowCount(), 3);
    model.setFilter(QStringLiteral("EVICT"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, EventModel::What).data().toString(), QStringLiteral("evict"));
    QVERIFY(model.index(0, EventModel::Why).data().toString().startsWith(QStringLiteral("evicted for ")));
    model.setFilter(QStringLiteral("free last"));
    QCOMPARE(model.rowCount(), 1);
    model.setFilter(QStringLiteral("evicted no-such-layer"));
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.eventCount(), 3);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 3);
  }

  void everyRunStandsInTheSlotOfItsStepOnBothAxes() {
    const Planned planned = planLenet();
    std::vector<StepTime> times;
    for (std::size_t i = 0; i < planned.plan.steps.size(); ++i) times.push_back({1'000 + static_cast<std::int64_t>(i) * 10, 1'000 + static_cast<std::int64_t>(i) * 10 + 10});
    const StepLayout layout(planned.lowering.workload, planned.plan, times);
    for (std::size_t i = 0; i < planned.plan.steps.size(); ++i) {
      const PlanStep& step = planned.plan.steps[i];
      const auto* run = std::get_if<RunStep>(&step.action);
      if (run == nullptr || planned.lowering.workload.ops[run->op].phase == Phase::Load) continue;
      const PlanStepId id{static_cast<std::int32_t>(i)};
      QCOMPARE(stepAt(layout.position(id)), static_cast<std::int64_t>(step.paperStep));
      QCOMPARE(layout.runAt(layout.at(id, XAxis::Step), XAxis::Step), id);
      QCOMPARE(layout.positionOfTime(times[i].beginNs), layout.position(id));
    }
  }

  void aLayoutWithoutTimesHasAFiniteStepAxis() {
    const Planned planned = planLenet();
    const StepLayout layout(planned.lowering.workload, planned.plan, {});
    QVERIFY(!layout.hasTimes());
    const auto [first, last] = layout.extent(XAxis::Step);
    QVERIFY(last > first);
  }
};

PEAKSCOPE_TEST(ItemModelsTest)
#include "item_models_test.moc"
