// SPDX-License-Identifier: Apache-2.0
//
// The page and the tables of the reproduction, from made-up values: they write what they are given, and nothing else.
#include <QTemporaryDir>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "memory/report/reproduction/page.h"
#include "memory/report/reproduction/tables.h"
#include "memory/report/reproduction/write.h"
#include "tests/support/markup.h"
#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

Bytes mib(std::int64_t count) { return Bytes{count * bytesPerMiB}; }

/// Two steps, two configurations, one of everything else.
Reproduction small(const std::string& net = "tiny") {
  Reproduction r{.device = "Toy", .costs = "modelled for Toy", .budget = mib(1024), .nativeAllocNs = 1000};
  r.steps = {.net = net, .batch = 8, .layers = {"conv1", "conv1"}, .phases = {Phase::Forward, Phase::Backward}, .curves = {}};
  r.steps.curves.push_back({"nothing freed", "none", {mib(8), mib(8)}, {mib(8), mib(8)}, mib(8), 1, {8, 3, Mark::RecollectedEqual}, std::nullopt});
  r.steps.curves.push_back({"liveness", "liveness", {mib(2), mib(4)}, {mib(2), mib(6)}, mib(6), 2, {6.5, 3, Mark::Recollected}, Published{20, 2, Mark::Recollected}});
  r.recompute.push_back({net, "speed", 8, 3, mib(5), "conv1 backward", {3, 0, Mark::RecollectedEqual}, {4.5, 1, Mark::Recollected}});
  r.policies = {{"caffe-like", "Caffe", ""}, {"superneurons", "SuperNeurons", "offload checkpoints, prefetch on-demand"}};
  r.batches.push_back({net, {{"caffe-like", 0, {}, "does not fit, at all", std::nullopt}, {"superneurons", 64, mib(1000), "does not fit", Published{60, 0, Mark::Recollected}}}});
  r.depth = {"resnet:1,1,n3,1", {{"caffe-like", 50, mib(1000), "", Published{148, 0, Mark::Recollected}}, {"superneurons", 150, mib(1000), "", std::nullopt}}};
  r.depthBatch = 16;
  r.depthRatio = {3.2432, 4, Mark::Paper};
  r.trafficNet = net;
  r.traffic = {{8, mib(40), Bytes{}, 0}, {16, std::nullopt, mib(80), 2}};
  r.trafficPerImage = {4.96, 2, Mark::Computed};
  r.workspaces = {net, 8, {mib(10), mib(20)}, {mib(9), mib(19)}, {{1, "conv1", Phase::Forward, {{"implicit", {}, 3'000'000}, {"fft", mib(4), 1'000'000}}}}};
  r.pool.push_back({net, 8, 1'000'000, 2'000'000, 1000, std::nullopt, std::nullopt, {1.7, 1, Mark::Recollected}});
  return r;
}

std::size_t countOf(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

class ReproductionPageTest : public QObject {
  Q_OBJECT
 private slots:
  void everyElementIsClosed() { QCOMPARE(test::markupProblem(reproductionPage(small())), std::string{}); }
  void nothingFoundIsStillAPage() { QCOMPARE(test::markupProblem(reproductionPage({})), std::string{}); }
  void thePageNeedsNoNetworkAndNoScript() {
    const std::string page = reproductionPage(small());
    QCOMPARE(countOf(page, "http://"), countOf(page, "xmlns=\"http://www.w3.org/2000/svg\""));
    for (const char* word : {"https://", "<script", "<link", "<img", "@import", "src=", " href="}) QVERIFY2(page.find(word) == std::string::npos, word);
  }
  void theSameValuesGiveTheSameBytes() { QCOMPARE(reproductionPage(small()), reproductionPage(small())); }
  void nastyNamesStayText() {
    const std::string page = reproductionPage(small("</style></svg><script>alert(1)</script>"));
    QCOMPARE(test::markupProblem(page), std::string{});
    QVERIFY(page.find("<script") == std::string::npos);
  }

  void oursIsEqualOnlyInEveryPrintedDigit() {
    QVERIFY(isEqualAsPrinted(886.2304, {886.23, 2, Mark::Recollected}));
    QVERIFY(!isEqualAsPrinted(886.2304, {886.385, 3, Mark::Recollected}));
    QVERIFY(!isEqualAsPrinted(406.125, {401, 0, Mark::Recollected}));
  }
  void differencesAreShownWithTheirSign() {
    const std::string page = reproductionPage(small());
    QVERIFY(page.find("−0.500") != std::string::npos);   // 6 against 6.5
    QVERIFY(page.find("+0.5<") != std::string::npos);    // 5 against 4.5
  }
  void figuresMetAreCounted() {
    const Agreement agreed = agreement(small());
    QCOMPARE(agreed.figures, 4);   // two peaks, one count, one peak
    QCOMPARE(agreed.equal, 2);
  }
  void theDeepestIsComparedWithTheBestOther() { QCOMPARE(depthRatio(small()), 3.0); }

  void everyTableHasOneHeadAndItsRows() {
    const std::vector<std::pair<std::string, std::size_t>> rows{{"alexnet_steps.csv", 2},   {"alexnet_peaks.csv", 2},      {"recompute.csv", 1}, {"largest_batch.csv", 2},
                                                                {"deepest_resnet.csv", 2}, {"alexnet_traffic.csv", 2}, {"alexnet_workspaces.csv", 2}, {"pool.csv", 1}};
    const auto tables = reproductionTables(small());
    QCOMPARE(tables.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      QCOMPARE(tables[i].name, rows[i].first);
      QCOMPARE(countOf(tables[i].text, "\r\n"), rows[i].second + 1);
    }
  }
  void theSummaryHasEveryResult() {
    const auto json = nlohmann::json::parse(reproductionJson(small()));
    for (const char* key : {"agreement", "peaks", "recompute", "largest_batch", "deepest", "traffic", "workspaces", "pool"}) QVERIFY2(json.contains(key), key);
    QVERIFY(json["traffic"][1]["eager_bytes"].is_null());
    QCOMPARE(json["pool"][0]["ratio"].get<double>(), 2.0);
  }
  void allFilesAreWritten() {
    const QTemporaryDir folder;
    const std::filesystem::path out = std::filesystem::path(folder.path().toStdString()) / "below" / "out";
    const auto names = writeReproduction(out, small());
    QVERIFY(names.has_value());
    QCOMPARE(names->front(), std::string{"index.html"});
    QCOMPARE(names->size(), std::size_t{9});
    for (const std::string& name : *names) QVERIFY2(std::filesystem::file_size(out / name) > 0, name.c_str());
  }
};

PEAKSCOPE_TEST(ReproductionPageTest)

}  // namespace peakscope::report

#include "reproduction_page_test.moc"
