// SPDX-License-Identifier: Apache-2.0
#include "memory/report/replan.h"

#include "memory/report/report_facts.h"
#include "tests/support/tiny_run.h"
#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

std::vector<std::string> namesOf(const Replanned& replanned) {
  std::vector<std::string> names;
  for (const TechniqueRow& row : replanned.rows) names.push_back(row.name);
  return names;
}
std::vector<LogRecord> recordsWith(const PolicyOptions& options) {
  auto records = test::tinyRecords(test::tinyWorkload());
  for (LogRecord& record : records)
    if (auto* installed = std::get_if<PlanInstalled>(&record)) installed->value.options = options;
  return records;
}

}  // namespace

class ReplanTest : public QObject {
  Q_OBJECT
 private slots:
  void oneTechniqueComesAfterTheOther() {
    const Replanned replanned = replan(test::historyOf(recordsWith({.techniques = {.liveness = true, .offload = true, .recompute = true}})));
    QCOMPARE(namesOf(replanned), (std::vector<std::string>{"keep everything", "liveness", "offload and prefetch", "recompute"}));
    for (const TechniqueRow& row : replanned.rows) QVERIFY2(row.refused.empty(), row.refused.c_str());
    QVERIFY(replanned.rows[1].scheduledPeak < replanned.rows[0].scheduledPeak);
    QVERIFY(replanned.rows[2].copied > Bytes{0});
    QVERIFY(replanned.rows[3].extraForwards > 0);
  }
  void withTheCacheNothingIsCopiedThatFits() {
    const Replanned replanned = replan(test::historyOf(recordsWith({})));
    QCOMPARE(namesOf(replanned), (std::vector<std::string>{"keep everything", "liveness", "recompute", "tensor cache"}));
    QCOMPARE(replanned.rows.back().copied.count(), std::int64_t{0});
  }
  void techniquesThatAreOffAreLeftOut() {
    PolicyOptions options;
    options.techniques.offload = options.techniques.cache = false;
    QCOMPARE(namesOf(replan(test::historyOf(recordsWith(options)))), (std::vector<std::string>{"keep everything", "liveness", "recompute"}));
  }
  void keepAllIsEveryScheduledTensorAtOnce() {
    Bytes all;
    for (const Tensor& tensor : test::tinyWorkload().tensors)
      if (isScheduled(tensor.kind)) all += tensor.shapeBytes;
    const Replanned replanned = replan(test::historyOf(recordsWith({})));
    QVERIFY(replanned.baseline.has_value());
    QCOMPARE(replanned.baseline->scheduled.count(), all.count());
  }
  void anotherPolicyIsOneRow() {
    PolicyOptions options;
    options.policy = "liveness";
    QCOMPARE(namesOf(replan(test::historyOf(recordsWith(options)))), (std::vector<std::string>{"keep everything", "liveness"}));
    QCOMPARE(techniquesText(options), std::string{"liveness"});
  }
  void aBudgetThatIsTooSmallDoesNotRefuseTheComparison() {
    PolicyOptions options;
    options.budget = Bytes{1};
    for (const TechniqueRow& row : replan(test::historyOf(recordsWith(options))).rows) QVERIFY(row.refused.empty());
  }
  void anUnknownPolicyIsSaidInItsRow() {
    PolicyOptions options;
    options.policy = "no-such-policy";
    const Replanned replanned = replan(test::historyOf(recordsWith(options)));
    QVERIFY(replanned.rows.back().refused.find("no-such-policy") != std::string::npos);
  }
};
PEAKSCOPE_TEST(ReplanTest)

}  // namespace peakscope::report

#include "replan_test.moc"
