// SPDX-License-Identifier: Apache-2.0
#include "memory/report/html_report.h"
#include "memory/report/summary_json.h"
#include "memory/report/text.h"
#include "tests/support/markup.h"
#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

namespace peakscope::report {
namespace {

std::size_t countOf(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

std::string pageOf(const Workload& workload) {
  const auto history = test::historyOf(test::tinyRecords(workload));
  return *htmlReport({history, test::tinyReplanned()});
}

}  // namespace

class HtmlTest : public QObject {
  Q_OBJECT
 private slots:
  void everyElementIsClosed() { QCOMPARE(test::markupProblem(pageOf(test::tinyWorkload())), std::string{}); }
  void thePageNeedsNoNetworkAndNoScript() {
    const std::string page = pageOf(test::tinyWorkload());
    QCOMPARE(countOf(page, "http://"), countOf(page, "xmlns=\"http://www.w3.org/2000/svg\""));
    QCOMPARE(countOf(page, "https://"), std::size_t{0});
    for (const char* word : {"<script", "<link", "<img", "<iframe", "@import", "src=", " href=", "javascript:"})
      QVERIFY2(page.find(word) == std::string::npos, word);
  }
  void theSameRunGivesTheSameBytes() {
    QCOMPARE(pageOf(test::tinyWorkload()), pageOf(test::tinyWorkload()));
  }
  void theLiveTableAddsUpToTheCurve() {
    const std::string page = pageOf(test::tinyWorkload());
    QCOMPARE(countOf(page, "equals the curve"), std::size_t{2});
    QCOMPARE(countOf(page, "the curve says"), std::size_t{0});
  }
  void theHighestStepIsNamed() {
    // conv1.out + relu1.out + fc1.dx + loss.dx = 3 x 1024 + 64 KiB while fc1 runs backward.
    QVERIFY(pageOf(test::tinyWorkload()).find("3.062 MiB</b><small>step 6, fc1 backward") != std::string::npos);
  }
  void nastyNamesStayText_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("script") << QByteArray{"</style></svg><script>alert(1)</script>"};
    QTest::newRow("quotes") << QByteArray{"\" onload=\"x' y='"};
    QTest::newRow("entities") << QByteArray{"&lt;&#x3c;&amp"};
    QTest::newRow("backslashes") << QByteArray{"C:\\new\\table\\\\"};
    QTest::newRow("control characters") << QByteArray{"a\0b\x01\x1b[31m\r\n\x7f", 13};
    QTest::newRow("invalid utf-8") << QByteArray{"\xC3\x28\xFF\xFE\xED\xA0\x80"};
    QTest::newRow("10,000 characters") << QByteArray{10'000, 'W'};
    QTest::newRow("empty") << QByteArray{};
    QTest::newRow("braces") << QByteArray{"{} {0} %s ${x}"};
    QTest::newRow("cdata") << QByteArray{"]]><!-- -->"};
  }
  void nastyNamesStayText() {
    QFETCH(QByteArray, bytes);
    const std::string nasty = bytes.toStdString();
    Workload w = test::tinyWorkload();
    auto records = test::tinyRecords(w);   // made before the names change: the tiny plan looks tensors up by name
    auto& session = std::get<SessionStarted>(records.front());
    session.workload.net = nasty;
    session.workload.lowering = nasty;
    for (WorkloadLayer& layer : session.workload.layers) layer.name = layer.type = nasty;
    for (Tensor& tensor : session.workload.tensors) tensor.name = nasty;
    session.info.backend = session.info.backendDetail = session.info.commandLine = session.info.data = session.info.timeSource = nasty;
    session.device.name = nasty;
    records.emplace_back(Notice{Notice::Severity::Error, nasty, 1, ErrorKind::BadInput});
    const auto history = test::historyOf(records);
    const ReportInput input{history, test::tinyReplanned()};
    const std::string page = *htmlReport(input);
    QCOMPARE(test::markupProblem(page), std::string{});
    QVERIFY(page.find("<script") == std::string::npos);
    QVERIFY(page.find("onload=\"") == std::string::npos);
    QVERIFY(page.size() < 300'000);
    QCOMPARE(cleanText(page).size() , page.size());   // nothing but valid UTF-8 without control characters
    QVERIFY(nlohmann::json::parse(summaryJson(input, *reportFacts(input)), nullptr, false).is_object());
  }
  void aNetworkOfThousandsOfLayersStaysUnderTwoMegabytes() {
    const auto history = test::historyOf(test::chainRecords(4'000));
    const std::string page = *htmlReport({history, {}});
    QVERIFY2(page.size() < 2'000'000, std::to_string(page.size()).c_str());
    QVERIFY(page.find("the first 800 of 4,000 layers") != std::string::npos);
    QVERIFY(page.find("3,970 more") != std::string::npos);
    QCOMPARE(countOf(page, "equals the curve"), std::size_t{2});
    QCOMPARE(test::markupProblem(page), std::string{});
  }
  void whatWasDroppedIsSaid() {
    auto records = test::tinyRecords(test::tinyWorkload());
    records.emplace_back(IterationsDropped{2, 12'340});
    const auto history = test::historyOf(records);
    QVERIFY(htmlReport({history, {}})->find("12,340 iterations were dropped") != std::string::npos);
  }
  void aDifferenceToThePlanIsSaidFirst() {
    auto records = test::tinyRecords(test::tinyWorkload());
    for (LogRecord& record : records)
      if (auto* done = std::get_if<IterationDone>(&record)) done->measuredPeakTotal += Bytes{64};
    const auto history = test::historyOf(records);
    const std::string page = *htmlReport({history, {}});
    QVERIFY(page.find("Measured bytes differ from the plan") != std::string::npos);
    QVERIFY(page.find("0 bytes apart") == std::string::npos);
  }
  void aRunWithoutASessionIsAnErrorInOneLine() {
    const analysis::RunHistory history;
    const auto page = htmlReport({history, {}});
    QVERIFY(!page.has_value());
    QVERIFY(page.error().message.find('\n') == std::string::npos);
  }
};
PEAKSCOPE_TEST(HtmlTest)

}  // namespace peakscope::report

#include "html_test.moc"
