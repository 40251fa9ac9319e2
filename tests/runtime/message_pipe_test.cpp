// SPDX-License-Identifier: Apache-2.0
//
// A session at the other end of two pipes tells the same as one beside us; a peer that speaks something else is an error.
#include <unistd.h>

#include <array>
#include <thread>

#include "engine/runtime/message_pipe.h"
#include "tests/runtime/session_log.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using test::SessionRecords;

namespace {

struct Pipe {
  int readEnd = -1, writeEnd = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) qFatal("no pipe");
    readEnd = ends[0];
    writeEnd = ends[1];
  }
};

/// A worker on a thread, as a process would be: it closes its ends when it is done.
struct Worker {
  Pipe commands, records;
  std::thread thread{[this] {
    (void)runOverPipe({.commands = commands.readEnd, .records = records.writeEnd}, test::virtualBackends());
    ::close(records.writeEnd);
  }};
  ~Worker() { thread.join(); }
};

SessionConfig threeIterations() {
  SessionConfig config = test::sampleConfig("lenet");
  config.iterations = 3;
  return config;
}

}  // namespace

class MessagePipeTest : public QObject {
  Q_OBJECT
 private slots:
  void aSessionAcrossAPipeTellsTheSame() {
    SessionRecords here;
    {
      Session session(test::virtualBackends());
      session.post(Start{threeIterations()});
      session.post(Run{});
      here = test::readToEnd(session.log());
    }
    Worker worker;
    PipeSession session({.commands = worker.commands.writeEnd, .records = worker.records.readEnd});
    session.post(Start{threeIterations()});
    session.post(Run{});
    const SessionRecords there = test::readToEnd(session.log());
    QCOMPARE(there.all.size(), here.all.size());
    QCOMPARE(there.states(), here.states());
    QVERIFY(there.of<SessionStarted>().at(0).workload == here.of<SessionStarted>().at(0).workload);
    QVERIFY(there.of<PlanInstalled>().at(0).value == here.of<PlanInstalled>().at(0).value);
    QCOMPARE(there.of<IterationDone>().back().endNs, here.of<IterationDone>().back().endNs);
  }

  void aWindowThatGoesAwayStopsItsWorker() {
    Worker worker;   // its destructor joins: the test ends only if the worker does
    PipeSession session({.commands = worker.commands.writeEnd, .records = worker.records.readEnd});
    session.post(Start{test::sampleConfig("lenet")});
    EventLog::Cursor cursor;
    QVERIFY(session.log().waitForMore(cursor));
  }

  void aPeerThatSpeaksSomethingElseIsAnError() {
    Pipe commands, records;
    const std::string banner = "Welcome to the shell of some machine\n";
    QCOMPARE(::write(records.writeEnd, banner.data(), banner.size()), static_cast<ssize_t>(banner.size()));
    ::close(records.writeEnd);
    {
      PipeSession session({.commands = commands.writeEnd, .records = records.readEnd});
      const SessionRecords told = test::readToEnd(session.log());
      QCOMPARE(told.states(), std::vector{RunState::Failed});
      QVERIFY(told.notices().find("no worker of this version") != std::string::npos);
    }
    ::close(commands.readEnd);
  }

  void aLengthAboveTheCapIsRefusedBeforeAnythingIsAllocated() {
    Pipe pipe;
    const std::array<std::uint8_t, 4> header{0xFF, 0xFF, 0xFF, 0xFF};
    QCOMPARE(::write(pipe.writeEnd, header.data(), header.size()), static_cast<ssize_t>(header.size()));
    QVERIFY(!readMessage(pipe.readEnd).has_value());
    ::close(pipe.writeEnd);
    ::close(pipe.readEnd);
  }
};
PEAKSCOPE_TEST(MessagePipeTest)
#include "message_pipe_test.moc"
