// SPDX-License-Identifier: Apache-2.0
//
// EventLog: append-only sequence of records with one writer and any number of readers. Readers hold a cursor and pull;
// the writer never waits for them.
//
//   EventLog log;                                    // training thread
//   log.append(IterationDone{...});
//
//   EventLog::Cursor cursor;                         // window timer, trace recorder, command line
//   for (const auto& record : log.readSince(cursor)) std::visit(fold, *record);
//
// Note [What a late reader misses]
// Step times are most of a log: only the latest are kept. A reader that is far behind finds IterationsDropped where the
// times of whole iterations were; everything else is kept for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/log_record.h"

namespace peakscope {

class EventLog {
 public:
  struct Cursor {
    std::size_t next = 0;
  };
  enum class News { More, None, Closed };          ///< Closed: and everything has been read

  /// 64 MiB of step times: an hour of LeNet, a minute of ResNet-152 in a modelled run.
  static constexpr std::size_t defaultKeptTimes = std::size_t{1} << 22;
  explicit EventLog(std::size_t keptTimes = defaultKeptTimes) : m_keptTimes(keptTimes) {}

  void append(LogRecord record);

  /// All records appended since the cursor, which is moved behind them. Never blocks on the writer for long.
  [[nodiscard]] std::vector<std::shared_ptr<const LogRecord>> readSince(Cursor& cursor) const;

  /// Blocks until there is a record behind the cursor, or close() was called. False when closed and drained.
  [[nodiscard]] bool waitForMore(const Cursor& cursor) const;
  /// The same for at most so long; None if nothing came.
  [[nodiscard]] News waitForMore(const Cursor& cursor, std::chrono::milliseconds atMost) const;

  /// No more records will come; wakes those who wait.
  void close();
  [[nodiscard]] bool isClosed() const;

 private:
  void dropOldTimes();                             ///< the mutex is held

  mutable std::mutex m_mutex;
  mutable std::condition_variable m_more;
  std::vector<std::shared_ptr<const LogRecord>> m_records;   ///< null: dropped with its iteration
  std::size_t m_keptTimes;
  std::size_t m_times = 0;                         ///< step times in m_records
  std::size_t m_oldestTimed = 0;                   ///< no StepsDone before this one
  bool m_isClosed = false;
};

}  // namespace peakscope
