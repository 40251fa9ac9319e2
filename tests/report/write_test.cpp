// SPDX-License-Identifier: Apache-2.0
#include "memory/report/write_report.h"

#include <QTemporaryDir>
#include <fstream>
#include <iterator>

#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

namespace fs = std::filesystem;

std::string readAll(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}
std::ptrdiff_t filesIn(const fs::path& folder) { return std::distance(fs::directory_iterator{folder}, fs::directory_iterator{}); }

}  // namespace

class WriteTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }
  void aFileIsReplacedAsAWhole() {
    QVERIFY(writeFile(path("a"), std::string_view{"old"}).has_value());
    QVERIFY(writeFile(path("a"), std::string_view{"new"}).has_value());
    QCOMPARE(readAll(path("a")), std::string{"new"});
    QCOMPARE(filesIn(path("")), std::ptrdiff_t{1});
  }
  void aFailedWriteLeavesWhatWasThere() {
    QVERIFY(writeFile(path("a"), std::string_view{"old"}).has_value());
    const auto failed = writeFile(path("a"), [](std::ostream& out) {
      out << "half";
      out.setstate(std::ios::badbit);   // as a full disk does
    });
    QVERIFY(!failed.has_value());
    QVERIFY(failed.error().kind == ErrorKind::DeviceFailed);
    QVERIFY(failed.error().message.find(path("a").string()) != std::string::npos);
    QVERIFY(failed.error().message.find('\n') == std::string::npos);
    QCOMPARE(readAll(path("a")), std::string{"old"});
    QCOMPARE(filesIn(path("")), std::ptrdiff_t{1});
  }
  void aMissingFolderIsNamed() {
    const auto failed = writeFile(path("no/such/a"), std::string_view{"x"});
    QVERIFY(!failed.has_value());
    QVERIFY(failed.error().message.find("No such file or directory") != std::string::npos);
  }
  void aFolderInTheWayIsNamed() {
    fs::create_directory(path("a"));
    std::ofstream{path("a/b")} << "x";
    QVERIFY(!writeFile(path("a"), std::string_view{"x"}).has_value());
    QCOMPARE(filesIn(path("")), std::ptrdiff_t{1});
  }
  void everyOutputIsWritten() {
    const auto history = test::historyOf(test::tinyRecords(test::tinyWorkload()));
    const ReportInput input{history, test::tinyReplanned()};
    QVERIFY(writeHtml(path("r.html"), input).has_value());
    QVERIFY(writeSummaryJson(path("r.json"), input).has_value());
    QVERIFY(writeCsv(path("csv"), input).has_value());
    QCOMPARE(filesIn(path("csv")), std::ptrdiff_t{3});
    for (const FigureFormat format : {FigureFormat::Svg, FigureFormat::Pdf, FigureFormat::Png})
      QVERIFY(writeFigures(path("figures"), input, format).has_value());
    QCOMPARE(filesIn(path("figures")), std::ptrdiff_t{21});
  }
  void anUnknownFigureEndingIsRefused() {
    const auto failed = writeFigure(path("a.bmp"), DisplayList{}, 0);
    QVERIFY(!failed.has_value());
    QVERIFY(failed.error().kind == ErrorKind::BadInput);
  }

 private:
  fs::path path(const char* name) const { return fs::path{m_folder->path().toStdString()} / name; }
  std::unique_ptr<QTemporaryDir> m_folder;
};
PEAKSCOPE_TEST(WriteTest)

}  // namespace peakscope::report

#include "write_test.moc"
