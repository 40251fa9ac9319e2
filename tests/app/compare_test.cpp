// SPDX-License-Identifier: Apache-2.0
//
// compare: every policy on one network, as text, JSON and CSV; the numbers are those of plan and simulate.
#include <QFile>
#include <QTemporaryDir>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;
using nlohmann::json;

namespace {

const json* rowOf(const json& compared, const char* policy) {
  for (const json& row : compared["rows"])
    if (row["policy"] == policy) return &row;
  return nullptr;
}

}  // namespace

class CompareTest : public QObject {
  Q_OBJECT
 private slots:
  void aRowSaysWhatPlanAndSimulateSay() {
    const json compared = runCli({"compare", "minivgg", "--device", "k40c", "--lowering", "paper", "--json"}).json();
    for (const char* policy : {"keep-all", "liveness", "superneurons"}) {
      const json* row = rowOf(compared, policy);
      QVERIFY2(row != nullptr, policy);
      const json simulated = runCli({"simulate", "minivgg", "--device", "k40c", "--lowering", "paper", "--policy", policy, "--json"}).json();
      QCOMPARE((*row)["scheduled_peak_bytes"].get<std::int64_t>(), simulated["peak"]["scheduled_bytes"].get<std::int64_t>());
      QCOMPARE((*row)["arena_bytes"].get<std::int64_t>(), simulated["peak"]["arena_bytes"].get<std::int64_t>());
      QCOMPARE((*row)["time_ns"].get<std::int64_t>(), simulated["time_ns"].get<std::int64_t>());
      QCOMPARE((*row)["stall_ns"].get<std::int64_t>(), simulated["stall_ns"].get<std::int64_t>());
    }
  }

  void everyPolicyKeepsTheBudgetOrSaysWhatWouldDo() {
    const std::int64_t budget = 60LL << 20;
    const json compared = runCli({"compare", "minivgg", "--lowering", "paper", "--budget", "60MiB", "--json"}).json();
    const json policies = runCli({"policies", "--json"}).json();
    QCOMPARE(compared["rows"].size(), policies["policies"].size());
    int fitting = 0;
    for (const json& row : compared["rows"]) {
      if (row["fits"].get<bool>()) {
        ++fitting;
        QVERIFY(row["arena_bytes"].get<std::int64_t>() <= budget);
        QVERIFY(row["arena_bound_bytes"].get<std::int64_t>() <= row["arena_bytes"].get<std::int64_t>());
      } else {
        QVERIFY(row["smallest_budget_bytes"].get<std::int64_t>() > budget);
        QVERIFY(row["refused"].get<std::string>().find("does not fit: step") == 0);
      }
    }
    QVERIFY((*rowOf(compared, "superneurons"))["fits"].get<bool>());
    QVERIFY(!(*rowOf(compared, "keep-all"))["fits"].get<bool>());
    QVERIFY(fitting < static_cast<int>(compared["rows"].size()));
  }

  void chosenPoliciesComeInTheirOrder() {
    const CliResult result = runCli({"compare", "lenet", "--policies", "vdnn-all,keep-all"});
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.out.indexOf("vdnn-all") > 0 && result.out.indexOf("vdnn-all") < result.out.indexOf("keep-all"));
    QVERIFY(!result.out.contains("superneurons"));
  }

  void theCsvHasARowForEachPolicy() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("table.csv");
    QCOMPARE(runCli({"compare", "lenet", "--budget", "20MiB", "--csv", file}).exitCode, 0);
    QFile csv(file);
    QVERIFY(csv.open(QFile::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    const json policies = runCli({"policies", "--json"}).json();
    QCOMPARE(static_cast<std::size_t>(lines.size()), policies["policies"].size() + 1);
    for (const QByteArray& line : lines) QCOMPARE(line.count(','), lines.first().count(','));
  }

  void aCsvThatCannotBeWrittenIsExitCodeThree() {
    QVERIFY(errorProblem(runCli({"compare", "lenet", "--csv", "/nosuch/folder/table.csv"}), 3, "table.csv").isEmpty());
  }
};

PEAKSCOPE_TEST(CompareTest)
#include "compare_test.moc"
