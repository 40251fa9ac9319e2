// SPDX-License-Identifier: Apache-2.0
//
// `plan`: the predicted peak, where it is and what it is made of, by folding the plan; no device is touched.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/prepared.h"
#include "memory/analysis/memory_curve.h"

namespace peakscope::cli {
namespace {

using analysis::MemoryCurve;
using nlohmann::ordered_json;

Bytes transferred(const Plan& plan, const Workload& workload, bool isOut) {
  Bytes sum;
  for (const PlanStep& step : plan.steps) {
    if (const auto* out = std::get_if<CopyOutStep>(&step.action); out && isOut) sum += workload.tensors[out->tensor].shapeBytes;
    if (const auto* in = std::get_if<CopyInStep>(&step.action); in && !isOut) sum += workload.tensors[in->tensor].shapeBytes;
  }
  return sum;
}

ordered_json layerName(const Workload& workload, LayerId layer) {
  return layer.isValid() ? ordered_json(workload.layers[layer].name) : ordered_json(nullptr);
}

ordered_json peakJson(const Workload& workload, const Plan& plan, const MemoryCurve& curve) {
  const auto scheduled = scheduledPeak(workload, plan, curve);
  const auto total = totalPeak(workload, plan, curve);
  return {{"scheduled_bytes", scheduled.bytes.count()},
          {"scheduled_step", scheduled.step},
          {"scheduled_layer", layerName(workload, scheduled.layer)},
          {"scheduled_phase", toString(scheduled.phase)},
          {"rebuilding", layerName(workload, scheduled.rebuilding)},
          {"total_bytes", total.bytes.count()},
          {"total_step", total.step},
          {"total_layer", layerName(workload, total.layer)},
          {"arena_bytes", plan.arenaBytes.count()}};
}

ordered_json planJson(const Request& request, const Prepared& prepared, const Plan& plan, const MemoryCurve& curve) {
  const Workload& workload = prepared.lowering.workload;
  const auto total = totalPeak(workload, plan, curve);
  ordered_json byKind = ordered_json::object();
  if (total.planStep.isValid()) {
    const auto& point = curve[static_cast<std::size_t>(total.planStep.index)];
    for (int kind = 0; kind < analysis::chartKindCount; ++kind)
      byKind[toString(static_cast<analysis::ChartKind>(kind))] = point.byKind[static_cast<std::size_t>(kind)].count();
  }
  ordered_json json = {
      {"schema", 1},
      {"net", workload.net},
      {"batch", workload.batch},
      {"lowering", workload.lowering},
      {"policy", plan.options.policy},
      {"techniques", techniquesText(plan.options.techniques)},
      {"library", workload.library},
      {"device", prepared.device.name},
      {"costs", prepared.costs.description},
      {"seed", request.seed},
      {"peak", peakJson(workload, plan, curve)},
      {"extra_forwards", plan.extraForwards},
      {"host_bytes", plan.hostBytes.count()},
      {"persistent_bytes", plan.persistentBytes.count()},
      {"transfer_bytes", {{"out", transferred(plan, workload, true).count()}, {"in", transferred(plan, workload, false).count()}}},
      {"l_peak",
       {{"bytes", plan.lPeak.bytes.count()},
        {"layer", layerName(workload, plan.lPeak.layer)},
        {"distinct_bytes", plan.lPeak.distinctBytes.count()},
        {"distinct_layer", layerName(workload, plan.lPeak.distinctLayer)}}},
      {"by_kind", byKind},
  };
  if (request.steps) {
    ordered_json steps = ordered_json::array();
    for (const auto& row : bytesPerStep(workload, plan, curve))
      steps.push_back({{"step", row.step},
                       {"layer", workload.layers[row.layer].name},
                       {"phase", toString(row.phase)},
                       {"scheduled_bytes", row.scheduled.count()},
                       {"scheduled_bytes_in_step", row.scheduledInStep.count()},
                       {"total_bytes", row.total.count()}});
    json["steps"] = std::move(steps);
  }
  return json;
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
  line("arena", fmt::format("{} MiB, of it persistent {}", formatMiB(plan.arenaBytes), formatMiB(plan.persistentBytes)));
  line("host", fmt::format("{} MiB; copied out {}, in {} an iteration", formatMiB(plan.hostBytes), formatMiB(transferred(plan, workload, true)),
                           formatMiB(transferred(plan, workload, false))));
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
  out << fmt::format("\n{:>5}  {:<18}{:<10}{:>14}{:>14}{:>14}\n", "step", "layer", "phase", "scheduled MiB", "in step MiB", "total MiB");
  for (const auto& row : bytesPerStep(workload, plan, curve))
    out << fmt::format("{:>5}  {:<18}{:<10}{:>14}{:>14}{:>14}\n", row.step, workload.layers[row.layer].name, toString(row.phase), formatMiB(row.scheduled),
                       formatMiB(row.scheduledInStep), formatMiB(row.total));
}

}  // namespace

Result<int> plan(std::ostream& out, const Request& request, const app::Paths& paths) {
  const auto prepared = prepare(request, paths);
  if (!prepared) return fail(prepared.error());
  const auto made = planOf(*prepared, request.options);
  if (!made) return fail(made.error());
  const MemoryCurve curve = analysis::memoryCurve(prepared->lowering.workload, *made);
  if (request.json)
    out << planJson(request, *prepared, *made, curve).dump(request.steps ? -1 : 2) << '\n';
  else
    writeText(out, request, *prepared, *made, curve);
  return 0;
}

}  // namespace peakscope::cli
