// SPDX-License-Identifier: Apache-2.0
//
// train --json on the bundled images: one object a line, measured equals predicted, and techniques do not change a bit.
#include <QTemporaryDir>
#include <csignal>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;
using nlohmann::json;

namespace {

const QStringList sixIterations{"train", "lenet", "--data", bundledData, "--batch", "32", "--iterations", "6", "--json"};

json losses(const json& lines) {
  json all = json::array();
  for (const auto& line : lines)
    if (line["event"] == "iteration") all.push_back(line["loss"].dump());
  return all;
}

}  // namespace

class TrainTest : public QObject {
  Q_OBJECT
 private slots:
  void everyLineIsAnEventAndTheLastIsTheSummary() {
    const CliResult result = runCli(sixIterations);
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.err, QByteArray());
    const json lines = result.jsonLines();
    QCOMPARE(lines.size(), std::size_t{7});
    for (std::size_t i = 0; i < 6; ++i) {
      QCOMPARE(lines[i]["event"].get<std::string>(), std::string("iteration"));
      QCOMPARE(lines[i]["iteration"].get<std::size_t>(), i);
      QVERIFY(lines[i]["loss"].is_number());
      QCOMPARE(lines[i]["measured_peak_bytes"].get<std::int64_t>(), lines[i]["predicted_peak_bytes"].get<std::int64_t>());
      QCOMPARE(lines[i]["measured_peak_scheduled_bytes"].get<std::int64_t>(), lines[i]["predicted_peak_scheduled_bytes"].get<std::int64_t>());
      QVERIFY(lines[i]["measured_peak_bytes"].get<std::int64_t>() > lines[i]["measured_peak_scheduled_bytes"].get<std::int64_t>());
    }
    const json& summary = lines[6];
    QCOMPARE(summary["event"].get<std::string>(), std::string("summary"));
    QCOMPARE(summary["iterations"].get<int>(), 6);
    QVERIFY(summary["predicted_equals_measured"].get<bool>());
    for (const char* field : {"schema", "net", "batch", "lowering", "program", "backend", "backend_detail", "data", "seed", "threads"}) QVERIFY2(summary.contains(field), field);
  }

  void lossesAreTheSameBitForBitWhateverTheTechniques_data() {
    QTest::addColumn<QString>("threads");
    QTest::newRow("1 thread") << "1";
    QTest::newRow("2 threads") << "2";
  }
  void lossesAreTheSameBitForBitWhateverTheTechniques() {
    QFETCH(QString, threads);
    const QStringList arguments = sixIterations + QStringList{"--threads", threads, "--techniques"};
    const json none = runCli(arguments + QStringList{"none"}).jsonLines();
    const json all = runCli(arguments + QStringList{"liveness,offload,recompute"}).jsonLines();
    QCOMPARE(losses(none).size(), std::size_t{6});
    QVERIFY2(losses(none) == losses(all), (losses(none).dump() + losses(all).dump()).c_str());
    QVERIFY(none[0]["measured_peak_scheduled_bytes"].get<std::int64_t>() > all[0]["measured_peak_scheduled_bytes"].get<std::int64_t>());
  }

  void freedBytesAreNeverRead() {
    const json plain = runCli(sixIterations + QStringList{"--threads", "1"}).jsonLines();
    const json checked = runCli(sixIterations + QStringList{"--threads", "1", "--check-memory"}).jsonLines();
    QCOMPARE(losses(checked).size(), std::size_t{6});
    QVERIFY(losses(plain) == losses(checked));
  }

  void anEpochGivesTheAccuracyOverTheWholeTestSet() {
    const CliResult result = runCli({"train", "lenet", "--data", bundledData, "--batch", "200", "--epochs", "1", "--json"});
    QCOMPARE(result.exitCode, 0);
    const json lines = result.jsonLines();
    QCOMPARE(lines.size(), std::size_t{8 + 1 + 1});
    const json& epoch = lines[8];
    QCOMPARE(epoch["event"].get<std::string>(), std::string("epoch"));
    QCOMPARE(epoch["test_images"].get<int>(), 400);
    QVERIFY(epoch["accuracy"].get<double>() >= 0 && epoch["accuracy"].get<double>() <= 1);
    QVERIFY(epoch["images_per_second"].get<double>() > 0);
    QVERIFY(lines[9]["accuracy"] == epoch["accuracy"]);
  }

  void aNetworkWithoutADataSetSaysThatItsDataAreSynthetic() {
    const CliResult result = runCli({"train", "cifar", "--batch", "2", "--iterations", "1", "--json"});
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.err.contains("synthetic"), result.err.constData());
    QVERIFY(QString::fromStdString(result.jsonLines().back()["data"].get<std::string>()).startsWith("synthetic"));
  }

  void anInterruptFinishesTheIterationAndKeepsTheTrace_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
  }
  void anInterruptFinishesTheIterationAndKeepsTheTrace() {
    QFETCH(int, signal);
    const QTemporaryDir folder;
    const QString trace = folder.filePath("run.peakscope");
    RunningCli cli({"train", "lenet", "--data", bundledData, "--batch", "32", "--iterations", "1000000", "--json", "--trace", trace});
    QByteArray begin;
    for (int i = 0; i < 3; ++i) begin += cli.readLine();
    cli.signal(signal);
    CliResult result = cli.finish();
    QCOMPARE(result.exitCode, 130);
    QCOMPARE(result.err, QByteArray());
    result.out.prepend(begin);
    const json lines = result.jsonLines();
    QCOMPARE(lines.back()["event"].get<std::string>(), std::string("summary"));
    const std::size_t iterations = losses(lines).size();
    QVERIFY(iterations >= 3);
    QCOMPARE(lines.back()["iterations"].get<std::size_t>(), iterations);

    const QString summary = folder.filePath("summary.json");
    const CliResult reported = runCli({"report", trace, "--json", summary});
    QCOMPARE(reported.exitCode, 0);
    QCOMPARE(reported.err, QByteArray());
    QVERIFY(!QFile::exists(trace + "-wal"));
    QFile file(summary);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(json::parse(file.readAll().toStdString())["iterations"].get<std::size_t>(), iterations);
  }
};

PEAKSCOPE_TEST(TrainTest)
#include "train_test.moc"
