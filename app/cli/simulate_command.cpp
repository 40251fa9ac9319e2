// SPDX-License-Identifier: Apache-2.0
//
// `simulate`: a session on the virtual backend, so that time, traffic and stalls come from the same executor, log and folds
// as a real run.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/backends.h"
#include "app/cli/commands.h"
#include "app/cli/prepared.h"
#include "engine/runtime/session.h"
#include "memory/analysis/run_history.h"
#include "memory/trace/trace_file.h"

namespace peakscope::cli {
namespace {

using nlohmann::ordered_json;

/// Runs the config to its end, into the history and, if there is one, the trace.
Result<analysis::RunHistory> runToEnd(const engine::SessionConfig& config, const app::Paths& paths, std::optional<TraceWriter>& writer) {
  engine::Session session(app::backendFactory(paths));
  session.post(engine::Start{config});
  session.post(engine::Run{});
  analysis::RunHistory history;
  EventLog::Cursor cursor;
  std::optional<Error> error;
  for (bool hasEnded = false; !hasEnded && session.log().waitForMore(cursor);)
    for (const auto& record : session.log().readSince(cursor)) {
      history.add(*record);
      if (writer && !error)
        if (const auto written = writer->append(*record); !written) error = written.error();
      if (const auto* notice = std::get_if<Notice>(record.get()); notice && notice->severity == Notice::Severity::Error)
        error = Error{notice->kind, notice->text};
      if (const auto* changed = std::get_if<StateChanged>(record.get()))
        hasEnded = changed->state == RunState::Stopped || changed->state == RunState::Finished || changed->state == RunState::Failed;
    }
  if (writer && !error)
    if (const auto closed = writer->close(); !closed) error = closed.error();
  if (error) return fail(*error);
  return history;
}

}  // namespace

Result<int> simulate(std::ostream& out, const Request& request, const app::Paths& paths, const std::filesystem::path& trace, std::int64_t iterations) {
  std::optional<TraceWriter> writer;
  if (!trace.empty()) {
    auto created = TraceWriter::create(trace);
    if (!created) return fail(created.error());
    writer = std::move(*created);
  }
  const engine::SessionConfig config{.net = request.net,
                                     .batch = request.batch,
                                     .inputHeight = request.inputHeight,
                                     .inputWidth = request.inputWidth,
                                     .lowering = request.lowering,
                                     .backend = "virtual",
                                     .device = request.device.empty() ? defaultDevice : request.device,
                                     .options = request.options,
                                     .iterations = iterations,
                                     .seed = request.seed,
                                     .linkBytesPerSecond = request.linkBytesPerSecond,
                                     .deterministic = request.deterministic,
                                     .samplesDir = paths.samples.string(),
                                     .devicesDir = paths.devices.string()};
  const auto history = runToEnd(config, paths, writer);
  if (!history) return fail(history.error());
  const auto* timed = history->latestComplete();
  if (timed == nullptr || history->iterations().empty()) return deviceFailed("simulate: no iteration ran; ask for at least one with --iterations");

  const auto& installed = history->plans()[static_cast<std::size_t>(timed->plan)];
  const auto totals = analysis::iterationTotals(analysis::expand(history->workload(), installed.value, timed->iteration, PlanStepId{0}, timed->times));
  const IterationDone& last = history->iterations().back();
  const auto milliseconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e6; };
  if (request.json) {
    out << ordered_json{{"schema", 1},
                        {"net", history->workload().net},
                        {"batch", history->workload().batch},
                        {"lowering", history->workload().lowering},
                        {"policy", installed.value.options.policy},
                        {"techniques", techniquesText(installed.value.options.techniques)},
                        {"device", history->session().device.name},
                        {"times", history->session().info.timeSource},
                        {"iterations", static_cast<std::int64_t>(history->iterations().size())},
                        {"time_ns", totals.durationNs},
                        {"stall_ns", totals.stallNs},
                        {"copy_ns", totals.copyNs},
                        {"recompute_ns", totals.recomputeNs},
                        {"overlap", totals.overlap},
                        {"transfer_bytes", {{"out", totals.copiedOut.count()}, {"in", totals.copiedIn.count()}}},
                        {"extra_forwards", installed.value.extraForwards},
                        {"measured_peak_bytes", last.measuredPeakTotal.count()},
                        {"measured_peak_scheduled_bytes", last.measuredPeakScheduled.count()},
                        {"arena_bytes", installed.value.arenaBytes.count()},
                        {"host_bytes", installed.value.hostBytes.count()}}
               .dump(2)
        << '\n';
    return 0;
  }
  out << fmt::format("{}, batch {}, {} on {} ({})\n", history->workload().net, history->workload().batch, techniquesText(installed.value.options.techniques),
                     history->session().device.name, history->session().info.timeSource);
  out << fmt::format("time        {:.3f} ms an iteration, {:.0f} images/s\n", milliseconds(totals.durationNs),
                     totals.durationNs > 0 ? static_cast<double>(history->workload().batch) * 1e9 / static_cast<double>(totals.durationNs) : 0.0);
  out << fmt::format("stalls      {:.3f} ms\n", milliseconds(totals.stallNs));
  out << fmt::format("copies      {:.3f} ms, {:.1f} % hidden; out {} MiB, in {} MiB\n", milliseconds(totals.copyNs), totals.overlap * 100,
                     formatMiB(totals.copiedOut), formatMiB(totals.copiedIn));
  out << fmt::format("recompute   {:.3f} ms, {} forwards\n", milliseconds(totals.recomputeNs), installed.value.extraForwards);
  out << fmt::format("peak        {} MiB scheduled, {} MiB total, arena {} MiB\n", formatMiB(last.measuredPeakScheduled), formatMiB(last.measuredPeakTotal),
                     formatMiB(installed.value.arenaBytes));
  if (!trace.empty()) out << fmt::format("trace       {}\n", trace.string());
  return 0;
}

}  // namespace peakscope::cli
