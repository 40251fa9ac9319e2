// SPDX-License-Identifier: Apache-2.0
#include "memory/report/csv.h"

#include <sstream>

#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

namespace peakscope::report {

class CsvTest : public QObject {
  Q_OBJECT
 private slots:
  void fieldsAreQuotedAfterTheStandard() {
    QCOMPARE(csvField("conv1"), std::string{"conv1"});
    QCOMPARE(csvField("a,b"), std::string{"\"a,b\""});
    QCOMPARE(csvField("say \"x\""), std::string{"\"say \"\"x\"\"\""});
    QCOMPARE(csvField(" pad"), std::string{"\" pad\""});
    QCOMPARE(csvField(""), std::string{});
  }
  void aFormulaBecomesText() {
    for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)"}) QCOMPARE(csvField(formula), std::string{"'"} + formula);
    QCOMPARE(csvField("=A1,\"x\""), std::string{"\"'=A1,\"\"x\"\"\""});
    QVERIFY(csvField("\t=1").find('\'') != std::string::npos);
  }
  void lineBreaksInNamesDoNotBreakLines() {
    QVERIFY(csvField("a\r\nb").find_first_of("\r\n") == std::string::npos);
  }
  void everyLineHasAsManyFieldsAsTheHead() {
    const auto history = test::historyOf(test::tinyRecords(test::tinyWorkload()));
    const ReportInput input{history, test::tinyReplanned()};
    const auto facts = *reportFacts(input);
    std::ostringstream events, steps, runs;
    writeEventsCsv(events, history);
    writeStepsCsv(steps, facts);
    const std::vector<RunRow> rows{{input, facts}};
    writeRunsCsv(runs, rows);
    for (const std::string& text : {events.str(), steps.str(), runs.str()}) {
      std::istringstream in{text};
      std::string line;
      std::ptrdiff_t fields = -1;
      while (std::getline(in, line)) {
        QVERIFY(line.ends_with('\r'));
        bool inQuotes = false;
        std::ptrdiff_t count = 1;
        for (const char c : line) {
          if (c == '"') inQuotes = !inQuotes;
          if (c == ',' && !inQuotes) ++count;
        }
        if (fields < 0) fields = count;
        QCOMPARE(count, fields);
      }
    }
  }
  void eachIterationHasItsEvents() {
    const auto history = test::historyOf(test::tinyRecords(test::tinyWorkload()));
    std::ostringstream out;
    writeEventsCsv(out, history);
    QVERIFY(out.str().find("\r\n0,") != std::string::npos);
    QVERIFY(out.str().find("\r\n1,") != std::string::npos);
  }
};
PEAKSCOPE_TEST(CsvTest)

}  // namespace peakscope::report

#include "csv_test.moc"
