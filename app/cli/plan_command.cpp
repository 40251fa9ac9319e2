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
#include "memory/analysis/arena_bound.h"
#include "memory/analysis/memory_curve.h"

namespace peakscope::cli {
namespace {

using analysis::MemoryCurve;

std::string joined(const nlohmann::ordered_json& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : " ") + name.get<std::string>();
  return text;
}

void writeLiveSets(std::ostream& out, const nlohmann::ordered_json& rows) {
  out << fmt::format("\n{:>5}  {:<18}{:<10}{}\n", "step", "layer", "phase", "on the device before (in) and after (out)");
  for (const auto& row : rows) {
    out << fmt::format("{:>5}  {:<18}{:<10}in   {}\n", row["step"].get<int>(), row["layer"].get<std::string>(), row["phase"].get<std::string>(), joined(row["in"]));
    out << fmt::format("{:>35}out  {}\n", "", joined(row["out"]));
  }
}

void writeDetails(std::ostream& out, const nlohmann::ordered_json& details) {
  if (!details["segments"].empty()) {
    out << fmt::format("\n{:<24}{:<12}{:>12}  {}\n", "segment behind", "rebuilt by", "cost MiB", "layers");
    for (const auto& row : details["segments"])
      out << fmt::format("{:<24}{:<12}{:>12}  {}\n", row["checkpoint"].get<std::string>(), row["mode"].get<std::string>(),
                         formatMiB(Bytes{row["cost_bytes"].get<std::int64_t>()}), joined(row["layers"]));
  }
  const auto& cache = details["cache"];
  out << fmt::format("\ncache         {} hits, {} misses, {} evictions\n", cache["hits"].get<int>(), cache["misses"].get<int>(), cache["evictions"].size());
  for (const auto& row : cache["evictions"])
    out << fmt::format("{:>5}  {} evicted for {}, which asked for {} MiB\n", row["step"].get<int>(), row["tensor"].get<std::string>(), row["for"].get<std::string>(),
                       formatMiB(Bytes{row["request_bytes"].get<std::int64_t>()}));
  if (details["workspaces"].empty()) return;
  out << fmt::format("\n{:>5}  {:<18}{:<10}{:<12}{:>14}{:>12}\n", "step", "layer", "phase", "algorithm", "workspace MiB", "time ms");
  for (const auto& row : details["workspaces"])
    out << fmt::format("{:>5}  {:<18}{:<10}{:<12}{:>14}{:>12.3f}\n", row["step"].get<int>(), row["layer"].get<std::string>(), row["phase"].get<std::string>(),
                       row["algorithm"].get<std::string>(), formatMiB(Bytes{row["workspace_bytes"].get<std::int64_t>()}),
                       static_cast<double>(row["time_ns"].get<std::int64_t>()) / 1e6);
}

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
  line("arena", fmt::format("{} MiB, of it persistent {}", formatMiB(plan.arenaBytes), formatMiB(plan.persistentBytes)) +
                    fmt::format("; {} placement, lower bound {}", toString(plan.options.placement), formatMiB(analysis::arenaLowerBound(workload, plan))));
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
  if (request.details) writeDetails(out, detailsJson(workload, plan, prepared.costs));
  if (request.live) writeLiveSets(out, liveSetsJson(workload, plan));
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
  if (request.details) json.update(detailsJson(prepared->lowering.workload, *made, prepared->costs));
  if (request.live) json["live_sets"] = liveSetsJson(prepared->lowering.workload, *made);
  if (request.steps) json["steps"] = stepsJson(prepared->lowering.workload, *made, curve);
  out << jsonText(json, request.steps || request.live || request.details ? -1 : 2) << '\n';
  return 0;
}

}  // namespace peakscope::cli
