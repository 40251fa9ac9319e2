// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan_json.h"

#include "app/cli/request.h"

namespace peakscope::cli {

using nlohmann::ordered_json;

namespace {

ordered_json layerName(const Workload& workload, LayerId layer) {
  return layer.isValid() ? ordered_json(workload.layers[layer].name) : ordered_json(nullptr);
}

ordered_json peakJson(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve) {
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

}  // namespace

ordered_json planJson(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve) {
  const auto total = totalPeak(workload, plan, curve);
  ordered_json byKind = ordered_json::object();
  if (total.planStep.isValid()) {
    const auto& point = curve[static_cast<std::size_t>(total.planStep.index)];
    for (int kind = 0; kind < analysis::chartKindCount; ++kind)
      byKind[toString(static_cast<analysis::ChartKind>(kind))] = point.byKind[static_cast<std::size_t>(kind)].count();
  }
  return {
      {"schema", 1},
      {"net", workload.net},
      {"batch", workload.batch},
      {"lowering", workload.lowering},
      {"policy", plan.options.policy},
      {"techniques", techniquesText(plan.options.techniques)},
      {"library", workload.library},
      {"peak", peakJson(workload, plan, curve)},
      {"extra_forwards", plan.extraForwards},
      {"host_bytes", plan.hostBytes.count()},
      {"persistent_bytes", plan.persistentBytes.count()},
      {"transfer_bytes", {{"out", copiedBytes<CopyOutStep>(plan, workload).count()}, {"in", copiedBytes<CopyInStep>(plan, workload).count()}}},
      {"l_peak",
       {{"bytes", plan.lPeak.bytes.count()},
        {"layer", layerName(workload, plan.lPeak.layer)},
        {"distinct_bytes", plan.lPeak.distinctBytes.count()},
        {"distinct_layer", layerName(workload, plan.lPeak.distinctLayer)}}},
      {"by_kind", byKind},
  };
}

ordered_json stepsJson(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve) {
  ordered_json steps = ordered_json::array();
  for (const auto& row : bytesPerStep(workload, plan, curve))
    steps.push_back({{"step", row.step},
                     {"layer", workload.layers[row.layer].name},
                     {"phase", toString(row.phase)},
                     {"scheduled_bytes", row.scheduled.count()},
                     {"scheduled_bytes_in_step", row.scheduledInStep.count()},
                     {"total_bytes", row.total.count()}});
  return steps;
}

}  // namespace peakscope::cli
