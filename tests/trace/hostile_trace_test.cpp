// SPDX-License-Identifier: Apache-2.0
//
// Files that are no trace, or no longer one: each gets one line that says what it is and what to do.
#include <sqlite3.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"
#include "tests/trace/trace_folder.h"

using namespace peakscope;
using test::isOneLineAbout;
using test::TraceFolder;

namespace {

std::vector<LogRecord> tinyRecords() { return test::tinyRecords(test::tinyWorkload()); }

void execute(const std::filesystem::path& path, const char* text) {
  sqlite3* database = nullptr;
  if (sqlite3_open(path.string().c_str(), &database) != SQLITE_OK || sqlite3_exec(database, text, nullptr, nullptr, nullptr) != SQLITE_OK) qFatal("%s", text);
  sqlite3_close(database);
}

void expectRefusal(const std::filesystem::path& path, const char* words) {
  const auto trace = readTrace(path);
  QVERIFY(!trace.has_value());
  QCOMPARE(trace.error().kind, ErrorKind::BadInput);
  QVERIFY2(isOneLineAbout(trace.error().message, path.filename().string()), trace.error().message.c_str());
  QVERIFY2(trace.error().message.find(words) != std::string::npos, trace.error().message.c_str());
}

}  // namespace

class HostileTraceTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsNoTraceIsNamed() {
    const TraceFolder folder;
    expectRefusal(folder / "missing.peakscope", "does not exist");
    std::filesystem::create_directory(folder / "folder.peakscope");
    expectRefusal(folder / "folder.peakscope", "is a folder");
    std::ofstream(folder / "empty.peakscope").flush();
    expectRefusal(folder / "empty.peakscope", "is empty");
    std::ofstream(folder / "text.peakscope") << "this is my thesis\n";
    expectRefusal(folder / "text.peakscope", "is not a Peakscope trace");
    execute(folder / "other.peakscope", "CREATE TABLE photos (name TEXT)");
    expectRefusal(folder / "other.peakscope", "is a database, but not a Peakscope trace");
  }

  void aPipeIsNotWaitedFor() {
    const TraceFolder folder;
    QCOMPARE(mkfifo((folder / "pipe.peakscope").c_str(), 0600), 0);
    expectRefusal(folder / "pipe.peakscope", "is not a file");
  }

  void aNewerVersionIsNamed() {
    const TraceFolder folder;
    const auto path = folder.write("newer.peakscope", tinyRecords());
    execute(path, "PRAGMA user_version = 99");
    expectRefusal(path, "newer Peakscope");
  }

  void aFileOfVersionOneIsReadWithWhatItLacksSwitchedOff() {
    const TraceFolder folder;
    const auto path = folder.write("old.peakscope", tinyRecords());
    execute(path, "PRAGMA user_version = 1; ALTER TABLE device DROP COLUMN native_alloc_ns;"
                  "UPDATE plans SET options = json_remove(options, '$.techniques.cache', '$.techniques.workspace', '$.eviction', '$.placement', '$.checkpoint_rule', '$.checkpoints')");
    const auto trace = readTrace(path);
    QVERIFY2(trace.has_value(), trace ? "" : trace.error().message.c_str());
    QVERIFY2(trace->problems.empty(), trace->problems.empty() ? "" : trace->problems.front().c_str());
    QVERIFY(test::areEqual(trace->records, tinyRecords()));
  }

  void viewsAndTriggersAreRefused() {
    const TraceFolder folder;
    const auto path = folder.write("view.peakscope", tinyRecords());
    execute(path, "CREATE VIEW evil AS SELECT * FROM session");
    expectRefusal(path, "views or triggers");
    const auto trigger = folder.write("trigger.peakscope", tinyRecords());
    execute(trigger, "CREATE TRIGGER evil AFTER INSERT ON notices BEGIN DELETE FROM session; END");
    expectRefusal(trigger, "views or triggers");
  }

  void aCutFileGivesWhatIsLeftOrOneLine() {
    const TraceFolder folder;
    const auto path = folder.write("whole.peakscope", tinyRecords());
    const auto size = std::filesystem::file_size(path);
    for (const std::uintmax_t left : {std::uintmax_t{20}, std::uintmax_t{100}, size / 4, size / 2, size - 1}) {
      const auto cut = folder / "cut.peakscope";
      std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
      std::filesystem::resize_file(cut, left);
      const auto trace = readTrace(cut);
      if (trace) QVERIFY(!trace->problems.empty() || test::areEqual(trace->records, tinyRecords()));
      else QVERIFY2(isOneLineAbout(trace.error().message, "cut.peakscope"), trace.error().message.c_str());
    }
  }

  void oneDamagedChunkCostsItsOwnTimesOnly() {
    const TraceFolder folder;
    const auto records = tinyRecords();
    const auto path = folder.write("chunk.peakscope", records);
    execute(path, "UPDATE step_times SET data = x'0011' WHERE iteration = 0");
    const auto trace = readTrace(path);
    QVERIFY(trace.has_value());
    QCOMPARE(trace->records.size(), records.size() - 1);
    QCOMPARE(trace->problems.size(), std::size_t{1});
    QVERIFY(trace->problems[0].find("iteration 0") != std::string::npos);
  }

  void manyProblemsAreCountedNotListed() {
    const TraceFolder folder;
    auto records = tinyRecords();
    for (int i = 0; i < 1000; ++i) records.emplace_back(StateChanged{RunState::Paused, -5, 0});
    const auto trace = readTrace(folder.write("many.peakscope", records));
    QVERIFY(trace.has_value());
    QVERIFY(trace->problems.size() < 30);
    QVERIFY(trace->problems.back().find("more problems") != std::string::npos);
  }
};
PEAKSCOPE_TEST(HostileTraceTest)
#include "hostile_trace_test.moc"
