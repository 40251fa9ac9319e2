// SPDX-License-Identifier: Apache-2.0
//
// fit: what it finds plans, and one more is refused by the same planner.
#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;
using nlohmann::json;

class FitTest : public QObject {
  Q_OBJECT
 private slots:
  void theBatchFoundPlansAndOneMoreIsRefused_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("keep-all") << QStringList{"--policy", "keep-all"};
    QTest::newRow("liveness") << QStringList{"--policy", "liveness"};
    QTest::newRow("all techniques") << QStringList{};
    QTest::newRow("paper counting") << QStringList{"--lowering", "paper", "--techniques", "offload,recompute"};
    QTest::newRow("host budget") << QStringList{"--techniques", "offload", "--host-budget", "10MiB"};
  }
  void theBatchFoundPlansAndOneMoreIsRefused() {
    QFETCH(QStringList, options);
    options << "--budget" << "64MiB";
    const json found = runCli(QStringList{"fit", "minivgg", "--json"} + options).json();
    const std::int64_t batch = found["batch"].get<std::int64_t>();
    QCOMPARE(batch, found["n"].get<std::int64_t>());
    QVERIFY(batch > 1);
    const json plan = runCli(QStringList{"plan", "minivgg", "--json", "--batch", QString::number(batch)} + options).json();
    QCOMPARE(plan["peak"]["arena_bytes"].get<std::int64_t>(), found["arena_bytes"].get<std::int64_t>());
    const CliResult more = runCli(QStringList{"plan", "minivgg", "--batch", QString::number(batch + 1)} + options);
    QCOMPARE(more.exitCode, 1);
    QVERIFY2(more.err.contains(found["limit"].get<std::string>().c_str()), more.err.constData());
  }

  void theDeepestResnetPlansAndOneBlockMoreIsRefused() {
    const QStringList options{"--budget", "2GiB", "--lowering", "paper", "--batch", "4", "--techniques", "offload,recompute", "--offload", "checkpoints"};
    const json found = runCli(QStringList{"fit", "resnet:3,4,6,3", "--grow", "depth", "--json"} + options).json();
    const std::int64_t n = found["n"].get<std::int64_t>();
    QVERIFY(n > 6);
    QCOMPARE(found["depth"].get<std::int64_t>(), 3 * (3 + 4 + n + 3) + 2);
    QCOMPARE(runCli(QStringList{"plan", QStringLiteral("resnet:3,4,%1,3").arg(n)} + options).exitCode, 0);
    QCOMPARE(runCli(QStringList{"plan", QStringLiteral("resnet:3,4,%1,3").arg(n + 1)} + options).exitCode, 1);
  }

  void whatNeverFitsIsExitCodeOneWithTheReason() {
    QVERIFY(errorProblem(runCli({"fit", "minivgg", "--budget", "1MiB"}), 1, "does not fit").isEmpty());
  }
};

PEAKSCOPE_TEST(FitTest)
#include "fit_test.moc"
