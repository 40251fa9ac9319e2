// SPDX-License-Identifier: GPL-3.0-or-later
//
// All policies side by side in the real window: what the table says is what the planner plans, a newer request wins, a
// policy is chosen while the network trains and undone.
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QTableView>

#include "tests/support/test_main.h"
#include "tests/ui/window/window_services.h"
#include "ui/main_window.h"
#include "ui/panels/policy_panel.h"
#include "ui/panels/technique_panel.h"

using namespace peakscope;
using namespace peakscope::ui;

class PolicyPanelTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutANetworkItSaysWhyItIsEmpty() {
    MainWindow window(test::services());
    QVERIFY(window.findChild<QLabel*>("policyHeadline")->text().contains("no network is loaded"));
  }

  void everyPolicyHasARowThatAgreesWithThePlanner() {
    MainWindow window(test::services());
    window.show();
    window.load(test::lenet());
    window.findChild<QAction*>("policies")->trigger();
    waitForAll(window);
    QTRY_VERIFY_WITH_TIMEOUT(window.answer() != nullptr, 60'000);
    const PolicyRow row = rowOf(window, "superneurons");
    QCOMPARE(row.scheduledPeak, window.answer()->peak.bytes);
    QCOMPARE(row.arena, window.answer()->plan.arenaBytes);
    QCOMPARE(row.timeNs, window.answer()->timeNs);
  }

  void aBudgetRefusesSomeAndTheLastRequestIsShown() {
    MainWindow window(test::services());
    window.show();
    window.load(test::lenet());
    window.showPolicies();
    PolicyOptions options = test::lenet().options;
    for (const int bytes : {6'000'000, 5'900'000}) {
      options.budget = Bytes{bytes};
      window.applyOptions(options);
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QLabel*>("policyHeadline")->text().contains("budget 5.627 MiB"), 60'000);
    waitForAll(window);
    QVERIFY(!rowOf(window, "keep-all").fits());
    QVERIFY(rowOf(window, "keep-all").smallestBudget > *options.budget);
    QVERIFY(rowOf(window, "superneurons").fits());

    auto* table = window.findChild<QTableView*>("policyTable");
    emit table->activated(table->model()->index(0, 0));   // keep-all, which does not fit
    QCOMPARE(window.techniques().request().options.policy, std::string("superneurons"));
    QVERIFY(window.findChild<QLabel*>("message")->text().contains("does not fit"));
  }

  void enterTrainsWithAPolicyAndUndoGoesBack() {
    MainWindow window(test::services());
    window.show();
    window.load(test::lenet());
    window.start();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().history().iterations().size() >= 2, 120'000);
    window.showPolicies();
    waitForAll(window);
    std::size_t plans = 1;
    for (const char* name : {"vdnn-conv", "mxnet-like", "caffe-like"}) {
      choose(window, name);
      ++plans;
      QTRY_COMPARE_WITH_TIMEOUT(window.run().history().plans().size(), plans, 120'000);
      QCOMPARE(window.run().history().currentPlan()->options.policy, std::string(name));
      QCOMPARE(window.findChild<QComboBox*>("policy")->currentText(), QString::fromLatin1(name));
      QVERIFY(!window.findChild<QCheckBox*>("recompute")->isEnabled());
      QVERIFY(window.findChild<QCheckBox*>("recompute")->toolTip().contains(name));
      QTRY_VERIFY_WITH_TIMEOUT(window.view()->plan == *window.run().history().currentPlan(), 120'000);
    }
    for (int i = 0; i < 3; ++i) window.undoStack().undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().history().plans().size() > plans, 120'000);
    QTRY_COMPARE_WITH_TIMEOUT(window.run().history().currentPlan()->options.policy, std::string("superneurons"), 120'000);
    QVERIFY(window.findChild<QCheckBox*>("recompute")->isEnabled());
    window.stop();
    QTRY_VERIFY_WITH_TIMEOUT(window.run().state() == RunState::Stopped, 120'000);
    QCOMPARE(window.run().history().proof().firstDifference, std::int64_t{-1});
  }

  void theTableIsCopiedAsCsv() {
    MainWindow window(test::services());
    window.show();
    window.load(test::lenet());
    window.showPolicies();
    waitForAll(window);
    window.findChild<QTableView*>("policyTable")->actions().front()->trigger();
    const QString csv = QGuiApplication::clipboard()->text();
    QVERIFY(csv.startsWith("policy,scheduled_peak_bytes"));
    QVERIFY(csv.contains(QString::number(rowOf(window, "vdnn-all").arena.count())));
  }

 private:
  static void waitForAll(MainWindow& window) {
    QTRY_COMPARE_WITH_TIMEOUT(window.policyPanel().model().rowCount(), static_cast<int>(policies().size()), 60'000);
    QTRY_VERIFY(!window.findChild<QLabel*>("policyHeadline")->text().contains("planning"));
  }
  static PolicyRow rowOf(MainWindow& window, const std::string& policy) {
    for (int row = 0; row < window.policyPanel().model().rowCount(); ++row)
      if (window.policyPanel().model().row(row).policy == policy) return window.policyPanel().model().row(row);
    return {.refused = "no such row"};
  }
  static void choose(MainWindow& window, const char* policy) {
    waitForAll(window);
    auto* table = window.findChild<QTableView*>("policyTable");
    for (int row = 0; row < table->model()->rowCount(); ++row)
      if (table->model()->index(row, 0).data().toString() == QLatin1String(policy)) {
        table->setCurrentIndex(table->model()->index(row, 0));
        QTest::keyClick(table, Qt::Key_Return);
        return;
      }
    QFAIL(policy);
  }
};

PEAKSCOPE_TEST(PolicyPanelTest)
#include "policy_panel_test.moc"
