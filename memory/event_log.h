// SPDX-License-Identifier: Apache-2.0
//
// EventLog: append-only sequence of records with one writer and any number of readers. Readers hold a cursor and pull;
// the writer never waits for them.
//
//   EventLog log;                                    // training thread
//   log.append(IterationDone{...});
//
//   EventLog::Cursor cursor;                         // window timer, trace writer, command line
//   for (const auto& record : log.readSince(cursor)) std::visit(fold, *record);
#pragma once

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

  void append(LogRecord record);

  /// All records appended since the cursor, which is moved behind them. Never blocks on the writer for long.
  [[nodiscard]] std::vector<std::shared_ptr<const LogRecord>> readSince(Cursor& cursor) const;

  /// Blocks until there is a record behind the cursor, or close() was called. False when closed and drained.
  [[nodiscard]] bool waitForMore(const Cursor& cursor) const;

  /// No more records will come; wakes those who wait.
  void close();

 private:
  mutable std::mutex m_mutex;
  mutable std::condition_variable m_more;
  std::vector<std::shared_ptr<const LogRecord>> m_records;
  bool m_isClosed = false;
};

}  // namespace peakscope
