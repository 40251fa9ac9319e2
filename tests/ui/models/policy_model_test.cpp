// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of policies: its figures, what it says of those that do not fit, its order, its bars, its copy as CSV.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <limits>

#include "tests/support/test_main.h"
#include "ui/models/policy_model.h"
#include "ui/models/table_csv.h"

using namespace peakscope;
using namespace peakscope::ui;

namespace {

constexpr std::int64_t mib = 1 << 20;

PolicyTable three() {
  PolicyTable table{.budget = Bytes{100 * mib}, .current = "small"};
  table.rows.push_back({.policy = "large", .description = "Takes all.", .scheduledPeak = Bytes{70 * mib}, .arena = Bytes{80 * mib}, .timeNs = 1'500'000});
  table.rows.push_back({.policy = "refused", .refused = "does not fit, at all", .smallestBudget = Bytes{200 * mib}});
  table.rows.push_back({.policy = "small", .arena = Bytes{20 * mib}, .host = Bytes{5 * mib}, .copied = Bytes{10 * mib}, .rebuilt = 7, .timeNs = 3'000'000, .stallNs = 250'000});
  return table;
}

}  // namespace

class PolicyModelTest : public QObject {
  Q_OBJECT
 private slots:
  void figuresAreShownAndWhatDoesNotFitSaysWhatWouldDo() {
    PolicyModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(three());
    QCOMPARE(model.index(0, PolicyModel::Arena).data().toString(), QStringLiteral("80.000"));
    QCOMPARE(model.index(2, PolicyModel::Time).data().toString(), QStringLiteral("3.00"));
    QCOMPARE(model.index(2, PolicyModel::Rebuilt).data().toString(), QStringLiteral("7"));
    QCOMPARE(model.index(1, PolicyModel::Bar).data().toString(), QStringLiteral("does not fit; 200.0 MiB would do"));
    QCOMPARE(model.index(1, PolicyModel::Time).data().toString(), QStringLiteral("\u2013"));
    QVERIFY(model.index(1, PolicyModel::Time).data(Qt::ToolTipRole).toString().contains(QStringLiteral("does not fit, at all")));
    QVERIFY(model.index(2, 0).data(PolicyModel::isCurrentRole).toBool() && !model.index(0, 0).data(PolicyModel::isCurrentRole).toBool());
  }

  void barsAndTheBudgetAreOnOneScale() {
    PolicyModel model;
    model.show(three());
    QCOMPARE(model.index(1, PolicyModel::Bar).data(PolicyModel::shareRole).toDouble(), 1.0);
    QCOMPARE(model.index(0, PolicyModel::Bar).data(PolicyModel::shareRole).toDouble(), 0.4);
    QCOMPARE(model.index(0, PolicyModel::Bar).data(PolicyModel::budgetShareRole).toDouble(), 0.5);
    PolicyTable free = three();
    free.budget.reset();
    model.show(free);
    QVERIFY(model.index(0, PolicyModel::Bar).data(PolicyModel::budgetShareRole).toDouble() < 0);
  }

  void whatDoesNotFitComesLast() {
    PolicyModel model;
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(PolicyModel::sortRole);
    model.show(three());
    sorted.sort(PolicyModel::Arena);
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("small"));
    QCOMPARE(sorted.index(2, 0).data().toString(), QStringLiteral("refused"));
  }

  void rowsThatComeLaterLeaveThoseShownInPlace() {
    PolicyModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    PolicyTable part = three();
    part.rows.resize(1);
    model.show(part);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset), inserts(&model, &QAbstractItemModel::rowsInserted);
    model.show(three());
    QCOMPARE(resets.count(), 0);
    QCOMPARE(inserts.count(), 1);
    model.show({});
    QCOMPARE(resets.count(), 1);
    QCOMPARE(model.rowCount(), 0);
  }

  void aCopyHasExactBytesAndQuotesWhatNeedsIt() {
    PolicyModel model;
    PolicyTable table = three();
    table.rows[0].policy = "one, \"two\"";
    model.show(table);
    const QStringList lines = tableCsv(model).split(u'\n');
    QCOMPARE(lines[0], QStringLiteral("policy,scheduled_peak_bytes,arena_bytes,smallest_budget_bytes,host_bytes,copied_bytes,extra_forwards,time_ns,stall_ns"));
    QCOMPARE(lines[1], QStringLiteral("\"one, \"\"two\"\"\",73400320,83886080,,0,0,0,1500000,0"));
    QCOMPARE(lines[2], QStringLiteral("refused,,,209715200,,,,,"));
    QCOMPARE(lines.size(), 5);
  }
};

PEAKSCOPE_TEST(PolicyModelTest)
#include "policy_model_test.moc"
