// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real main window, driven offscreen: load, run, toggle techniques, undo, reopen a trace, close while training. What
// it says is compared with the plan that the planner makes.
#include <QCheckBox>
#include <QAction>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include "app/backends.h"
#include "memory/trace/trace_file.h"
#include "tests/support/test_main.h"
#include "ui/main_window.h"
#include "ui/panels/live_panel.h"
#include "ui/panels/technique_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/panels/training_panel.h"

using namespace peakscope;
using namespace peakscope::ui;

namespace {

WindowServices services(const std::filesystem::path& traces = {}) {
  const app::Paths paths{.samples = std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "samples", .devices = std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "resources/devices"};
  return {.makeBackend = app::backendFactory(paths),
          .session = {.threads = 2, .samplesDir = paths.samples.string(), .devicesDir = paths.devices.string()},
          .traceFolder = traces};
}

PlanRequest lenet() {
  PlanRequest request{.net = "lenet", .batch = 8};
  request.options.offloadFree = OffloadFree::Hidden;
  return request;
}

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
