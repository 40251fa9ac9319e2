// SPDX-License-Identifier: Apache-2.0
//
// TraceRecorder: writes a session's log into a trace file on a thread of its own, so that neither training nor a window
// waits for the disk, and what has been said is on disk a quarter of a second later. The log must outlive it.
//
//   auto recorder = TraceRecorder::start(session.log(), path);
//   session.post(Stop{});
//   (*recorder)->finish();                // waits for the end of the log, which a session closes when it has stopped
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "memory/event_log.h"
#include "memory/trace/trace_file.h"

namespace peakscope {

class TraceRecorder {
 public:
  /// The file is made when the first step has run, so that a session that only planned replaces no earlier trace. `onProblem` is
  /// called once, on the recorder's thread, when writing has failed; what was committed stays readable.
  [[nodiscard]] static Result<std::unique_ptr<TraceRecorder>> start(const EventLog& log, const std::filesystem::path& path,
                                                                    std::function<void()> onProblem = [] {});
  ~TraceRecorder();                                  ///< as finish()
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  /// Waits for the end of the log and closes the file. Afterwards problem() says whether all of it is there.
  void finish();

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// Why not everything is in the file, once that is so.
  [[nodiscard]] std::optional<Error> problem() const;

 private:
  TraceRecorder(const EventLog& log, std::filesystem::path path, std::function<void()> onProblem);
  void record();
  void write(const std::shared_ptr<const LogRecord>& record);
  void check(const Result<void>& done);

  const EventLog& m_log;
  std::optional<TraceWriter> m_writer;               ///< the thread's
  std::vector<std::shared_ptr<const LogRecord>> m_waiting;   ///< the thread's: said before anything ran
  bool m_hasFailed = false;                          ///< the thread's
  std::filesystem::path m_path;
  std::function<void()> m_onProblem;
  mutable std::mutex m_mutex;
  std::optional<Error> m_problem;                    ///< guarded by the mutex
  std::thread m_thread;                              ///< last: everything else is there when it begins
};

}  // namespace peakscope
