// SPDX-License-Identifier: Apache-2.0
//
// kill -9: the trace opens and holds every committed batch, and what has been said is committed a moment later even if
// nothing more is said.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "memory/trace/trace_recorder.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"
#include "tests/trace/trace_folder.h"

using namespace peakscope;
using test::areEqual;
using test::TraceFolder;

namespace {

/// A process of its own, killed at the latest with this object.
class Child {
 public:
  explicit Child(const std::function<void()>& work) : m_pid(fork()) {
    if (m_pid != 0) return;
    work();
    for (;;) pause();
  }
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void kill() {
    if (m_pid <= 0) return;
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
    m_pid = 0;
  }
  /// Waits for a process that kills itself.
  void wait() {
    ::waitpid(m_pid, nullptr, 0);
    m_pid = 0;
  }

 private:
  pid_t m_pid;
};

std::size_t recordsIn(const std::filesystem::path& path) {
  const auto trace = readTrace(path);
  return trace ? trace->records.size() : 0;
}

}  // namespace

class KilledWriterTest : public QObject {
  Q_OBJECT
 private slots:
  void whatWasCommittedIsThere() {
    const TraceFolder folder;
    const auto path = folder / "run.peakscope";
    const auto records = test::tinyRecords(test::tinyWorkload());
    Child child([&] {
      auto writer = TraceWriter::create(path);
      for (std::size_t i = 0; i < 4; ++i) (void)writer->append(records[i]);
      (void)writer->commit();
      (void)writer->append(records[4]);   // never committed
      ::raise(SIGKILL);
    });
    child.wait();
    const auto trace = readTrace(path);
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY(!trace->wasClosed);
    QVERIFY(trace->problems.empty());
    QVERIFY(areEqual(trace->records, {records.begin(), records.begin() + 4}));
  }

  void aTraceKilledAtOnceMayBeRecordedOver() {
    const TraceFolder folder;
    const auto path = folder / "run.peakscope";
    Child child([&] {
      const auto writer = TraceWriter::create(path);
      ::raise(SIGKILL);
    });
    child.wait();
    const auto records = test::tinyRecords(test::tinyWorkload());
    const auto trace = readTrace(folder.write("run.peakscope", records));
    QVERIFY(trace && areEqual(trace->records, records));
  }

  void aPauseIsCommittedToo() {
    const TraceFolder folder;
    const auto path = folder / "run.peakscope";
    const auto records = test::tinyRecords(test::tinyWorkload());
    // The last record is of the kind that is committed with others, and nothing follows it.
    const std::size_t said = 4;
    QVERIFY(std::holds_alternative<IterationDone>(records[said - 1]));
    Child child([&] {
      EventLog log;
      const auto recorder = TraceRecorder::start(log, path);
      for (std::size_t i = 0; i < said; ++i) log.append(records[i]);
      for (;;) pause();
    });
    QTRY_COMPARE_WITH_TIMEOUT(recordsIn(path), said, 20'000);
    child.kill();
    const auto trace = readTrace(path);
    QVERIFY(trace && !trace->wasClosed);
    QVERIFY(areEqual(trace->records, {records.begin(), records.begin() + static_cast<std::ptrdiff_t>(said)}));
  }
};
PEAKSCOPE_TEST(KilledWriterTest)
#include "killed_writer_test.moc"
