// SPDX-License-Identifier: Apache-2.0
//
// The trace file: one SQLite database that survives kill -9 and is read back as the same records that were written.
//
//   auto writer = TraceWriter::create("run.peakscope");
//   writer->append(record);              // buffered; committed every 250 ms
//   writer->close();                     // one file again
//
//   Result<TraceContents> trace = readTrace("run.peakscope");     // untrusted input
//   for (const LogRecord& record : trace->records) history.add(record);
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "memory/log_record.h"
#include "memory/result.h"

namespace peakscope {

/// PRAGMA user_version of the files that this program writes.
inline constexpr int traceVersion = 2;

class TraceWriter {
 public:
  /// No more than this is lost to kill -9, provided that commit() is called when nothing comes (see TraceRecorder).
  static constexpr std::chrono::milliseconds commitInterval{250};

  /// Whether a trace can be written there, as far as that can be known without touching anything. BadInput: the path is a
  /// folder or somebody's file. DeviceFailed: there is no such folder.
  [[nodiscard]] static Result<void> checkTarget(const std::filesystem::path& path);
  /// Replaces a trace of that name, and only a trace; an old one is gone only when the new one is there. Errors as
  /// checkTarget, and DeviceFailed if it cannot be written.
  [[nodiscard]] static Result<TraceWriter> create(const std::filesystem::path& path);
  TraceWriter(TraceWriter&&) noexcept;
  TraceWriter& operator=(TraceWriter&& other) noexcept;
  ~TraceWriter();

  /// Keeps the record; writes a transaction if the last one is 250 ms old. An error (disk full, no permission) is
  /// returned once; what was committed stays readable.
  [[nodiscard]] Result<void> append(const LogRecord& record);
  [[nodiscard]] Result<void> commit();
  [[nodiscard]] Result<void> close();

 private:
  struct Database;
  explicit TraceWriter(std::unique_ptr<Database> database);
  std::unique_ptr<Database> m_database;
};

struct TraceContents {
  std::vector<LogRecord> records;
  bool wasClosed = true;               ///< false: the writer did not finish; everything committed is here
  std::vector<std::string> problems;   ///< what was skipped, one line each
};
/// Errors name the file, what is wrong with it (empty, not a trace, cut, written by a newer version) and what to do.
[[nodiscard]] Result<TraceContents> readTrace(const std::filesystem::path& path);

}  // namespace peakscope
