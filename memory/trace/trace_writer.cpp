// SPDX-License-Identifier: Apache-2.0
//
// Writing a trace. `seq` numbers the records over all tables, so that a reader gives them back in their order.
#include <array>
#include <fstream>
#include <map>
#include <utility>

#include "memory/trace/database.h"
#include "memory/trace/step_chunk.h"
#include "memory/trace/trace_file.h"

namespace peakscope {
namespace {

using trace::Database;
using trace::Statement;

/// "PKSC", in the database header at byte 68, most significant byte first.
constexpr std::uint32_t applicationId = 0x504B5343;

/// A trace, whole or broken. Only a trace may be replaced by a trace: another file of that name is somebody's work.
bool isTrace(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<unsigned char, 72> head{};
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  std::uint32_t id = 0;
  for (std::size_t i = 68; i < 72; ++i) id = id << 8 | head[i];
  return file.gcount() == static_cast<std::streamsize>(head.size()) && id == applicationId;
}

template <class T>
std::string table(const char* name, const char* keys) {
  return std::string("CREATE TABLE ") + name + " (" + keys + ", " + trace::columnsOf<T>() + ");";
}

std::string schema() {
  return "PRAGMA application_id = " + std::to_string(applicationId) + "; PRAGMA user_version = " + std::to_string(traceVersion) + ";" + table<RunInfo>("session", "seq INTEGER") +
         table<DeviceSpec>("device", "seq INTEGER") + table<Workload>("workload", "seq INTEGER") + table<WorkloadLayer>("layers", "id INTEGER PRIMARY KEY") +
         table<Tensor>("tensors", "id INTEGER PRIMARY KEY") + table<Op>("ops", "id INTEGER PRIMARY KEY") +
         table<Plan>("plans", "seq INTEGER, plan INTEGER, from_iteration INTEGER") + table<PlanStep>("plan_steps", "plan INTEGER, step INTEGER, what TEXT") +
         "CREATE TABLE step_times (seq INTEGER, iteration INTEGER, plan INTEGER, first INTEGER, steps INTEGER, data BLOB);" +
         table<IterationDone>("iterations", "seq INTEGER") + table<EpochDone>("epochs", "seq INTEGER") + table<StateChanged>("states", "seq INTEGER") +
         table<Notice>("notices", "seq INTEGER") + table<IterationsDropped>("dropped", "seq INTEGER") +
         "CREATE TABLE closed (seq INTEGER);";
}

/// A plan step in words, for those who read the file with a shell.
std::string what(const PlanStep& step, const Workload& workload) {
  const auto name = [&](TensorId tensor) { return workload.tensors.contains(tensor) ? workload.tensors[tensor].name : "?"; };
  return std::visit(Overloaded{
                        [&](const AllocStep& s) { return "alloc " + name(s.tensor); },
                        [&](const FreeStep& s) { return "free " + name(s.tensor); },
                        [&](const RunStep& s) { return "run " + (workload.ops.contains(s.op) ? opName(workload, s.op) : "?"); },
                        [&](const CopyOutStep& s) { return "copy out " + name(s.tensor); },
                        [&](const CopyInStep& s) { return "copy in " + name(s.tensor); },
                        [&](const WaitStep& s) { return std::string(toString(s.lane)) + " waits for step " + std::to_string(s.on.index); },
                    },
                    step.action);
}

/// The trace that stands where a new one is to be, with the files that belong to it (a killed one has a -wal): moved aside,
/// and put back if no new one can be made.
class OldTrace {
 public:
  explicit OldTrace(std::filesystem::path path) : m_path(std::move(path)) {}

  [[nodiscard]] bool moveAside() {
    std::error_code error;
    for (int number = 0; m_aside.empty() || std::filesystem::exists(m_aside, error); ++number) m_aside = m_path.string() + ".old" + (number > 0 ? std::to_string(number) : "");
    return move(m_path, m_aside);
  }
  void putBack() { static_cast<void>(move(m_aside, m_path)); }
  void remove() {
    std::error_code ignored;
    for (const char* ending : endings) std::filesystem::remove(m_aside.string() + ending, ignored);
  }

 private:
  static constexpr std::array endings{"", "-wal", "-shm", "-journal"};

  /// What is there; true unless something that is there stays where it was.
  [[nodiscard]] static bool move(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    for (const char* ending : endings) {
      if (!std::filesystem::exists(from.string() + ending, error)) continue;
      std::filesystem::rename(from.string() + ending, to.string() + ending, error);
      if (error) return false;
    }
    return true;
  }

  std::filesystem::path m_path, m_aside;
};

Error describe(const std::filesystem::path& path, const trace::DatabaseError& error) {
  const std::string name = path.string();
  switch (error.code) {
    case SQLITE_FULL: return {ErrorKind::DeviceFailed, name + ": the disk is full; what was recorded so far is kept, free some space and record again"};
    case SQLITE_CANTOPEN: return {ErrorKind::DeviceFailed, name + ": cannot be created; name a folder that exists and that you may write to"};
    case SQLITE_READONLY:
    case SQLITE_PERM: return {ErrorKind::DeviceFailed, name + ": may not be written; name another file or change its permissions"};
    case SQLITE_IOERR: return {ErrorKind::DeviceFailed, name + ": writing failed (disk full or unreachable); what was recorded so far is kept"};
    default: return {ErrorKind::DeviceFailed, name + ": writing the trace failed: " + error.what()};
  }
}

}  // namespace

struct TraceWriter::Database {
  explicit Database(std::filesystem::path file) : path(std::move(file)), connection(path.string(), trace::Database::Mode::Create) {}

  template <class T, class... Keys>
  void insert(const char* name, const T& value, const Keys&... keys) {
    auto& statement = statements[name];
    if (!statement) {
      std::string marks;
      int columns = static_cast<int>(sizeof...(keys));
      trace::visitFields(value, [&](const char*, const auto&) { ++columns; });
      for (int i = 0; i < columns; ++i) marks += i == 0 ? "?" : ", ?";
      statement = std::make_unique<Statement>(connection, std::string("INSERT INTO ") + name + " VALUES (" + marks + ")");
    }
    int column = 1;
    (statement->bind(column++, keys), ...);
    trace::bindFields(*statement, column, value);
    statement->execute();
  }

  void write(const SessionStarted& r) {
    workload = r.workload;
    insert("session", r.info, sequence);
    insert("device", r.device, sequence);
    insert("workload", r.workload, sequence);
    std::int64_t id = 0;
    for (const auto& layer : r.workload.layers) insert("layers", layer, id++);
    id = 0;
    for (const auto& tensor : r.workload.tensors) insert("tensors", tensor, id++);
    id = 0;
    for (const auto& op : r.workload.ops) insert("ops", op, id++);
  }
  void write(const PlanInstalled& r) {
    insert("plans", r.value, sequence, static_cast<std::int64_t>(r.plan), r.fromIteration);
    std::int64_t step = 0;
    for (const PlanStep& s : r.value.steps) insert("plan_steps", s, static_cast<std::int64_t>(r.plan), step++, what(s, workload));
  }
  void write(const StepsDone& r) {
    auto& statement = statements["step_times"];
    if (!statement) statement = std::make_unique<Statement>(connection, "INSERT INTO step_times VALUES (?, ?, ?, ?, ?, ?)");
    const auto packed = trace::packSteps(r);
    statement->bind(1, sequence);
    statement->bind(2, r.iteration);
    statement->bind(3, static_cast<std::int64_t>(r.plan));
    statement->bind(4, static_cast<std::int64_t>(r.first.index));
    statement->bind(5, static_cast<std::int64_t>(r.times.size()));
    statement->bind(6, std::span<const std::uint8_t>(packed));
    statement->execute();
  }
  void write(const IterationDone& r) { insert("iterations", r, sequence); }
  void write(const EpochDone& r) { insert("epochs", r, sequence); }
  void write(const StateChanged& r) { insert("states", r, sequence); }
  void write(const Notice& r) { insert("notices", r, sequence); }
  void write(const IterationsDropped& r) { insert("dropped", r, sequence); }

  void begin() {
    if (isOpen) return;
    connection.execute("BEGIN");
    isOpen = true;
  }
  void commit() {
    if (isOpen) connection.execute("COMMIT");
    isOpen = false;
    lastCommit = std::chrono::steady_clock::now();
  }

  /// Runs one piece of work; after the first failure nothing more is written.
  template <class Work>
  Result<void> guarded(Work work) {
    if (hasFailed) return {};
    try {
      work();
      return {};
    } catch (const trace::DatabaseError& error) {
      giveUp();
      return fail(describe(path, error));
    } catch (const std::exception& error) {   // too little memory
      giveUp();
      return deviceFailed(path.string() + ": writing the trace failed (" + error.what() + "); what was recorded so far is kept");
    }
  }
  void giveUp() {
    hasFailed = true;
    if (isOpen) sqlite3_exec(connection.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    isOpen = false;
  }

  std::filesystem::path path;
  trace::Database connection;
  std::map<std::string, std::unique_ptr<Statement>> statements;
  Workload workload;
  std::int64_t sequence = 0;
  std::chrono::steady_clock::time_point lastCommit = std::chrono::steady_clock::now();
  bool isOpen = false, hasFailed = false, isClosed = false;
};

Result<void> TraceWriter::checkTarget(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) {
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (!path.has_filename() || !std::filesystem::is_directory(folder, ignored)) return deviceFailed(path.string() + ": cannot be created; name a file in a folder that exists");
    return {};
  }
  if (!std::filesystem::is_regular_file(status)) return badInput(path.string() + ": is not a file that a trace can be written to; name a file");
  if (std::filesystem::file_size(path, ignored) > 0 && !isTrace(path)) return badInput(path.string() + ": exists and is not a trace; name another file, or remove it");
  return {};
}

Result<TraceWriter> TraceWriter::create(const std::filesystem::path& path) {
  if (const auto checked = checkTarget(path); !checked) return fail(checked.error());
  OldTrace old(path);
  if (!old.moveAside()) return deviceFailed(path.string() + ": may not be replaced; name another file or change the folder's permissions");
  try {
    auto database = std::make_unique<Database>(path);
    // The schema first: whatever happens afterwards, the file itself says that it is a trace, and may be replaced by one.
    database->connection.execute("BEGIN; " + schema() + " COMMIT;");
    database->connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    old.remove();
    return TraceWriter(std::move(database));
  } catch (const trace::DatabaseError& failure) {
    old.putBack();
    return fail(describe(path, failure));
  }
}

TraceWriter::TraceWriter(std::unique_ptr<Database> database) : m_database(std::move(database)) {}
TraceWriter::TraceWriter(TraceWriter&&) noexcept = default;
TraceWriter& TraceWriter::operator=(TraceWriter&& other) noexcept {
  std::swap(m_database, other.m_database);   // the one that was open here is closed with the other
  return *this;
}
TraceWriter::~TraceWriter() {
  if (m_database) static_cast<void>(close());
}

Result<void> TraceWriter::append(const LogRecord& record) {
  Database& d = *m_database;
  return d.guarded([&] {
    d.begin();
    ++d.sequence;
    std::visit([&](const auto& r) { d.write(r); }, record);
    // Rare records are worth a transaction of their own; step times and iterations come in bursts.
    const bool isFrequent = std::holds_alternative<StepsDone>(record) || std::holds_alternative<IterationDone>(record);
    if (!isFrequent || std::chrono::steady_clock::now() - d.lastCommit >= TraceWriter::commitInterval) d.commit();
  });
}

Result<void> TraceWriter::commit() {
  return m_database->guarded([&] { m_database->commit(); });
}

Result<void> TraceWriter::close() {
  Database& d = *m_database;
  if (d.isClosed) return {};
  d.isClosed = true;
  return d.guarded([&] {
    d.begin();
    d.connection.execute("INSERT INTO closed VALUES (" + std::to_string(d.sequence) + ")");
    d.commit();
    d.statements.clear();
    d.connection.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;");
  });
}

}  // namespace peakscope
