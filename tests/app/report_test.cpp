// SPDX-License-Identifier: Apache-2.0
//
// report: every format, and the same bytes from the same trace.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <map>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

namespace {

QByteArray readAll(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::map<QString, QByteArray> filesBelow(const QString& folder) {
  std::map<QString, QByteArray> all;
  QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (it.hasNext()) {
    const QString path = it.next();
    all[QDir(folder).relativeFilePath(path)] = readAll(path);
  }
  return all;
}

}  // namespace

class ReportTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const CliResult result = runCli({"train", "lenet", "--data", bundledData, "--batch", "200", "--epochs", "1", "--json", "--trace", trace()});
    QCOMPARE(result.exitCode, 0);
    m_lines = result.jsonLines();
  }

  void everyFormatIsWrittenAndNamed() {
    const QString folder = m_folder.filePath("one");
    const CliResult result = reportInto(folder);
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(result.out.count('\n'), 6);
    const auto files = filesBelow(folder);
    QVERIFY(files.at("run.html").startsWith("<!doctype html>") && files.at("run.html").contains("lenet"));
    for (const char* name : {"csv/events.csv", "csv/steps.csv", "csv/runs.csv"}) QVERIFY2(files.at(name).count('\n') >= 2, name);
    for (const char* name : {"memory", "memory-total", "lanes", "loss", "accuracy"}) {
      const QString base = QString::fromLatin1(name);
      QVERIFY2(files.at("svg/" + base + ".svg").contains("<svg"), name);
      QVERIFY2(files.at("pdf/" + base + ".pdf").startsWith("%PDF"), name);
      QVERIFY2(files.at("png/" + base + ".png").startsWith("\x89PNG"), name);
    }
  }

  void theSummaryIsWhatTheRunSaid() {
    const QString path = m_folder.filePath("summary.json");
    QCOMPARE(runCli({"report", trace(), "--json", path}).exitCode, 0);
    const auto summary = nlohmann::json::parse(readAll(path).toStdString());
    QVERIFY(summary["iterations"] == m_lines.back()["iterations"]);
    QVERIFY(summary["peak"]["scheduled_bytes"] == m_lines.back()["measured_peak_scheduled_bytes"]);
    QVERIFY(summary["last_accuracy"] == m_lines.back()["accuracy"]);
    QVERIFY(summary["proof"]["first_difference"].is_null());
  }

  void theSameTraceGivesTheSameBytes() {
    const QByteArray before = readAll(trace());
    QCOMPARE(reportInto(m_folder.filePath("first")).exitCode, 0);
    QCOMPARE(reportInto(m_folder.filePath("second")).exitCode, 0);
    const auto first = filesBelow(m_folder.filePath("first")), second = filesBelow(m_folder.filePath("second"));
    QVERIFY(first.size() >= 15);
    QCOMPARE(first.size(), second.size());
    for (const auto& [name, bytes] : first) QVERIFY2(second.at(name) == bytes, qPrintable(name));
    QVERIFY2(readAll(trace()) == before, "the trace was changed by reading it");
  }

  void anOlderReportIsReplaced() {
    const QString folder = m_folder.filePath("again");
    QCOMPARE(reportInto(folder).exitCode, 0);
    const auto before = filesBelow(folder);
    QCOMPARE(reportInto(folder).exitCode, 0);
    QVERIFY(filesBelow(folder) == before);
  }

  void aLinkIsFollowedNotReplaced() {
    const QString link = m_folder.filePath("link.json"), file = m_folder.filePath("linked.json");
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(file, link));
    QCOMPARE(runCli({"report", trace(), "--json", link}).exitCode, 0);
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(readAll(file).startsWith("{"));
  }

 private:
  [[nodiscard]] QString trace() const { return m_folder.filePath("run.peakscope"); }
  [[nodiscard]] CliResult reportInto(const QString& folder) const {
    QDir().mkpath(folder);
    const QDir to(folder);
    return runCli({"report", trace(), "--html", to.filePath("run.html"), "--csv", to.filePath("csv"), "--json", to.filePath("run.json"), "--svg", to.filePath("svg"),
                   "--pdf", to.filePath("pdf"), "--png", to.filePath("png")});
  }

  QTemporaryDir m_folder;
  nlohmann::json m_lines;
};

PEAKSCOPE_TEST(ReportTest)
#include "report_test.moc"
