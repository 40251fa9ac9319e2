// SPDX-License-Identifier: Apache-2.0
//
// kill -9 in the middle of training: all but the last half second is on file, and the report says that it was cut.
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <csignal>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

class KillTest : public QObject {
  Q_OBJECT
 private slots:
  void aKilledRunIsOnFileUpToHalfASecondBefore() {
    const QTemporaryDir folder;
    const QString trace = folder.filePath("run.peakscope"), summaryPath = folder.filePath("summary.json");
    RunningCli cli({"train", "lenet", "--data", bundledData, "--batch", "16", "--iterations", "1000000", "--json", "--trace", trace});
    QElapsedTimer clock;
    QList<qint64> arrivals;                    // when the line of iteration i was read
    while (arrivals.isEmpty() || clock.elapsed() < 2000) {
      const QByteArray line = cli.readLine();
      QVERIFY(!line.isEmpty());
      if (!line.contains("\"event\":\"iteration\"")) continue;
      if (arrivals.isEmpty()) clock.start();
      arrivals.append(clock.elapsed());
    }
    const qint64 killedAt = clock.elapsed();
    cli.signal(SIGKILL);
    QCOMPARE(cli.finish().exitCode, -1);

    const CliResult reported = runCli({"report", trace, "--json", summaryPath, "--html", folder.filePath("run.html")});
    QCOMPARE(reported.exitCode, 0);
    QCOMPARE(reported.err.count('\n'), 1);
    QVERIFY2(reported.err.contains("the recording did not finish"), reported.err.constData());
    QFile file(summaryPath);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto summary = nlohmann::json::parse(file.readAll().toStdString());
    const auto kept = summary["iterations"].get<qint64>();
    const auto settled = std::count_if(arrivals.begin(), arrivals.end(), [&](qint64 at) { return at <= killedAt - 500; });
    QVERIFY(settled > 0);
    QVERIFY2(kept >= settled, qPrintable(QStringLiteral("%1 iterations on file, %2 were said half a second before the end").arg(kept).arg(settled)));
    QVERIFY(summary["proof"]["first_difference"].is_null());
  }
};

PEAKSCOPE_TEST(KillTest)
#include "kill_test.moc"
