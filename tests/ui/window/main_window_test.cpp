// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real main window, driven offscreen: load, run, toggle techniques, undo, reopen a trace, close while training. What
// it says is compared with the plan that the planner makes.
#include <QCheckBox>
#include <QAction>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include "engine/graph/network_file.h"
#include "engine/lowering.h"
#include "memory/trace/trace_file.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_services.h"
#include "ui/main_window.h"
#include "ui/panels/live_panel.h"
#include "ui/panels/technique_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/panels/training_panel.h"

using namespace peakscope;
using namespace peakscope::ui;
using test::lenet;
using test::services;

namespace {

std::size_t iterations(MainWindow& window) { return window.run().history().iterations().size(); }

}  // namespace

class MainWindowTest : public QObject {
  Q_OBJECT
 private slots:
  void aLoadedNetworkShowsItsPlanBeforeAnythingRuns() {
    MainWindow window(services());
    window.load(lenet());
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
    QVERIFY(window.timeline().headline().contains(QString::fromStdString(formatMiB(window.view()->peak.bytes))));
    QCOMPARE(window.timeline().pinnedStep(), window.view()->peak.planStep);
    checkLiveList(window);
  }

  void aModelOfOnesOwnIsPlannedAndRunSaysWhyItCannot() {
    MainWindow window(services());
    window.openPath(QStringLiteral(PEAKSCOPE_SOURCE_DIR "/tests/importers/data/mobilenet_v2.onnx"));
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
    QVERIFY(window.timeline().headline().contains(QString::fromStdString(formatMiB(window.view()->peak.bytes))));
    QCOMPARE(window.view()->workload.net, std::string("mobilenet_v2"));
    auto* run = window.findChild<QAction*>("run");
    QVERIFY(!run->isEnabled());
    QVERIFY(run->toolTip().contains("training such models comes later"));
    window.load(lenet());
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr && window.view()->workload.net == "lenet", 60'000);
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(iterations(window) > 0, 120'000);
    window.stop();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Stopped, 120'000);
  }

  void aModelThatIsDroppedOnTheWindowIsOpened() {
    MainWindow window(services());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral(PEAKSCOPE_SOURCE_DIR "/tests/importers/data/alexnet.onnx"))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    QVERIFY(drop.isAccepted());
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr && window.view()->workload.net == "alexnet", 60'000);
  }

  void trainingMovesTheCurveAndProvesThePrediction() {
    MainWindow window(services());
    window.setLength(4, 0);
    window.load(lenet());
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Finished, 120'000);
    QTRY_COMPARE(iterations(window), std::size_t{4});
    QVERIFY(window.view()->layout.hasTimes());
    QCOMPARE(window.run().history().proof().firstDifference, std::int64_t{-1});
    checkLiveList(window);
  }

  void switchingATechniqueWhileTrainingShowsThePlanThatRuns_data() {
    QTest::addColumn<QString>("box");
    for (const char* name : {"recompute", "offload", "liveness"}) QTest::newRow(name) << QString::fromLatin1(name);
  }
  void switchingATechniqueWhileTrainingShowsThePlanThatRuns() {
    QFETCH(QString, box);
    MainWindow window(services());
    window.load(lenet());
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(iterations(window) >= 2, 120'000);
    auto* technique = window.findChild<QCheckBox*>(box);
    QVERIFY(technique != nullptr && technique->isChecked());
    const Techniques before = window.run().history().currentPlan()->options.techniques;
    technique->click();
    checkInstalled(window, 2);
    QVERIFY(!(window.view()->plan.options.techniques == before));

    window.undoStack().undo();
    QVERIFY(technique->isChecked());
    checkInstalled(window, 3);
    QVERIFY(window.view()->plan.options.techniques == before);
    window.stop();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Stopped, 120'000);
    QCOMPARE(window.run().history().proof().firstDifference, std::int64_t{-1});
  }

  void aDynamicWorkspaceTakesOtherAlgorithmsWhileTraining() {
    MainWindow window(services());
    PlanRequest request{.net = "minivgg", .batch = 8};
    request.options.techniques = {.liveness = true};
    request.options.budget = Bytes{64 << 20};
    window.load(request);
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(iterations(window) >= 2, 120'000);
    const Plan before = *window.run().history().currentPlan();
    window.findChild<QCheckBox*>("workspace")->click();
    checkInstalled(window, 2);
    const Plan& after = window.view()->plan;
    QVERIFY(chosen(after) != chosen(before));
    QVERIFY(after.arenaBytes >= before.arenaBytes && after.arenaBytes <= *request.options.budget);
    QVERIFY(window.findChild<QLabel*>("workspaceTime")->text().contains(QChar(0x2212)));

    window.undoStack().undo();
    checkInstalled(window, 3);
    QCOMPARE(chosen(window.view()->plan), chosen(before));
    finish(window);
  }

  void theTensorCacheEvictsUnderABudgetWhileTraining_data() {
    QTest::addColumn<int>("rule");
    QTest::newRow("least recently used") << 0;
    QTest::newRow("needed last") << 1;
  }
  void theTensorCacheEvictsUnderABudgetWhileTraining() {
    QFETCH(int, rule);
    MainWindow window(services());
    PlanRequest request = lenet();
    request.options.techniques = {.liveness = true, .recompute = true};
    window.load(request);
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr && iterations(window) >= 2, 120'000);
    const Plan before = *window.run().history().currentPlan();
    const auto smallest = smallestWithCache(window);
    QVERIFY(smallest < before.arenaBytes);

    PolicyOptions options = before.options;
    options.techniques.cache = true;
    options.budget = smallest;
    options.eviction = static_cast<Eviction>(rule);
    window.undoStack().clear();
    emit window.techniques().optionsEdited(options);
    checkInstalled(window, 2);
    QVERIFY(window.findChild<QCheckBox*>("cache")->isChecked());
    QVERIFY(window.view()->plan.arenaBytes <= smallest);
    QTRY_VERIFY(!window.view()->events.empty());
    QVERIFY(std::any_of(window.view()->events.begin(), window.view()->events.end(), [](const analysis::Event& e) { return e.cause.kind == CauseKind::Evicted; }));

    window.undoStack().undo();
    QVERIFY(!window.findChild<QCheckBox*>("cache")->isChecked());
    checkInstalled(window, 3);
    QCOMPARE(window.view()->plan.arenaBytes, before.arenaBytes);
    finish(window);
  }

  void theEffectsOfTheTechniquesAddUpToThePlan() {
    MainWindow window(services());
    for (const bool cache : {false, true}) {
      PlanRequest request = lenet();
      request.options.techniques.cache = cache;
      window.load(request);
      QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
      const auto answer = window.answer();
      QVERIFY(answer && answer->keepAll);
      Bytes sum = answer->keepAll->scheduledPeak;
      for (const TechniqueEffect* effect : {&answer->liveness, &answer->offload, &answer->recompute, &answer->cache, &answer->workspace}) {
        QVERIFY(effect->before && effect->after);
        if (effect != &answer->cache || cache) sum += effect->after->scheduledPeak - effect->before->scheduledPeak;
      }
      QCOMPARE(sum, answer->peak.bytes);
    }
  }

  void whatDoesNotFitHasNoEffectRatherThanAWrongOne() {
    MainWindow window(services());
    PlanRequest request = lenet();
    request.options.budget = Bytes{1'000'000};
    window.load(request);
    QTRY_COMPARE_WITH_TIMEOUT(window.findChild<QLabel*>("planned")->text(), QStringLiteral("does not fit"), 60'000);
    QCOMPARE(window.findChild<QLabel*>("cachePeak")->text(), QStringLiteral("\u2013"));
    QVERIFY(window.findChild<QLabel*>("livenessPeak")->text().contains(QChar(0x2212)));
  }

  void everyMnemonicLeadsToOnePlace() {
    MainWindow window(services());
    QStringList texts;
    for (const auto* button : window.findChildren<QAbstractButton*>()) texts.append(button->text());
    for (const auto* label : window.findChildren<QLabel*>())
      if (label->buddy() != nullptr) texts.append(label->text());
    for (const QAction* action : window.menuBar()->actions()) texts.append(action->text());
    QStringList keys;
    for (const QString& text : texts)
      if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty()) {
        QVERIFY2(!keys.contains(key.toString()), qPrintable(text + ": " + key.toString()));
        keys.append(key.toString());
      }
    QVERIFY(keys.size() > 10);
  }

  void thePanelFitsItsDock() {
    MainWindow window(services());
    window.resize(1600, 1000);
    window.load(lenet());
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
    window.show();
    window.techniques().setHint(QStringLiteral("Changes apply at iteration 413."));
    QTRY_VERIFY(window.techniques().minimumSizeHint().height() <= window.techniques().height());
    QVERIFY(window.techniques().minimumSizeHint().width() <= window.techniques().width());
    for (const auto* label : window.techniques().findChildren<QLabel*>())
      if (!label->wordWrap()) QVERIFY2(label->sizeHint().width() <= label->width(), qPrintable(label->objectName() + label->text()));
  }

  void whatIsExportedSaysWhatTheWindowShows() {
    const QTemporaryDir folder;
    MainWindow window(services());
    window.setLength(3, 0);
    window.load(lenet());
    window.exportReportTo(folder.filePath("early.html"));
    QVERIFY(!QFile::exists(folder.filePath("early.html")));   // nothing to report yet, and it says so
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Finished, 120'000);
    QTRY_VERIFY(window.view() && window.view()->iteration == 2);
    for (const char* name : {"run.html", "run.json", "tables.csv"}) window.exportReportTo(folder.filePath(name));
    for (const char* name : {"memory.svg", "memory.pdf", "memory.png"}) {
      window.exportFigureTo(folder.filePath(name));
      QVERIFY2(QFile(folder.filePath(name)).size() > 1000, name);
    }
    QVERIFY(QFile::exists(folder.filePath("tables.csv/events.csv")));
    const QByteArray peak = QByteArray::number(qlonglong{window.view()->peak.bytes.count()});
    QVERIFY(read(folder.filePath("run.json")).contains(peak));
    QVERIFY(read(folder.filePath("run.html")).contains(QByteArray::fromStdString(formatMiB(window.view()->peak.bytes))));
  }

  void aRecordedRunIsShownAgain() {
    const QTemporaryDir folder;
    QString peak;
    {
      MainWindow window(services(folder.path().toStdString()));
      window.setLength(2, 0);
      window.load(lenet());
      window.start();
      QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Finished, 120'000);
      QTRY_VERIFY(window.view() && window.view()->iteration == 1);
      peak = window.timeline().headline();
    }
    const QStringList traces = QDir(folder.path()).entryList({"*.peakscope"});
    QCOMPARE(traces.size(), 1);
    MainWindow window(services());
    QVERIFY(window.openTrace(folder.filePath(traces.front()).toStdString()).has_value());
    QVERIFY(window.view() != nullptr);
    QVERIFY(!window.run().isLive());
    QCOMPARE(window.view()->iteration, std::int64_t{1});
    QTRY_COMPARE_WITH_TIMEOUT(window.timeline().headline(), peak, 60'000);
    checkLiveList(window);
  }

  void aSecondRunHasAFileOfItsOwn() {
    const QTemporaryDir folder;
    WindowServices recording = services();
    recording.traceFile = folder.filePath("run.peakscope").toStdString();
    MainWindow window(recording);
    window.setLength(2, 0);
    window.load(lenet());
    window.load(lenet());   // nothing has run: no file, and no number
    for (int run = 0; run < 2; ++run) {
      window.start();
      QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Finished && !window.run().isRecording(), 120'000);
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList({"run-2.peakscope", "run.peakscope"}));
    for (const char* name : {"run.peakscope", "run-2.peakscope"}) {
      const auto trace = readTrace(folder.filePath(name).toStdString());
      QVERIFY(trace && trace->wasClosed);
    }
  }

  void anotherTraceHasItsOwnCurves() {
    const QTemporaryDir folder;
    const auto record = [&](const char* name, std::int64_t count) {
      WindowServices recording = services();
      recording.traceFile = folder.filePath(name).toStdString();
      MainWindow window(recording);
      window.setLength(count, 0);
      window.load(lenet());
      window.start();
      QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Finished && !window.run().isRecording(), 120'000);
    };
    record("short.peakscope", 2);
    record("long.peakscope", 5);
    MainWindow window(services());
    QVERIFY(window.openTrace(folder.filePath("short.peakscope").toStdString()).has_value());
    QVERIFY(window.openTrace(folder.filePath("long.peakscope").toStdString()).has_value());
    QCOMPARE(window.training().lossCurveLength(), std::size_t{5});
    QVERIFY(window.openTrace(folder.filePath("short.peakscope").toStdString()).has_value());
    QCOMPARE(window.training().lossCurveLength(), std::size_t{2});
  }

  void aBudgetToTheByteSurvivesASwitch() {
    MainWindow window(services());
    PlanRequest request = lenet();
    request.options.budget = Bytes{20'000'001};
    window.load(request);
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
    window.findChild<QCheckBox*>("recompute")->click();
    QCOMPARE(window.techniques().request().options.budget, std::optional(Bytes{20'000'001}));
    QVERIFY(window.commandLine().contains("--budget 20000001B"));
  }

  void aFileThatIsNoTraceLeavesTheWindowAsItWas() {
    MainWindow window(services());
    window.load(lenet());
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
    const QString before = window.timeline().headline();
    QVERIFY(!window.openTrace(std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "README.md").has_value());
    QCOMPARE(window.timeline().headline(), before);
    QVERIFY(window.run().isLive());
  }

  void closingWhileTrainingEndsAtTheIteration() {
    MainWindow window(services());
    window.load(lenet());
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(iterations(window) >= 1, 120'000);
    QVERIFY(window.close());
    QVERIFY(!window.run().isLive());
  }

 private:
  static QByteArray read(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  /// The algorithm of each run of a plan.
  static std::vector<std::int32_t> chosen(const Plan& plan) {
    std::vector<std::int32_t> candidates;
    for (const PlanStep& step : plan.steps)
      if (const auto* run = std::get_if<RunStep>(&step.action)) candidates.push_back(run->candidate);
    return candidates;
  }
  /// The smallest arena that the cache comes down to, by the refusal of a budget that is too small.
  static Bytes smallestWithCache(MainWindow& window) {
    const auto backend = services().makeBackend({.backend = "cpu", .threads = 2});
    const PolicyOptions options{.techniques = {.liveness = true, .cache = true, .recompute = true}, .offloadFree = OffloadFree::Hidden, .budget = Bytes{1}};
    const auto graph = engine::findNetwork("lenet", std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "samples/networks");
    const auto lowering = engine::lower(*graph, 8, engine::LoweringOptions::lean(), (*backend)->library());
    Q_ASSERT(lowering.workload == window.run().history().workload());
    return makePlan({lowering.workload, (*backend)->device(), (*backend)->costs(lowering)}, options).error().smallestBudget;
  }
  static void finish(MainWindow& window) {
    window.stop();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Stopped, 120'000);
    QCOMPARE(window.run().history().proof().firstDifference, std::int64_t{-1});
  }
  /// Plan number `count` runs and is drawn: headline, list and curve are its own.
  static void checkInstalled(MainWindow& window, std::size_t count) {
    QTRY_VERIFY_WITH_TIMEOUT(window.run().history().plans().size() == count, 120'000);
    const auto number = static_cast<std::int32_t>(count) - 1;
    QTRY_VERIFY_WITH_TIMEOUT(window.run().history().latestComplete() && window.run().history().latestComplete()->plan == number && window.view()->plan == *window.run().history().currentPlan(), 120'000);
    const auto curve = analysis::memoryCurve(window.run().history().workload(), *window.run().history().currentPlan());
    const auto peak = analysis::scheduledPeak(window.run().history().workload(), *window.run().history().currentPlan(), curve);
    QCOMPARE(window.view()->peak.bytes, peak.bytes);
    QVERIFY(window.timeline().headline().contains(QString::fromStdString(formatMiB(peak.bytes))));
    checkLiveList(window);
  }
  /// The list at the right, its sum line and the curve agree, to the byte.
  static void checkLiveList(MainWindow& window) {
    const auto& view = *window.view();
    const auto& point = view.curve()[static_cast<std::size_t>(window.timeline().pinnedStep().index)];
    QCOMPARE(window.live().model().totalSum(), point.total);
    QCOMPARE(window.live().model().scheduledSum(), point.scheduled);
    QVERIFY(window.live().sumText().contains(QStringLiteral("\u2713")));
    QVERIFY(!window.live().sumText().contains(QStringLiteral("\u2717")));
  }
};

PEAKSCOPE_TEST(MainWindowTest)
#include "main_window_test.moc"
