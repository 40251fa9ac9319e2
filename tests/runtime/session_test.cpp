// SPDX-License-Identifier: Apache-2.0
//
// A session on the virtual backend: commands in, records out, plans changed between iterations, failures as one line.
#include <QtGlobal>

#include "engine/backend_failure.h"
#include "tests/runtime/session_log.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using test::readLog;
using test::readToEnd;
using test::sampleConfig;
using test::SessionRecords;
using test::virtualBackends;

namespace {

PolicyOptions optionsOf(Techniques techniques) {
  PolicyOptions options;
  options.techniques = techniques;
  return options;
}

bool isIteration(const LogRecord& record) { return std::holds_alternative<IterationDone>(record); }
bool isState(const LogRecord& record, RunState state) {
  const auto* changed = std::get_if<StateChanged>(&record);
  return changed != nullptr && changed->state == state;
}

}  // namespace

class SessionTest : public QObject {
  Q_OBJECT
 private slots:
  void aRunOfThreeIterationsTellsItsWholeStory() {
    SessionConfig config = sampleConfig("lenet");
    config.iterations = 3;
    Session session(virtualBackends());
    session.post(Start{config});
    session.post(Run{});
    const SessionRecords records = readToEnd(session.log());
    QVERIFY2(std::holds_alternative<SessionStarted>(records.all.at(0)), records.notices().c_str());
    QCOMPARE(records.states(), (std::vector{RunState::Paused, RunState::Running, RunState::Finished}));
    QCOMPARE(records.of<PlanInstalled>().size(), 1U);
    const auto iterations = records.of<IterationDone>();
    QCOMPARE(iterations.size(), 3U);
    for (const IterationDone& done : iterations) {
      QVERIFY(done.predictedPeakTotal > Bytes{});
      QCOMPARE(done.measuredPeakTotal, done.predictedPeakTotal);
      QCOMPARE(done.measuredPeakScheduled, done.predictedPeakScheduled);
      QCOMPARE(roundUp(done.measuredArenaExtent, test::modelledDevice().alignment), records.of<PlanInstalled>()[0].value.arenaBytes);
    }
    std::size_t steps = 0;
    for (const StepsDone& done : records.of<StepsDone>()) steps += done.times.size();
    QCOMPARE(steps, 3 * records.of<PlanInstalled>()[0].value.steps.size());
  }

  void aSingleStepPausesBehindItsIteration() {
    Session session(virtualBackends());
    EventLog::Cursor cursor;
    SessionRecords records;
    session.post(Start{sampleConfig("lenet")});
    session.post(SingleStep{});
    int pauses = 0;
    readLog(session.log(), cursor, records, [&](const LogRecord& r) { return isState(r, RunState::Paused) && ++pauses == 2; });
    QCOMPARE(records.of<IterationDone>().size(), 1U);
    session.post(SingleStep{});
    readLog(session.log(), cursor, records, [&](const LogRecord& r) { return isState(r, RunState::Paused); });
    QCOMPARE(records.of<IterationDone>().size(), 2U);
  }

  void otherOptionsArePlannedBetweenTwoIterations() {
    SessionConfig config = sampleConfig("minivgg");
    config.options = optionsOf({.liveness = true});
    Session session(virtualBackends());
    EventLog::Cursor cursor;
    SessionRecords records;
    session.post(Start{config});
    session.post(SingleStep{});
    readLog(session.log(), cursor, records, isIteration);
    session.post(ChangeOptions{optionsOf({.liveness = true, .offload = true, .recompute = true})});
    session.post(SingleStep{});
    readLog(session.log(), cursor, records, isIteration);
    const auto plans = records.of<PlanInstalled>();
    QCOMPARE(plans.size(), 2U);
    QCOMPARE(plans[1].plan, 1);
    QCOMPARE(plans[1].fromIteration, 1);
    QCOMPARE(plans[1].value.persistentOffsets, plans[0].value.persistentOffsets);
    QVERIFY(plans[1].value.hostBytes > Bytes{});
    const auto iterations = records.of<IterationDone>();
    QCOMPARE(iterations[1].plan, 1);
    QVERIFY(iterations[1].measuredPeakTotal < iterations[0].measuredPeakTotal);
    QCOMPARE(iterations[1].measuredPeakTotal, iterations[1].predictedPeakTotal);
  }

  void aBudgetThatIsTooSmallIsRefusedAndTheOldPlanGoesOn() {
    Session session(virtualBackends());
    EventLog::Cursor cursor;
    SessionRecords records;
    session.post(Start{sampleConfig("lenet")});
    session.post(SingleStep{});
    readLog(session.log(), cursor, records, isIteration);
    PolicyOptions tooLittle;
    tooLittle.budget = Bytes{1000};
    session.post(ChangeOptions{tooLittle});
    session.post(SingleStep{});
    readLog(session.log(), cursor, records, isIteration);
    QCOMPARE(records.of<PlanInstalled>().size(), 1U);
    QCOMPARE(records.of<IterationDone>()[1].plan, 0);
    QCOMPARE(records.of<Notice>().size(), 1U);
    QVERIFY2(records.notices().starts_with("the old plan goes on: "), records.notices().c_str());
    QVERIFY(records.of<Notice>()[0].severity == Notice::Severity::Warning);
  }

  void aRequestThatDoesNotFitFailsWithItsKind() {
    SessionConfig config = sampleConfig("lenet");
    config.options.budget = Bytes{1000};
    Session session(virtualBackends());
    session.post(Start{config});
    const SessionRecords records = readToEnd(session.log());
    QCOMPARE(records.states(), std::vector{RunState::Failed});
    QVERIFY(records.of<Notice>().at(0).kind == ErrorKind::CannotBeMet);
  }

  void anUnknownNetworkFailsInOneLine() {
    Session session(virtualBackends());
    session.post(Start{sampleConfig("no-such-net")});
    const SessionRecords records = readToEnd(session.log());
    QCOMPARE(records.states(), std::vector{RunState::Failed});
    QVERIFY(records.notices().find("no-such-net") != std::string::npos);
    QVERIFY(records.of<Notice>().at(0).kind == ErrorKind::BadInput);
  }

  void aDeviceThatFailsEndsTheRunNotTheProgram() {
    Session session([](const SessionConfig&) -> Result<std::unique_ptr<Backend>> { throw BackendFailure("the device fell off the bus"); });
    session.post(Start{sampleConfig("lenet")});
    const SessionRecords records = readToEnd(session.log());
    QCOMPARE(records.states(), std::vector{RunState::Failed});
    QCOMPARE(records.notices(), std::string("the device fell off the bus\n"));
    QVERIFY(records.of<Notice>()[0].kind == ErrorKind::DeviceFailed);
  }

  void closingWhileTrainingStopsAtTheIterationBoundary() {
    EventLog::Cursor cursor;
    SessionRecords records;
    auto session = std::make_unique<Session>(virtualBackends());
    session->post(Start{sampleConfig("lenet")});
    session->post(Run{});
    readLog(session->log(), cursor, records, isIteration);
    session->post(Stop{});
    readLog(session->log(), cursor, records);
    QVERIFY(records.states().back() == RunState::Stopped);
    std::size_t steps = 0;
    for (const StepsDone& done : records.of<StepsDone>()) steps += done.times.size();
    QCOMPARE(steps, records.of<IterationDone>().size() * records.of<PlanInstalled>()[0].value.steps.size());
    session.reset();
  }

  void aSlowerLinkTakesLongerAndTheSameBytes() {
    const auto run = [](double link) {
      SessionConfig config = sampleConfig("lenet");
      config.iterations = 2;
      config.linkBytesPerSecond = link;
      Session session(virtualBackends());
      session.post(Start{config});
      session.post(Run{});
      return readToEnd(session.log()).of<IterationDone>().at(1);
    };
    const IterationDone fast = run(1e11), slow = run(1e8);
    QVERIFY(slow.endNs - slow.beginNs > fast.endNs - fast.beginNs);
    QCOMPARE(slow.measuredPeakTotal, fast.measuredPeakTotal);
  }
};
PEAKSCOPE_TEST(SessionTest)
#include "session_test.moc"
