// SPDX-License-Identifier: Apache-2.0
//
// A plan as the JSON of the contract: the fields that `plan --json` and `simulate --json` share.
#pragma once

#include <nlohmann/json.hpp>

#include "memory/analysis/memory_curve.h"
#include "memory/cost_table.h"
#include "memory/plan.h"
#include "memory/workload.h"

namespace peakscope::cli {

/// shapeBytes that the plan's copies of one direction move in an iteration.
template <class CopyStep>
[[nodiscard]] Bytes copiedBytes(const Plan& plan, const Workload& workload) {
  Bytes sum;
  for (const PlanStep& step : plan.steps)
    if (const auto* copy = std::get_if<CopyStep>(&step.action)) sum += workload.tensors[copy->tensor].shapeBytes;
  return sum;
}

[[nodiscard]] nlohmann::ordered_json planJson(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve);
/// One row per paper step.
[[nodiscard]] nlohmann::ordered_json stepsJson(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve);
/// [{step, layer, phase, in: [names], out: [names]}]
[[nodiscard]] nlohmann::ordered_json liveSetsJson(const Workload& workload, const Plan& plan);

/// What the techniques decided: {segments: [{checkpoint, layers, cost_bytes, mode}],
/// cache: {hits, misses, evictions: [{step, tensor, for, request_bytes}]},
/// workspaces: [{step, layer, phase, algorithm, workspace_bytes, time_ns}] of every op that has a choice}
[[nodiscard]] nlohmann::ordered_json detailsJson(const Workload& workload, const Plan& plan, const CostTable& costs);

}  // namespace peakscope::cli
