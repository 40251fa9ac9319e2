// SPDX-License-Identifier: Apache-2.0
//
// A session run to its end, recorded on the way: `simulate` and `train` differ only in what they say about it.
//
//   const RecordedRun run = runRecorded(session, config, "lenet.peakscope", [&](const LogRecord& record) { output(record); });
//   if (run.error) return fail(*run.error);
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "engine/runtime/session.h"
#include "memory/analysis/run_history.h"
#include "memory/result.h"

namespace peakscope::cli {

struct RecordedRun {
  analysis::RunHistory history;
  std::optional<Error> error;     ///< the session failed, or else the recording did
};

/// The trace is written beside this thread (see TraceRecorder) and made when the session has started, so that a request
/// that is refused leaves the file that is there. No trace is made for an empty path.
[[nodiscard]] RecordedRun runRecorded(engine::Session& session, engine::SessionConfig config, const std::filesystem::path& trace,
                                      const std::function<void(const LogRecord&)>& onRecord);

}  // namespace peakscope::cli
