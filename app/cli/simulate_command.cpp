// SPDX-License-Identifier: Apache-2.0
//
// `simulate`: a session on the virtual backend, so that time, traffic and stalls come from the same executor, log and folds
// as a real run.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/backends.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/plan_json.h"
#include "app/cli/recorded_run.h"
#include "app/cli/shared_options.h"

namespace peakscope::cli {

using nlohmann::ordered_json;

Result<int> simulate(std::ostream& out, const Request& request, const app::Paths& paths, const std::filesystem::path& trace, std::int64_t iterations) {
  if (!request.backend.empty() && request.backend != "ideal")
    return badInput(fmt::format("simulate --backend '{}': a modelled run counts layouts as ideal only; drop it, or see plan --backend cpu", request.backend));
  TrainRequest modelled{.request = request, .iterations = iterations};
  modelled.request.backend = "virtual";
  const engine::SessionConfig config = sessionConfig(modelled, paths);
  engine::Session session(app::backendFactory(paths));
  const RecordedRun run = runRecorded(session, config, trace, [](const LogRecord& record) {
    if (const auto* notice = std::get_if<Notice>(&record); notice && notice->severity == Notice::Severity::Warning) tell(notice->text);
  });
  if (run.error) return fail(*run.error);
  const auto* history = &run.history;
  const auto* timed = history->latestComplete();
  if (timed == nullptr || history->iterations().empty()) return deviceFailed("simulate: no iteration ran; ask for at least one with --iterations");

  const auto& installed = history->plans()[static_cast<std::size_t>(timed->plan)];
  const auto totals = analysis::iterationTotals(analysis::expand(history->workload(), installed.value, timed->iteration, PlanStepId{0}, timed->times));
  const IterationDone& last = history->iterations().back();
  const auto milliseconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e6; };
  if (request.json) {
    ordered_json json = planJson(history->workload(), installed.value, analysis::memoryCurve(history->workload(), installed.value));
    json.update({{"device", history->session().device.name},
                 {"seed", request.seed},
                 {"times", history->session().info.timeSource},
                 {"iterations", static_cast<std::int64_t>(history->iterations().size())},
                 {"time_ns", totals.durationNs},
                 {"stall_ns", totals.stallNs},
                 {"copy_ns", totals.copyNs},
                 {"recompute_ns", totals.recomputeNs},
                 {"overlap", totals.overlap},
                 {"measured_peak_bytes", last.measuredPeakTotal.count()},
                 {"measured_peak_scheduled_bytes", last.measuredPeakScheduled.count()}});
    out << jsonText(json) << '\n';
    return 0;
  }
  out << fmt::format("{}, batch {}, {} on {} ({})\n", history->workload().net, history->workload().batch, techniquesText(installed.value.options.techniques),
                     history->session().device.name, history->session().info.timeSource);
  const double speed = totals.durationNs > 0 ? static_cast<double>(history->workload().batch) * 1e9 / static_cast<double>(totals.durationNs) : 0.0;
  out << fmt::format("time        {:.3f} ms an iteration, {:.{}f} images/s\n", milliseconds(totals.durationNs), speed, speed < 10 ? 2 : 0);
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
