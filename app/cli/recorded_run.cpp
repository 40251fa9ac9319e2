// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recorded_run.h"

#include <utility>

#include "memory/trace/trace_file.h"

namespace peakscope::cli {
namespace {

/// The trace of a run, from its session on. After the first failure nothing more is written.
class Recorder {
 public:
  explicit Recorder(std::filesystem::path path) : m_path(std::move(path)) {}

  [[nodiscard]] Result<void> add(const LogRecord& record) {
    if (m_path.empty()) return {};
    if (std::holds_alternative<SessionStarted>(record)) {
      auto created = TraceWriter::create(m_path);
      if (!created) return fail(created.error());
      m_writer.emplace(std::move(*created));
    }
    return m_writer ? m_writer->append(record) : Result<void>{};
  }
  [[nodiscard]] Result<void> close() { return m_writer ? m_writer->close() : Result<void>{}; }

 private:
  std::filesystem::path m_path;
  std::optional<TraceWriter> m_writer;
};

bool isEnd(const LogRecord& record) {
  const auto* changed = std::get_if<StateChanged>(&record);
  return changed != nullptr && (changed->state == RunState::Stopped || changed->state == RunState::Finished || changed->state == RunState::Failed);
}

}  // namespace

RecordedRun runRecorded(engine::Session& session, engine::SessionConfig config, const std::filesystem::path& trace,
                        const std::function<void(const LogRecord&)>& onRecord) {
  RecordedRun run;
  Recorder recorder(trace);
  std::optional<Error> traceError;
  const auto keep = [&](const Result<void>& written) {
    if (written || traceError) return;
    traceError = written.error();
    session.post(engine::Stop{});
  };
  session.post(engine::Start{std::move(config)});
  EventLog::Cursor cursor;
  for (bool hasEnded = false; !hasEnded && session.log().waitForMore(cursor);)
    for (const auto& record : session.log().readSince(cursor)) {
      keep(recorder.add(*record));
      // Nothing runs, and nothing is said, before the trace is there.
      if (std::holds_alternative<SessionStarted>(*record)) {
        if (traceError) return {.history = {}, .error = traceError};
        session.post(engine::Run{});
      }
      run.history.add(*record);
      onRecord(*record);
      if (const auto* notice = std::get_if<Notice>(record.get()); notice && notice->severity == Notice::Severity::Error)
        run.error = Error{notice->kind, notice->text};
      hasEnded = hasEnded || isEnd(*record);
    }
  keep(recorder.close());
  if (!run.error) run.error = traceError;
  return run;
}

}  // namespace peakscope::cli
