// SPDX-License-Identifier: Apache-2.0
//
// Every reader gets every record in order; only step times of old iterations are dropped, whole, and said.
#include <thread>

#include "memory/event_log.h"
#include "tests/support/test_main.h"

using namespace peakscope;

namespace {

StepsDone piece(std::int64_t iteration, std::size_t times) { return {.iteration = iteration, .plan = 0, .first = PlanStepId{0}, .times = std::vector<StepTime>(times), .deviations = {}}; }
IterationDone done(std::int64_t iteration) {
  IterationDone record;
  record.iteration = iteration;
  return record;
}

/// "s2" step times of iteration 2, "d2" dropped, "i2" done.
std::string namesOf(const std::vector<std::shared_ptr<const LogRecord>>& records) {
  std::string names;
  for (const auto& record : records) {
    if (const auto* steps = std::get_if<StepsDone>(record.get())) names += " s" + std::to_string(steps->iteration);
    if (const auto* dropped = std::get_if<IterationsDropped>(record.get())) names += " d" + std::to_string(dropped->first);
    if (const auto* finished = std::get_if<IterationDone>(record.get())) names += " i" + std::to_string(finished->iteration);
  }
  return names;
}

}  // namespace

class EventLogTest : public QObject {
  Q_OBJECT
 private slots:
  void aLateReaderLearnsOfWholeIterationsThatAreGone() {
    EventLog log(10);
    EventLog::Cursor early, late, middle;
    for (std::int64_t i = 0; i < 4; ++i) {
      log.append(piece(i, 2));
      log.append(piece(i, 2));
      log.append(done(i));
      if (i == 0) QCOMPARE(namesOf(log.readSince(early)), std::string(" s0 s0 i0"));
    }
    QCOMPARE(namesOf(log.readSince(late)), std::string(" d0 i0 d1 i1 s2 s2 i2 s3 s3 i3"));
    QCOMPARE(namesOf(log.readSince(early)), std::string(" d1 i1 s2 s2 i2 s3 s3 i3"));
    log.append(piece(4, 8));
    QCOMPARE(namesOf(log.readSince(late)), std::string(" s4"));
    log.append(piece(4, 8));   // more than is kept, but it is the only one there is
    QCOMPARE(namesOf(log.readSince(middle)), std::string(" d0 i0 d1 i1 d2 i2 d3 i3 s4 s4"));
  }

  void aReaderInTheMiddleOfAnIterationLearnsOfItToo() {
    EventLog log(4);
    EventLog::Cursor cursor;
    log.append(piece(0, 2));
    QCOMPARE(namesOf(log.readSince(cursor)), std::string(" s0"));
    log.append(piece(0, 2));
    log.append(piece(1, 2));
    QCOMPARE(namesOf(log.readSince(cursor)), std::string(" d0 s1"));
  }

  void waitingEndsWithARecordATimeOrTheEnd() {
    EventLog log;
    EventLog::Cursor cursor;
    QCOMPARE(log.waitForMore(cursor, std::chrono::milliseconds(1)), EventLog::News::None);
    std::thread writer([&] {
      for (std::int64_t i = 0; i < 1000; ++i) log.append(done(i));
      log.close();
    });
    std::size_t count = 0;
    while (log.waitForMore(cursor)) count += log.readSince(cursor).size();
    writer.join();
    QCOMPARE(count, std::size_t{1000});
    QCOMPARE(log.waitForMore(cursor, std::chrono::milliseconds(1)), EventLog::News::Closed);
    cursor = {};
    QCOMPARE(log.waitForMore(cursor, std::chrono::milliseconds(1)), EventLog::News::More);
  }
};
PEAKSCOPE_TEST(EventLogTest)
#include "event_log_test.moc"
