// SPDX-License-Identifier: Apache-2.0
//
// A trace that cannot be written: one line, once; what was committed stays readable, and nobody else's file is touched.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "memory/trace/trace_recorder.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"
#include "tests/trace/trace_folder.h"

using namespace peakscope;
using test::areEqual;
using test::TraceFolder;

namespace {

/// Runs `work` in a process that cannot write files beyond `bytes`; what it returns, as exit code.
int withFullDisk(rlim_t bytes, const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expectRefusal(const std::filesystem::path& path, ErrorKind kind, const char* words) {
  const auto writer = TraceWriter::create(path);
  QVERIFY(!writer.has_value());
  QCOMPARE(writer.error().kind, kind);
  QVERIFY2(writer.error().message.find(words) != std::string::npos, writer.error().message.c_str());
}

}  // namespace

class WriteFailureTest : public QObject {
  Q_OBJECT
 private slots:
  void targetsThatAreNoTracesAreLeftAlone() {
    const TraceFolder folder;
    std::ofstream(folder / "thesis.txt") << "forty pages";
    expectRefusal(folder / "thesis.txt", ErrorKind::BadInput, "is not a trace");
    QCOMPARE(std::filesystem::file_size(folder / "thesis.txt"), std::uintmax_t{11});
    std::filesystem::create_directory(folder / "folder");
    expectRefusal(folder / "folder", ErrorKind::BadInput, "name a file");
    expectRefusal(folder / "nowhere/run.peakscope", ErrorKind::DeviceFailed, "cannot be created");
    expectRefusal(folder / "thesis.txt/run.peakscope", ErrorKind::DeviceFailed, "cannot be created");
  }

  void aFullDiskIsSaidOnceAndWhatWasCommittedStays() {
    const TraceFolder folder;
    const auto path = folder / "run.peakscope";
    const auto records = test::tinyRecords(test::tinyWorkload());
    const int failures = withFullDisk(400'000, [&] {
      auto writer = TraceWriter::create(path);
      if (!writer) return 100;
      int said = 0;
      for (const LogRecord& record : records)
        if (!writer->append(record)) return 101;
      if (!writer->commit()) return 102;
      for (int i = 0; i < 2000; ++i) {
        const auto written = writer->append(Notice{Notice::Severity::Info, std::string(1000, 'x'), 0, {}});
        if (!written && written.error().kind == ErrorKind::DeviceFailed && written.error().message.find("run.peakscope") != std::string::npos) ++said;
      }
      return said;
    });
    QCOMPARE(failures, 1);
    const auto trace = readTrace(path);
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY(trace->records.size() >= records.size());
    QVERIFY(areEqual({trace->records.begin(), trace->records.begin() + static_cast<std::ptrdiff_t>(records.size())}, records));
  }

  void anOldTraceComesBackIfNoNewOneCanBeMade() {
    const TraceFolder folder;
    const auto records = test::tinyRecords(test::tinyWorkload());
    const auto path = folder.write("run.peakscope", records);
    QCOMPARE(withFullDisk(0, [&] { return TraceWriter::create(path) ? 0 : 1; }), 1);
    const auto trace = readTrace(path);
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY(areEqual(trace->records, records));
  }

  void anOldTraceOfAKilledRunComesBackWithItsLog() {
    const TraceFolder folder;
    const auto path = folder / "run.peakscope";
    const auto records = test::tinyRecords(test::tinyWorkload());
    const pid_t child = fork();
    if (child == 0) {
      auto writer = TraceWriter::create(path);
      for (const LogRecord& record : records) (void)writer->append(record);
      (void)writer->commit();
      ::raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    QVERIFY(std::filesystem::exists(path.string() + "-wal"));
    std::ofstream(path.string() + ".old") << "mine";
    QCOMPARE(withFullDisk(0, [&] { return TraceWriter::create(path) ? 0 : 1; }), 1);
    const auto trace = readTrace(path);
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY(areEqual(trace->records, records));
    QCOMPARE(std::filesystem::file_size(path.string() + ".old"), std::uintmax_t{4});
  }

  void aRecorderTellsWhoWaits() {
    const TraceFolder folder;
    QCOMPARE(withFullDisk(400'000, [&] {
               EventLog log;
               int told = 0;
               auto recorder = TraceRecorder::start(log, folder / "run.peakscope", [&told] { ++told; });
               if (!recorder) return 100;
               for (const LogRecord& record : test::tinyRecords(test::tinyWorkload())) log.append(record);
               for (int i = 0; i < 2000; ++i) log.append(Notice{Notice::Severity::Info, std::string(1000, 'x'), 0, {}});
               log.close();
               (*recorder)->finish();
               return (*recorder)->problem() ? told : 101;
             }),
             1);
  }
};
PEAKSCOPE_TEST(WriteFailureTest)
#include "write_failure_test.moc"
