// SPDX-License-Identifier: Apache-2.0
//
// reproduce: the published figures, through the command, to the byte; and files that depend on nothing but the planner.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <vector>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;
using nlohmann::json;

namespace {

QByteArray readAll(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const json& rowOf(const json& rows, const char* net, const char* key, const std::string& value) {
  for (const json& row : rows)
    if (row["net"] == net && row[key] == value) return row;
  static const json none;
  return none;
}

}  // namespace

class ReproduceTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    // Both runs in folders of their own: what they write must not know where it is.
    const CliResult first = runCli({"reproduce", "--out", m_folder.filePath("first"), "--json"});
    QCOMPARE(first.exitCode, 0);
    QCOMPARE(first.err, QByteArray());
    m_found = first.json();
    QVERIFY(!m_found.is_null());
    m_second = runCli({"reproduce"}, m_folder.path());
  }

  void theFourPeaksOfFigure10AreTheOracles_data() {
    QTest::addColumn<QString>("techniques");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("baseline 2189.437") << "none" << qint64{2295791200};
    QTest::newRow("liveness 1489.355") << "liveness" << qint64{1561702400};
    QTest::newRow("offload 1132.056") << "liveness,offload" << qint64{1187046400};
    QTest::newRow("recompute 886.230") << "liveness,offload,recompute" << qint64{929280000};
  }
  void theFourPeaksOfFigure10AreTheOracles() {
    QFETCH(QString, techniques);
    QFETCH(qint64, bytes);
    const json& row = rowOf(m_found["peaks"], "alexnet", "techniques", techniques.toStdString());
    QVERIFY(!row.is_null());
    QCOMPARE(row["scheduled_bytes"].get<qint64>(), bytes);
  }

  void table1IsTheOracles_data() {
    QTest::addColumn<QByteArray>("net");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("extra");
    QTest::addColumn<QString>("mib");
    QTest::newRow("alexnet speed") << QByteArray("alexnet") << "speed" << 14 << "993.018";
    QTest::newRow("alexnet memory") << QByteArray("alexnet") << "memory" << 23 << "886.230";
    QTest::newRow("alexnet cost-aware") << QByteArray("alexnet") << "cost-aware" << 17 << "886.230";
    QTest::newRow("resnet50 speed") << QByteArray("resnet50") << "speed" << 84 << "455.125";
    QTest::newRow("resnet50 memory") << QByteArray("resnet50") << "memory" << 118 << "406.125";
    QTest::newRow("resnet50 cost-aware") << QByteArray("resnet50") << "cost-aware" << 85 << "406.125";
    QTest::newRow("resnet101 speed") << QByteArray("resnet101") << "speed" << 169 << "455.125";
    QTest::newRow("resnet101 memory") << QByteArray("resnet101") << "memory" << 237 << "406.125";
    QTest::newRow("resnet101 cost-aware") << QByteArray("resnet101") << "cost-aware" << 170 << "406.125";
  }
  void table1IsTheOracles() {
    QFETCH(QByteArray, net);
    QFETCH(QString, mode);
    QFETCH(int, extra);
    QFETCH(QString, mib);
    const json& row = rowOf(m_found["recompute"], net.constData(), "mode", mode.toStdString());
    QVERIFY(!row.is_null());
    QCOMPARE(row["extra_forwards"].get<int>(), extra);
    QCOMPARE(QString::number(row["scheduled_bytes"].get<double>() / (1 << 20), 'f', 3), mib);
  }

  void everyStepIsTheOracles() {
    const QList<QByteArray> lines = readAll(m_folder.filePath("first/alexnet_steps.csv")).split('\n');
    QCOMPARE(lines.size(), 1 + 46 + 1);
    QFile file(QStringLiteral(PEAKSCOPE_SOURCE_DIR "/tests/oracle/alexnet.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const json oracle = json::parse(file.readAll().toStdString());
    int column = 3;   // behind step, layer, phase
    for (const char* name : {"baseline", "liveness", "conv_prefetch", "conv_prefetch_cost"}) {
      const json& live = oracle["configs"][name]["live"];
      const json& inStep = oracle["configs"][name]["peak_in_step"];   // null: nothing is rebuilt
      QCOMPARE(live.size(), std::size_t{46});
      for (int i = 0; i < 46; ++i) {
        const QList<QByteArray> cells = lines[i + 1].trimmed().split(',');
        const auto at = static_cast<std::size_t>(i);
        QCOMPARE(cells[0].toInt(), i + 1);
        QCOMPARE(cells[column].toLongLong(), live[at].get<qint64>());
        QCOMPARE(cells[column + 1].toLongLong(), (inStep.is_null() ? live : inStep)[at].get<qint64>());
      }
      column += 2;
    }
  }

  void theCacheMovesNothingWhileEverythingFits() {
    bool isUnderPressure = false;
    for (const json& row : m_found["traffic"]) {
      if (row["cached_bytes"].is_null()) continue;
      if (row["batch"] <= 1024) QCOMPARE(row["cached_bytes"].get<qint64>(), 0);
      if (row["cached_bytes"] > 0) isUnderPressure = true;
      if (!row["eager_bytes"].is_null()) QVERIFY(row["cached_bytes"] <= row["eager_bytes"]);
    }
    QVERIFY2(isUnderPressure, "the table ends before the cache has anything to do");
  }

  void aLargestBatchIsWhatFitFinds() {
    const json fit = runCli({"fit", "vgg16", "--lowering", "paper", "--device", "k40c", "--policy", "torch-like", "--json"}).json();
    bool isThere = false;
    for (const json& net : m_found["largest_batch"])
      if (net["net"] == "vgg16")
        for (const json& limit : net["policies"])
          if (limit["policy"] == "torch-like") {
            QCOMPARE(limit["batch"].get<qint64>(), fit["batch"].get<qint64>());
            isThere = true;
          }
    QVERIFY(isThere);
  }

  void aLargerBudgetNeverSlowsAConvolution() {
    std::vector<qint64> times;
    for (const json& budget : m_found["workspaces"]) {
      qint64 sum = 0;
      for (const json& choice : budget["choices"]) sum += choice["time_ns"].get<qint64>();
      times.push_back(sum);
    }
    QVERIFY(times.size() >= 3);
    QVERIFY(std::is_sorted(times.rbegin(), times.rend()));
    QVERIFY(times.back() < times.front());
  }

  void everyTableHasItsRows_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("rows");
    QTest::newRow("peaks") << "alexnet_peaks.csv" << 4;
    QTest::newRow("recompute") << "recompute.csv" << 9;
    QTest::newRow("largest batch") << "largest_batch.csv" << 6 * 6;
    QTest::newRow("deepest") << "deepest_resnet.csv" << 6;
    QTest::newRow("workspaces") << "alexnet_workspaces.csv" << 10 * 4;
    QTest::newRow("pool") << "pool.csv" << 6;
  }
  void everyTableHasItsRows() {
    QFETCH(QString, name);
    QFETCH(int, rows);
    const QByteArray text = readAll(m_folder.filePath("first/" + name));
    QCOMPARE(text.count('\n'), 1 + rows);
    const QList<QByteArray> lines = text.split('\n');
    for (int i = 1; i < rows; ++i) {
      // Quoted fields may hold commas.
      static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\""));
      const auto columns = [&](int line) { return QString::fromUtf8(lines[line]).remove(quoted).count(','); };
      QCOMPARE(columns(i), columns(0));
    }
  }

  void theDefaultFolderIsHereAndGetsTheSameBytes() {
    QCOMPARE(m_second.exitCode, 0);
    QCOMPARE(m_second.out.count('\n'), 9);
    const QDir first(m_folder.filePath("first")), second(m_folder.filePath("peakscope-reproduction"));
    QCOMPARE(first.entryList(QDir::Files), second.entryList(QDir::Files));
    QCOMPARE(first.entryList(QDir::Files).size(), 9);
    for (const QString& name : first.entryList(QDir::Files)) QVERIFY2(readAll(first.filePath(name)) == readAll(second.filePath(name)), qPrintable(name));
  }

  void nothingWrittenHasAPathOrADate() {
    const QDir folder(m_folder.filePath("first"));
    static const QRegularExpression date(QStringLiteral("20[2-9][0-9]-[01][0-9]"));
    for (const QString& name : folder.entryList(QDir::Files)) {
      const QString text = QString::fromUtf8(readAll(folder.filePath(name)));
      QVERIFY2(!text.contains(m_folder.path()) && !text.contains(QStringLiteral(PEAKSCOPE_SOURCE_DIR)), qPrintable(name));
      QVERIFY2(!text.contains(date), qPrintable(name));
    }
  }

  void aFolderThatCannotBeMadeIsNamedBeforeAnythingIsPlanned() {
    const QString file = m_folder.filePath("a-file");
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    QCOMPARE(errorProblem(runCli({"reproduce", "--out", file}), 3, "a-file"), QByteArray());
    QCOMPARE(errorProblem(runCli({"reproduce", "--out", file + "/below"}), 3, "a-file/below"), QByteArray());
    QCOMPARE(QFileInfo(file).size(), 0);
  }
  void wrongUseIsExitCodeTwo() {
    QCOMPARE(errorProblem(runCli({"reproduce", "--out", ""}), 2, "empty"), QByteArray());
    QCOMPARE(errorProblem(runCli({"reproduce", "alexnet"}), 2, "alexnet"), QByteArray());
    QCOMPARE(errorProblem(runCli({"reproduce", "--out"}), 2, "--out"), QByteArray());
  }

 private:
  QTemporaryDir m_folder;
  json m_found;
  CliResult m_second;
};

PEAKSCOPE_TEST(ReproduceTest)
#include "reproduce_test.moc"
