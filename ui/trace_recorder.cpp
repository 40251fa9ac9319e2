// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace_recorder.h"

namespace peakscope::ui {

Result<std::unique_ptr<TraceRecorder>> TraceRecorder::start(const EventLog& log, const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  auto writer = TraceWriter::create(path);
  if (!writer) return fail(writer.error());
  return std::unique_ptr<TraceRecorder>(new TraceRecorder(log, std::move(*writer), path));
}

TraceRecorder::TraceRecorder(const EventLog& log, TraceWriter writer, std::filesystem::path path)
    : m_path(std::move(path)), m_thread([this, &log, w = std::move(writer)]() mutable { record(log, std::move(w)); }) {}

TraceRecorder::~TraceRecorder() { m_thread.join(); }

void TraceRecorder::record(const EventLog& log, TraceWriter writer) {
  EventLog::Cursor cursor;
  const auto check = [this](const Result<void>& done) {
    if (done) return;
    const std::lock_guard lock(m_mutex);
    m_problem = done.error().message;
  };
  while (log.waitForMore(cursor))
    for (const auto& record : log.readSince(cursor)) check(writer.append(*record));
  check(writer.close());
}

std::string TraceRecorder::problem() const {
  const std::lock_guard lock(m_mutex);
  return m_problem;
}

}  // namespace peakscope::ui
