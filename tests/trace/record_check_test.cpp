// SPDX-License-Identifier: Apache-2.0
//
// RecordCheck refuses whatever a fold would trip over, and goes on afterwards.
#include <functional>

#include "memory/trace/record_check.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"

using namespace peakscope;

namespace {

using Records = std::vector<LogRecord>;
struct Case {
  const char* name;
  std::size_t record;                          ///< of tinyRecords: 0 session, 1 plan, 2 steps, 3 iteration, 6 epoch
  std::function<void(LogRecord&)> spoil;
};

template <class T, class Spoil>
Case spoilt(const char* name, std::size_t record, Spoil spoil) {
  return {name, record, [spoil](LogRecord& r) { spoil(std::get<T>(r)); }};
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      spoilt<SessionStarted>("an alignment of nothing", 0, [](auto& s) { s.device.alignment = Bytes{0}; }),
      spoilt<SessionStarted>("an alignment of three", 0, [](auto& s) { s.device.alignment = Bytes{3}; }),
      spoilt<SessionStarted>("an infinitely fast link", 0, [](auto& s) { s.device.linkBytesPerSecond = std::numeric_limits<double>::infinity(); }),
      spoilt<SessionStarted>("a tensor of no layer", 0, [](auto& s) { s.workload.tensors[TensorId{0}].layer = LayerId{99}; }),
      spoilt<SessionStarted>("a tensor of more bytes than there are", 0, [](auto& s) { s.workload.tensors[TensorId{0}].bytes = Bytes{INT64_MAX}; }),
      spoilt<SessionStarted>("an op without candidates", 0, [](auto& s) { s.workload.ops[OpId{1}].candidates.clear(); }),
      spoilt<SessionStarted>("a route through nothing", 0, [](auto& s) { s.workload.route.push_back(OpId{999}); }),
      spoilt<PlanInstalled>("plan 7 is the first", 1, [](auto& p) { p.plan = 7; }),
      spoilt<PlanInstalled>("a plan of another workload", 1, [](auto& p) { p.value.persistentOffsets.resize(1); }),
      spoilt<PlanInstalled>("a plan that allocates twice", 1, [](auto& p) { p.value.steps.insert(p.value.steps.begin(), p.value.steps.front()); }),
      spoilt<PlanInstalled>("a plan that frees what is not there", 1, [](auto& p) { p.value.steps.insert(p.value.steps.begin(), {FreeStep{TensorId{4}}, 0, {}}); }),
      spoilt<PlanInstalled>("a wait for a later step", 1, [](auto& p) { p.value.steps.push_back({WaitStep{Lane::Compute, PlanStepId{1000}}, 0, {}}); }),
      spoilt<PlanInstalled>("a candidate that is not there", 1, [](auto& p) { p.value.steps.push_back({RunStep{OpId{1}, 5, {}}, 0, {}}); }),
      spoilt<PlanInstalled>("a plan that runs nothing", 1, [](auto& p) { p.value.steps.clear(); }),
      spoilt<StepsDone>("steps of plan 3", 2, [](auto& s) { s.plan = 3; }),
      spoilt<StepsDone>("more steps than the plan has", 2, [](auto& s) { s.times.resize(s.times.size() + 1); }),
      spoilt<StepsDone>("steps from -1", 2, [](auto& s) { s.first = PlanStepId{-1}; }),
      spoilt<StepsDone>("a step that ends before it begins", 2, [](auto& s) { s.times.front() = {5, 4}; }),
      spoilt<StepsDone>("a step in a thousand years", 2, [](auto& s) { s.times.front().endNs = INT64_MAX; }),
      spoilt<StepsDone>("a size of a step that is not there", 2, [](auto& s) { s.deviations.push_back({PlanStepId{5000}, Bytes{1}}); }),
      spoilt<IterationDone>("an iteration of plan -1", 3, [](auto& d) { d.plan = -1; }),
      spoilt<IterationDone>("iteration -1", 3, [](auto& d) { d.iteration = -1; }),
      spoilt<IterationDone>("a negative peak", 3, [](auto& d) { d.measuredPeakTotal = Bytes{-1}; }),
      spoilt<EpochDone>("an accuracy of 120 %", 6, [](auto& e) { e.accuracy = 1.2; }),
  };
  return all;
}

}  // namespace

class RecordCheckTest : public QObject {
  Q_OBJECT
 private slots:
  void aSoundStreamPasses() {
    RecordCheck check;
    for (const LogRecord& record : test::tinyRecords(test::tinyWorkload())) QVERIFY2(!check.add(record), check.add(record).value_or("").c_str());
  }

  void whatAFoldWouldTripOverIsRefused_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(cases().size()); ++i) QTest::newRow(cases()[static_cast<std::size_t>(i)].name) << i;
  }
  void whatAFoldWouldTripOverIsRefused() {
    QFETCH(int, index);
    const Case& c = cases()[static_cast<std::size_t>(index)];
    Records records = test::tinyRecords(test::tinyWorkload());
    const LogRecord sound = records[c.record];
    c.spoil(records[c.record]);
    RecordCheck check;
    for (std::size_t i = 0; i < c.record; ++i) QVERIFY(!check.add(records[i]));
    QVERIFY(check.add(records[c.record]).has_value());
    QVERIFY(!check.add(sound));   // a bad record leaves no mark
  }

  void iterationsRunForwards() {
    const Records records = test::tinyRecords(test::tinyWorkload());
    RecordCheck check;
    for (std::size_t i = 0; i < 6; ++i) QVERIFY(!check.add(records[i]));
    for (const std::size_t earlier : {2U, 3U, 5U}) QVERIFY(check.add(records[earlier]).has_value());
  }
};
PEAKSCOPE_TEST(RecordCheckTest)
#include "record_check_test.moc"
