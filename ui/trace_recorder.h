// SPDX-License-Identifier: GPL-3.0-or-later
//
// TraceRecorder: writes a session's log into a trace file on a thread of its own. The log must outlive it.
//
//   auto recorder = TraceRecorder::start(session.log(), path);
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "memory/event_log.h"
#include "memory/trace/trace_file.h"

namespace peakscope::ui {

class TraceRecorder {
 public:
  [[nodiscard]] static Result<std::unique_ptr<TraceRecorder>> start(const EventLog& log, const std::filesystem::path& path);
  /// Waits for the end of the log: destroy the session first, or keep the log closing.
  ~TraceRecorder();

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// One line once writing has failed, else empty.
  [[nodiscard]] std::string problem() const;

 private:
  TraceRecorder(const EventLog& log, TraceWriter writer, std::filesystem::path path);
  void record(const EventLog& log, TraceWriter writer);

  std::filesystem::path m_path;
  mutable std::mutex m_mutex;
  std::string m_problem;             ///< guarded by the mutex
  std::thread m_thread;
};

}  // namespace peakscope::ui
