// SPDX-License-Identifier: Apache-2.0
//
// `plan`: the predicted peak, where it is and what it is made of, by folding the plan; no device is touched.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/plan_json.h"
#include "app/cli/prepared.h"
#include "memory/analysis/memory_curve.h"

namespace peakscope::cli {
namespace {

using analysis::MemoryCurve;

void writeText(std::ostream& out, const Request& request, const Prepared& prepared, const Plan& plan, const MemoryCurve& curve) {
  const Workload& workload = prepared.lowering.workload;
  const auto scheduled = scheduledPeak(workload, plan, curve);
  const auto total = totalPeak(workload, plan, curve);
  const auto line = [&](const char* label, const std::string& value) { out << fmt::format("{:<14}{}\n", label, value); };
  line("network", fmt::format("{}, batch {}, lowering {}, counted as {}", workload.net, workload.batch, workload.lowering, workload.library));
  line("policy", fmt::format("{} ({})", plan.options.policy, plan.options.policy == "superneurons" ? techniquesText(plan.options.techniques) : "fixed"));
  line("device", fmt::format("{}, {}", prepared.device.name, formatBytes(prepared.device.memory)));
  const std::string rebuilding = scheduled.rebuilding.isValid() ? fmt::format(", rebuilding {}", workload.layers[scheduled.rebuilding].name) : "";
  if (scheduled.planStep.isValid())
    line("scheduled", fmt::format("{} MiB at step {}, {} {}{}", formatMiB(scheduled.bytes), scheduled.step, workload.layers[scheduled.layer].name,
                                  toString(scheduled.phase), rebuilding));
  if (total.planStep.isValid())
    line("total", fmt::format("{} MiB at step {}, {}", formatMiB(total.bytes), total.step, workload.layers[total.layer].name));
  line("arena", fmt::format("{} MiB, of it persistent {}", formatMiB(plan.arenaBytes), formatMiB(plan.persistentBytes)));
  line("host", fmt::format("{} MiB; copied out {}, in {} an iteration", formatMiB(plan.hostBytes), formatMiB(copiedBytes<CopyOutStep>(plan, workload)),
                           formatMiB(copiedBytes<CopyInStep>(plan, workload))));
  line("recomputed", fmt::format("{} forwards an iteration", plan.extraForwards));
  if (plan.lPeak.layer.isValid())
    line("l_peak", fmt::format("{} MiB, {} (distinct {} MiB)", formatMiB(plan.lPeak.bytes), workload.layers[plan.lPeak.layer].name, formatMiB(plan.lPeak.distinctBytes)));
  if (total.planStep.isValid()) {
    out << "\nat the total peak, MiB\n";
    const auto& point = curve[static_cast<std::size_t>(total.planStep.index)];
    for (int kind = 0; kind < analysis::chartKindCount; ++kind)
      if (const Bytes bytes = point.byKind[static_cast<std::size_t>(kind)]; bytes.count() > 0)
        out << fmt::format("  {:<22}{:>12}\n", toString(static_cast<analysis::ChartKind>(kind)), formatMiB(bytes));
  }
  if (!request.steps) return;
  std::size_t width = 18;
  for (const WorkloadLayer& layer : workload.layers) width = std::max(width, layer.name.size() + 2);
  out << fmt::format("\n{:>5}  {:<{}}{:<10}{:>14}{:>14}{:>14}\n", "step", "layer", width, "phase", "scheduled MiB", "in step MiB", "total MiB");
  for (const auto& row : bytesPerStep(workload, plan, curve))
    out << fmt::format("{:>5}  {:<{}}{:<10}{:>14}{:>14}{:>14}\n", row.step, workload.layers[row.layer].name, width, toString(row.phase), formatMiB(row.scheduled),
                       formatMiB(row.scheduledInStep), formatMiB(row.total));
}

}  // namespace

Result<int> plan(std::ostream& out, const Request& request, const app::Paths& paths) {
  const auto prepared = prepare(request, paths);
  if (!prepared) return fail(prepared.error());
  const auto made = planOf(*prepared, request.options);
  if (!made) return fail(made.error());
  for (const std::string& remark : prepared->graph.remarks) tell(remark);
  const MemoryCurve curve = analysis::memoryCurve(prepared->lowering.workload, *made);
  if (!request.json) {
    writeText(out, request, *prepared, *made, curve);
    return 0;
  }
  nlohmann::ordered_json json = planJson(prepared->lowering.workload, *made, curve);
  json.update({{"device", prepared->device.name}, {"costs", prepared->costs.description}, {"seed", request.seed}});
  if (request.steps) json["steps"] = stepsJson(prepared->lowering.workload, *made, curve);
  out << jsonText(json, request.steps ? -1 : 2) << '\n';
  return 0;
}

}  // namespace peakscope::cli
