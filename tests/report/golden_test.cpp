// SPDX-License-Identifier: Apache-2.0
//
// Trace in, report out: the whole outputs of the tiny run as text files. The diff is the review. After a wanted change:
// PEAKSCOPE_UPDATE_GOLDEN=1 test_report, then look at `git diff tests/golden/report`.
#include <fstream>
#include <iterator>
#include <sstream>

#include "memory/report/csv.h"
#include "memory/report/html_report.h"
#include "memory/report/lane_chart.h"
#include "memory/report/summary_json.h"
#include "memory/report/svg.h"
#include "memory/report/write_report.h"
#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

std::string goldenPath(const std::string& name) { return std::string{PEAKSCOPE_SOURCE_DIR} + "/tests/golden/report/" + name; }
std::string readAll(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}
void compare(const std::string& name, const std::string& made) {
  if (qEnvironmentVariableIsSet("PEAKSCOPE_UPDATE_GOLDEN")) {
    QVERIFY(writeFile(goldenPath(name), std::string_view{made}).has_value());
    return;
  }
  const std::string golden = readAll(goldenPath(name));
  if (made == golden) return;
  std::istringstream a{golden}, b{made};
  std::string was, is;
  for (int line = 1;; ++line) {
    const bool hasWas = static_cast<bool>(std::getline(a, was));
    const bool hasIs = static_cast<bool>(std::getline(b, is));
    if (hasWas && hasIs && was == is) continue;
    QFAIL(("tests/golden/report/" + name + ", line " + std::to_string(line) + "\nwas: " + was.substr(0, 300) + "\nis:  " + is.substr(0, 300)).c_str());
  }
}

}  // namespace

class GoldenTest : public QObject {
  Q_OBJECT
 public:
  GoldenTest() : m_history(test::historyOf(test::tinyRecords(test::tinyWorkload()))), m_input{m_history, test::tinyReplanned()} {}

 private slots:
  void initTestCase() {
    const auto made = reportFacts(m_input);
    QVERIFY(made.has_value());
    m_facts = *made;
  }
  void everyFigureIsAsReviewed() {
    for (const Figure& figure : figuresOf(m_input, m_facts)) compare(figure.name + ".svg", svgDocument(figure.drawing));
  }
  void theDarkFigureIsAsReviewed() {
    compare("memory-dark.svg", svgDocument(figuresOf(m_input, m_facts).front().drawing, {.theme = Theme::Dark}));
  }
  void thePageIsAsReviewed() { compare("report.html", *htmlReport(m_input)); }
  void theTablesAreAsReviewed() {
    std::ostringstream events, steps, runs;
    writeEventsCsv(events, m_history);
    writeStepsCsv(steps, m_facts);
    const std::vector<RunRow> rows{{m_input, m_facts}};
    writeRunsCsv(runs, rows);
    compare("events.csv", events.str());
    compare("steps.csv", steps.str());
    compare("runs.csv", runs.str());
  }
  void theSummaryIsAsReviewed() { compare("summary.json", summaryJson(m_input, m_facts)); }

 private:
  analysis::RunHistory m_history;
  ReportInput m_input;
  ReportFacts m_facts;
};
PEAKSCOPE_TEST(GoldenTest)

}  // namespace peakscope::report

#include "golden_test.moc"
