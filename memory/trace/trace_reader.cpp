// SPDX-License-Identifier: Apache-2.0
//
// Reading a trace, which is untrusted input: the schema may hold tables only, every column is checked for its type, every
// record by RecordCheck; what cannot be used is left out and said.
#include <algorithm>
#include <fstream>

#include "memory/trace/database.h"
#include "memory/trace/record_check.h"
#include "memory/trace/step_chunk.h"
#include "memory/trace/trace_file.h"

namespace peakscope {
namespace {

using trace::Database;
using trace::FieldError;
using trace::Statement;

/// Step times that are read, the newest first: 256 MiB. A small file can claim to hold any number of them.
constexpr std::int64_t largestTimesRead = std::int64_t{1} << 24;
/// Problems that are listed one by one.
constexpr std::size_t listedProblems = 20;

struct Numbered {
  std::int64_t sequence;
  LogRecord record;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : m_database(path.string(), Database::Mode::Read) {}

  [[nodiscard]] std::int64_t version() { return m_database.number("PRAGMA user_version"); }
  [[nodiscard]] bool hasOnlyTables() { return m_database.number("SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE '%VIRTUAL%'") == 0; }
  [[nodiscard]] bool isPeakscopes() { return m_database.number("SELECT count(*) FROM sqlite_schema WHERE name IN ('session', 'plan_steps', 'step_times')") == 3; }

  TraceContents read() {
    // One view of a file that may be written to meanwhile: no step times without their plan.
    m_database.execute("BEGIN");
    readSession();
    readPlans();
    readSteps();
    readTable<IterationDone>("iterations");
    readTable<EpochDone>("epochs");
    readTable<StateChanged>("states");
    readTable<Notice>("notices");
    readTable<IterationsDropped>("dropped");
    guarded("closed", [&] { m_contents.wasClosed = m_database.number("SELECT count(*) FROM closed") > 0; });
    std::stable_sort(m_records.begin(), m_records.end(), [](const Numbered& a, const Numbered& b) { return a.sequence < b.sequence; });
    RecordCheck check;
    for (Numbered& numbered : m_records) {
      if (const auto problem = check.add(numbered.record)) report(*problem + "; left out");
      else m_contents.records.push_back(std::move(numbered.record));
    }
    if (m_unlisted > 0) m_contents.problems.push_back("and " + std::to_string(m_unlisted) + " more problems");
    return std::move(m_contents);
  }

 private:
  /// A table that is damaged costs its own records only.
  template <class Work>
  void guarded(const char* table, Work work) {
    try {
      work();
    } catch (const std::exception& error) {   // a wrong column, a damaged page, too little memory
      report(std::string(table) + ": " + error.what() + "; the rest of this table is left out");
    }
  }

  void report(std::string problem) {
    if (m_contents.problems.size() < listedProblems) m_contents.problems.push_back(std::move(problem));
    else ++m_unlisted;
  }

  template <class T>
  void readTable(const char* table) {
    guarded(table, [&] {
      Statement rows(m_database, "SELECT seq, " + trace::columnNamesOf<T>(version()) + " FROM " + table + " ORDER BY seq");
      while (rows.step()) {
        T record;
        trace::readFields(rows, 1, record);
        m_records.push_back({rows.integer(0), std::move(record)});
      }
    });
  }

  template <class IdType, class T>
  void readList(const char* table, IdVector<IdType, T>& items) {
    Statement rows(m_database, "SELECT " + trace::columnNamesOf<T>(version()) + " FROM " + table + " ORDER BY id");
    while (rows.step()) {
      T item;
      trace::readFields(rows, 0, item);
      items.push_back(std::move(item));
    }
  }

  void readSession() {
    guarded("session", [&] {
      SessionStarted started;
      Statement info(m_database, "SELECT seq, " + trace::columnNamesOf<RunInfo>(version()) + " FROM session");
      if (!info.step()) return;
      trace::readFields(info, 1, started.info);
      Statement device(m_database, "SELECT " + trace::columnNamesOf<DeviceSpec>(version()) + " FROM device");
      if (device.step()) trace::readFields(device, 0, started.device);
      Statement workload(m_database, "SELECT " + trace::columnNamesOf<Workload>(version()) + " FROM workload");
      if (!workload.step()) throw FieldError("the workload is missing");
      trace::readFields(workload, 0, started.workload);
      readList("layers", started.workload.layers);
      readList("tensors", started.workload.tensors);
      readList("ops", started.workload.ops);
      m_records.push_back({info.integer(0), std::move(started)});
    });
  }

  void readPlans() {
    guarded("plans", [&] {
      Statement rows(m_database, "SELECT seq, plan, from_iteration, " + trace::columnNamesOf<Plan>(version()) + " FROM plans ORDER BY plan");
      while (rows.step()) {
        if (rows.integer(1) != static_cast<std::int64_t>(m_stepCounts.size())) throw FieldError("plans are not numbered 0, 1, ...");
        PlanInstalled installed{.plan = static_cast<std::int32_t>(rows.integer(1)), .fromIteration = rows.integer(2)};
        trace::readFields(rows, 3, installed.value);
        Statement steps(m_database, "SELECT " + trace::columnNamesOf<PlanStep>(version()) + " FROM plan_steps WHERE plan = ? ORDER BY step");
        steps.bind(1, rows.integer(1));
        while (steps.step()) {
          PlanStep step;
          trace::readFields(steps, 0, step);
          installed.value.steps.push_back(step);
        }
        m_stepCounts.push_back(static_cast<std::int32_t>(installed.value.steps.size()));
        m_records.push_back({rows.integer(0), std::move(installed)});
      }
    });
  }

  void readSteps() {
    guarded("step_times", [&] {
      Statement rows(m_database, "SELECT seq, iteration, plan, first, steps, data FROM step_times ORDER BY seq DESC");
      std::int64_t timesRead = 0;
      while (rows.step()) {
        if (timesRead >= largestTimesRead) return dropUpTo(rows.integer(1));
        const std::int64_t plan = rows.integer(2), first = rows.integer(3), count = rows.integer(4);
        if (plan < 0 || plan >= static_cast<std::int64_t>(m_stepCounts.size())) throw FieldError("step times belong to a plan that is not there");
        const std::int64_t steps = m_stepCounts[static_cast<std::size_t>(plan)];
        // Before anything is unpacked, since this is what the unpacked size is bounded by.
        if (first < 0 || count < 0 || first > steps || count > steps - first) throw FieldError("step times lie outside of their plan");
        StepsDone done{.iteration = rows.integer(1), .plan = static_cast<std::int32_t>(plan), .first = PlanStepId{static_cast<std::int32_t>(first)}};
        const auto unpacked = trace::unpackSteps(rows.blob(5), static_cast<std::int32_t>(count), done);
        if (!unpacked) {
          report("step times of iteration " + std::to_string(done.iteration) + ": " + unpacked.error() + "; left out");
          continue;
        }
        timesRead += std::max<std::int64_t>(count, 1);
        m_records.push_back({rows.integer(0), std::move(done)});
      }
    });
  }

  /// The iteration that the limit falls into goes as a whole, with all before it.
  void dropUpTo(std::int64_t iteration) {
    std::erase_if(m_records, [&](const Numbered& numbered) {
      const auto* steps = std::get_if<StepsDone>(&numbered.record);
      return steps != nullptr && steps->iteration <= iteration;
    });
    m_records.push_back({0, IterationsDropped{.first = 0, .count = iteration + 1}});
    report("more step times than are read at once: those up to iteration " + std::to_string(iteration) + " are left out");
  }

  Database m_database;
  TraceContents m_contents;
  std::vector<Numbered> m_records;
  std::vector<std::int32_t> m_stepCounts;   ///< of each plan
  std::int64_t m_unlisted = 0;
};

bool startsLikeSqlite(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  char head[16] = {};
  file.read(head, sizeof head);
  return file.gcount() == sizeof head && std::string(head, 15) == "SQLite format 3";
}

}  // namespace

Result<TraceContents> readTrace(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return badInput(name + ": does not exist; name a .peakscope file");
  if (std::filesystem::is_directory(status)) return badInput(name + ": is a folder; name a .peakscope file");
  // A pipe would be waited for, a device would be read for ever.
  if (!std::filesystem::is_regular_file(status)) return badInput(name + ": is not a file; name a .peakscope file");
  if (!std::ifstream(path)) return badInput(name + ": may not be read; change its permissions");
  if (std::filesystem::file_size(path, error) == 0) return badInput(name + ": is empty; record one with peakscope-cli train NET --trace FILE");
  if (!startsLikeSqlite(path)) return badInput(name + ": is not a Peakscope trace; name a .peakscope file");
  try {
    Reader reader(path);
    const std::int64_t version = reader.version();
    if (version > traceVersion)
      return badInput(name + ": was written by a newer Peakscope (trace version " + std::to_string(version) + ", this one reads " + std::to_string(traceVersion) + "); update this program");
    if (!reader.hasOnlyTables()) return badInput(name + ": holds views or triggers, which a trace never does; it is not opened");
    if (version < 1 || !reader.isPeakscopes()) return badInput(name + ": is a database, but not a Peakscope trace; name a .peakscope file");
    TraceContents contents = reader.read();
    if (contents.records.empty() && !contents.problems.empty()) return badInput(name + ": is cut or corrupt, nothing in it can be read (" + contents.problems.front() + ")");
    return contents;
  } catch (const trace::DatabaseError& failure) {
    const bool isOpenRefused = failure.code == SQLITE_CANTOPEN || failure.code == SQLITE_READONLY;
    if (isOpenRefused && std::filesystem::exists(name + "-wal", error))
      return badInput(name + ": was not closed, and its -wal file can only be read in a folder that may be written to; copy both files to one");
    return badInput(name + ": is cut or corrupt (" + failure.what() + "); if a copy exists, use that");
  } catch (const std::exception& failure) {
    return badInput(name + ": is corrupt (" + failure.what() + "); if a copy exists, use that");
  }
}

}  // namespace peakscope
