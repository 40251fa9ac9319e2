// SPDX-License-Identifier: GPL-3.0-or-later
//
// RunModel: the run that the window shows, live or from a trace. It owns the session, pulls its log on a timer and folds
// it into a history; panels read the history when `advanced` comes.
//
//   RunModel run(backendFactory);
//   run.start(config, tracePath);  run.post(engine::Run{});
//   connect(&run, &RunModel::advanced, this, &MainWindow::refresh);
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "engine/runtime/session.h"
#include "memory/analysis/run_history.h"
#include "memory/trace/trace_recorder.h"

namespace peakscope::ui {

class RunModel : public QObject {
  Q_OBJECT

 public:
  explicit RunModel(engine::BackendFactory makeBackend, QObject* parent = nullptr);
  ~RunModel() override;

  /// Ends what runs and prepares another session, paused. An empty path records nothing.
  void start(engine::SessionConfig config, const std::filesystem::path& trace);
  void post(engine::Command command);
  /// Ends what runs and shows a recorded run instead.
  [[nodiscard]] Result<void> open(const std::filesystem::path& trace);
  /// Stops at the next iteration boundary and waits for it.
  void close();

  [[nodiscard]] bool isLive() const { return m_session != nullptr; }
  [[nodiscard]] const analysis::RunHistory& history() const { return *m_history; }
  [[nodiscard]] RunState state() const { return m_history->state().state; }
  /// A session is there that has not ended: it takes commands.
  [[nodiscard]] bool takesCommands() const { return isLive() && !hasEnded(); }
  [[nodiscard]] bool hasEnded() const { return state() == RunState::Stopped || state() == RunState::Finished || state() == RunState::Failed; }
  [[nodiscard]] const std::filesystem::path& tracePath() const { return m_tracePath; }
  /// The trace is being written and not yet one file.
  [[nodiscard]] bool isRecording() const { return m_recorder != nullptr; }
  /// Why the run is not, or not wholly, on file.
  [[nodiscard]] const std::optional<Error>& traceProblem() const { return m_traceProblem; }
  [[nodiscard]] double eventsPerSecond() const { return m_eventsPerSecond; }
  /// Training goes on; the view stands still. Records wait in the log, until the run has ended.
  void setFrozen(bool isFrozen);
  [[nodiscard]] bool isFrozen() const { return m_isFrozen; }

 public slots:
  void pull();

 signals:
  void advanced();
  void ended();                      ///< the session has said its last word
  void sessionChanged();
  void problem(const QString& line);

 private:
  void retire();
  void finishRecording();
  void sayTraceProblem();

  engine::BackendFactory m_makeBackend;
  std::unique_ptr<engine::Session> m_session;
  std::unique_ptr<TraceRecorder> m_recorder;
  std::optional<Error> m_traceProblem;
  std::unique_ptr<analysis::RunHistory> m_history;
  EventLog::Cursor m_cursor;
  std::filesystem::path m_tracePath;
  QTimer m_timer;
  QElapsedTimer m_clock;
  std::int64_t m_countedEvents = 0;
  double m_eventsPerSecond = 0;
  bool m_isFrozen = false;
  std::vector<std::jthread> m_retired;   ///< sessions that were left, ending; last: they end before anything above goes away
};

}  // namespace peakscope::ui
