// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real main window, driven offscreen: load, run, toggle techniques, undo, reopen a trace, close while training. What
// it says is compared with the plan that the planner makes.
#include <QCheckBox>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/backends.h"
#include "tests/support/test_main.h"
#include "ui/main_window.h"
#include "ui/panels/live_panel.h"
#include "ui/panels/technique_panel.h"
#include "ui/panels/timeline_panel.h"

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

  void switchingRecomputeOffWhileTrainingInstallsThePlanThatThePlannerShows() {
    MainWindow window(services());
    window.load(lenet());
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(iterations(window) >= 2, 120'000);
    auto* recompute = window.findChild<QCheckBox*>("recompute");
    QVERIFY(recompute != nullptr && recompute->isChecked());
    recompute->click();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().history().plans().size() == 2, 120'000);
    QVERIFY(!window.run().history().currentPlan()->options.techniques.recompute);
    QTRY_VERIFY_WITH_TIMEOUT(window.view() && !window.view()->plan.options.techniques.recompute, 120'000);
    checkLiveList(window);

    window.undoStack().undo();
    QVERIFY(recompute->isChecked());
    QTRY_VERIFY_WITH_TIMEOUT(window.run().history().plans().size() == 3, 120'000);
    QVERIFY(window.run().history().currentPlan()->options.techniques.recompute);
    window.stop();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Stopped, 120'000);
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
    window.openTrace(folder.filePath(traces.front()).toStdString());
    QVERIFY(window.view() != nullptr);
    QVERIFY(!window.run().isLive());
    QCOMPARE(window.view()->iteration, std::int64_t{1});
    QTRY_COMPARE_WITH_TIMEOUT(window.timeline().headline(), peak, 60'000);
    checkLiveList(window);
  }

  void aFileThatIsNoTraceLeavesTheWindowAsItWas() {
    MainWindow window(services());
    window.load(lenet());
    QTRY_VERIFY_WITH_TIMEOUT(window.view() != nullptr, 60'000);
    const QString before = window.timeline().headline();
    window.openTrace(std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "README.md");
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
