// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/trace_recorder.h"

#include <utility>

namespace peakscope {

Result<std::unique_ptr<TraceRecorder>> TraceRecorder::start(const EventLog& log, const std::filesystem::path& path, std::function<void()> onProblem) {
  if (const auto checked = TraceWriter::checkTarget(path); !checked) return fail(checked.error());
  return std::unique_ptr<TraceRecorder>(new TraceRecorder(log, path, std::move(onProblem)));
}

TraceRecorder::TraceRecorder(const EventLog& log, std::filesystem::path path, std::function<void()> onProblem)
    : m_log(log), m_path(std::move(path)), m_onProblem(std::move(onProblem)), m_thread([this] { record(); }) {}

TraceRecorder::~TraceRecorder() { finish(); }

void TraceRecorder::finish() {
  if (m_thread.joinable()) m_thread.join();
}

void TraceRecorder::record() {
  EventLog::Cursor cursor;
  for (auto news = EventLog::News::None; news != EventLog::News::Closed; news = m_log.waitForMore(cursor, TraceWriter::commitInterval)) {
    if (news == EventLog::News::None && m_writer) check(m_writer->commit());
    for (const auto& record : m_log.readSince(cursor)) write(record);
  }
  if (m_writer) check(m_writer->close());
}

void TraceRecorder::write(const std::shared_ptr<const LogRecord>& record) {
  if (!m_writer && !m_hasFailed) {
    m_waiting.push_back(record);
    if (!std::holds_alternative<StepsDone>(*record) && !std::holds_alternative<IterationDone>(*record)) return;
    auto created = TraceWriter::create(m_path);
    if (!created) return check(fail(created.error()));
    m_writer = std::move(*created);
    for (const auto& waiting : std::exchange(m_waiting, {})) check(m_writer->append(*waiting));
  } else if (m_writer) {
    check(m_writer->append(*record));
  }
}

void TraceRecorder::check(const Result<void>& done) {
  if (done) return;
  m_hasFailed = true;
  {
    const std::lock_guard lock(m_mutex);
    m_problem = done.error();
  }
  m_onProblem();
}

std::optional<Error> TraceRecorder::problem() const {
  const std::lock_guard lock(m_mutex);
  return m_problem;
}

}  // namespace peakscope
