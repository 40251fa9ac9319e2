// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_model.h"

namespace peakscope::ui {
namespace {

/// While the CPU trains, each repaint costs training: 15 a second are smooth enough for numbers and curves.
constexpr int pullMilliseconds = 66;

}  // namespace

RunModel::RunModel(engine::BackendFactory makeBackend, QObject* parent)
    : QObject(parent), m_makeBackend(std::move(makeBackend)), m_history(std::make_unique<analysis::RunHistory>()) {
  m_timer.setInterval(pullMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &RunModel::pull);
}

RunModel::~RunModel() { close(); }

void RunModel::close() {
  m_timer.stop();
  if (!m_session) return;
  m_session->post(engine::Stop{});
  finishRecording();
  m_session.reset();
}

/// What runs ends at its next iteration boundary, which may be seconds away: nobody waits for it here.
void RunModel::retire() {
  m_timer.stop();
  if (!m_session) return;
  m_session->post(engine::Stop{});
  m_retired.emplace_back([this, session = std::move(m_session), recorder = std::move(m_recorder)]() mutable {
    if (recorder) {
      recorder->finish();
      if (const auto failure = recorder->problem())
        QMetaObject::invokeMethod(this, [this, line = QString::fromStdString(failure->message)] { emit problem(line); }, Qt::QueuedConnection);
      recorder.reset();
    }
    session.reset();
  });
}

/// The recorder reads to the end of the log, which the session closes when it has stopped.
void RunModel::finishRecording() {
  if (!m_recorder) return;
  m_recorder->finish();
  sayTraceProblem();
  m_recorder.reset();
}

void RunModel::sayTraceProblem() {
  const auto failure = m_recorder->problem();
  if (!failure || m_traceProblem) return;
  m_traceProblem = failure;
  emit problem(QString::fromStdString(failure->message));
}

void RunModel::start(engine::SessionConfig config, const std::filesystem::path& trace) {
  retire();
  m_history = std::make_unique<analysis::RunHistory>();
  m_cursor = {};
  m_countedEvents = 0;
  m_tracePath.clear();
  m_session = std::make_unique<engine::Session>(m_makeBackend);
  m_traceProblem.reset();
  if (!trace.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(trace.parent_path(), ignored);
    auto recorder = TraceRecorder::start(m_session->log(), trace);
    if (recorder) {
      m_recorder = std::move(*recorder);
      m_tracePath = trace;
    } else {
      m_traceProblem = recorder.error();
      emit problem(QString::fromStdString(recorder.error().message));
    }
  }
  m_session->post(engine::Start{std::move(config)});
  m_clock.start();
  m_timer.start();
  emit sessionChanged();
}

void RunModel::post(engine::Command command) {
  if (m_session) m_session->post(std::move(command));
}

Result<void> RunModel::open(const std::filesystem::path& path) {
  const auto trace = readTrace(path);
  if (!trace) return fail(trace.error());
  auto history = std::make_unique<analysis::RunHistory>();
  for (const LogRecord& record : trace->records) history->add(record);
  if (!history->hasSession()) return badInput(path.string() + ": holds no session; record one by training a network");
  retire();
  m_history = std::move(history);
  m_tracePath = path;
  m_eventsPerSecond = 0;
  if (!trace->wasClosed) emit problem(tr("%1: the recording did not finish; this is what was committed").arg(QString::fromStdString(path.string())));
  for (const std::string& line : trace->problems) emit problem(QString::fromStdString(line));
  emit sessionChanged();
  emit advanced();
  return {};
}

void RunModel::setFrozen(bool isFrozen) {
  m_isFrozen = isFrozen;
  if (!isFrozen) pull();
}

void RunModel::pull() {
  if (!m_session) return;
  const bool isOver = m_session->log().isClosed();
  if (m_isFrozen && !isOver) return;
  const auto records = m_session->log().readSince(m_cursor);
  for (const auto& record : records) {
    m_history->add(*record);
    if (const auto* notice = std::get_if<Notice>(record.get())) emit problem(QString::fromStdString(notice->text));
  }
  if (m_clock.elapsed() >= 1000) {
    const std::int64_t events = m_history->eventCount();
    m_eventsPerSecond = static_cast<double>(events - m_countedEvents) * 1000.0 / static_cast<double>(m_clock.restart());
    m_countedEvents = events;
    if (m_recorder) sayTraceProblem();
  }
  if (!records.empty()) emit advanced();
  if (!isOver) return;
  m_timer.stop();                    // nothing more will come
  finishRecording();
  emit ended();
}

}  // namespace peakscope::ui
