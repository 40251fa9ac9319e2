// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recorded_run.h"

#include <utility>

#include "memory/trace/trace_recorder.h"

namespace peakscope::cli {

RecordedRun runRecorded(engine::Session& session, engine::SessionConfig config, const std::filesystem::path& trace,
                        const std::function<void(const LogRecord&)>& onRecord) {
  RecordedRun run;
  std::unique_ptr<TraceRecorder> recorder;
  if (!trace.empty()) {
    auto started = TraceRecorder::start(session.log(), trace, [&session] { session.post(engine::Stop{}); });
    if (!started) return {.history = {}, .error = started.error()};
    recorder = std::move(*started);
  }
  session.post(engine::Start{std::move(config)});
  session.post(engine::Run{});
  EventLog::Cursor cursor;
  while (session.log().waitForMore(cursor))
    for (const auto& record : session.log().readSince(cursor)) {
      run.history.add(*record);
      onRecord(*record);
      if (const auto* notice = std::get_if<Notice>(record.get()); notice && notice->severity == Notice::Severity::Error)
        run.error = Error{notice->kind, notice->text};
    }
  if (!recorder) return run;
  recorder->finish();
  if (!run.error) run.error = recorder->problem();
  return run;
}

}  // namespace peakscope::cli
