// SPDX-License-Identifier: Apache-2.0
#include "memory/analysis/arena_bound.h"

#include <algorithm>

namespace peakscope::analysis {

Bytes arenaLowerBound(const Workload& workload, const Plan& plan) {
  const auto slotOf = [&](Bytes bytes) { return roundUp(bytes, plan.alignment); };
  Bytes live = plan.persistentBytes, most = live;
  for (const PlanStep& step : plan.steps) {
    if (const auto* alloc = std::get_if<AllocStep>(&step.action)) {
      live += slotOf(workload.tensors[alloc->tensor].bytes);
      most = std::max(most, live);
    } else if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      live -= slotOf(workload.tensors[free->tensor].bytes);
    } else if (const auto* run = std::get_if<RunStep>(&step.action)) {
      most = std::max(most, live + slotOf(workload.ops[run->op].candidates[static_cast<std::size_t>(run->candidate)].workspace));
    }
  }
  return most;
}

}  // namespace peakscope::analysis
