// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan_json.h"

#include "app/cli/request.h"
#include "memory/analysis/arena_bound.h"
#include "memory/analysis/cache_report.h"
#include "memory/analysis/live_sets.h"

namespace peakscope::cli {

using nlohmann::ordered_json;

namespace {

ordered_json layerName(const Workload& workload, LayerId layer) {
  return layer.isValid() ? ordered_json(workload.layers[layer].name) : ordered_json(nullptr);
}

const char* word(RecomputeMode mode) {
  switch (mode) {
    case RecomputeMode::Speed: return "speed";
    case RecomputeMode::Memory: return "memory";
    case RecomputeMode::CostAware: return "cost-aware";
  }
  return "?";
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
          {"arena_bytes", plan.arenaBytes.count()},
          {"arena_bound_bytes", analysis::arenaLowerBound(workload, plan).count()}};
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
      {"placement", toString(plan.options.placement)},
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

ordered_json liveSetsJson(const Workload& workload, const Plan& plan) {
  const auto names = [&](const std::vector<TensorId>& tensors) {
    ordered_json list = ordered_json::array();
    for (const TensorId tensor : tensors) list.push_back(workload.tensors[tensor].name);
    return list;
  };
  ordered_json rows = ordered_json::array();
  for (const auto& sets : analysis::liveSets(workload, plan)) {
    const Op& op = workload.ops[sets.op];
    rows.push_back({{"step", sets.step},
                    {"layer", workload.layers[op.layer].name},
                    {"phase", toString(op.phase)},
                    {"in", names(sets.in)},
                    {"out", names(sets.out)}});
  }
  return rows;
}

ordered_json detailsJson(const Workload& workload, const Plan& plan, const CostTable& costs) {
  ordered_json segments = ordered_json::array(), evictions = ordered_json::array(), workspaces = ordered_json::array();
  for (const Segment& segment : plan.segments) {
    ordered_json layers = ordered_json::array();
    for (const LayerId layer : segment.layers) layers.push_back(workload.layers[layer].name);
    segments.push_back({{"checkpoint", workload.tensors[segment.checkpoint].name}, {"layers", layers}, {"cost_bytes", segment.cost.count()}, {"mode", word(segment.mode)}});
  }
  const auto cache = analysis::cacheReport(workload, plan);
  for (const auto& eviction : cache.evictions)
    evictions.push_back({{"step", eviction.paperStep},
                         {"tensor", workload.tensors[eviction.tensor].name},
                         {"for", opName(workload, eviction.op)},
                         {"request_bytes", eviction.request.count()}});
  for (const PlanStep& step : plan.steps) {
    const auto* run = std::get_if<RunStep>(&step.action);
    if (run == nullptr || workload.ops[run->op].candidates.size() < 2) continue;
    const Op& op = workload.ops[run->op];
    const OpCandidate& chosen = op.candidates[static_cast<std::size_t>(run->candidate)];
    workspaces.push_back({{"step", step.paperStep},
                          {"layer", workload.layers[op.layer].name},
                          {"phase", toString(op.phase)},
                          {"algorithm", chosen.algorithm},
                          {"workspace_bytes", chosen.workspace.count()},
                          {"time_ns", costs.opTime(run->op, run->candidate).count()}});
  }
  return {{"segments", segments}, {"cache", {{"hits", cache.hits}, {"misses", cache.misses}, {"evictions", evictions}}}, {"workspaces", workspaces}};
}

}  // namespace peakscope::cli
