// SPDX-License-Identifier: Apache-2.0
#include "memory/analysis/live_sets.h"

#include <set>

namespace peakscope::analysis {
namespace {

/// Behind a run come the frees of what it used last and what waits for them; anything else prepares the next op.
bool preparesNext(const PlanStep& step) {
  if (std::holds_alternative<FreeStep>(step.action)) return step.cause.kind == CauseKind::Evicted;
  return !std::holds_alternative<WaitStep>(step.action) && !std::holds_alternative<CopyOutStep>(step.action);
}

}  // namespace

std::vector<LiveSets> liveSets(const Workload& workload, const Plan& plan) {
  std::vector<LiveSets> result;
  std::set<TensorId> live;
  const auto members = [&] { return std::vector<TensorId>(live.begin(), live.end()); };
  bool isPreparing = false;
  LiveSets current;
  for (const PlanStep& step : plan.steps) {
    if (!isPreparing && preparesNext(step)) {
      if (!result.empty()) result.back().out = members();
      current = {};
      current.in = members();
      isPreparing = true;
    }
    if (const auto* alloc = std::get_if<AllocStep>(&step.action)) live.insert(alloc->tensor);
    if (const auto* free = std::get_if<FreeStep>(&step.action)) live.erase(free->tensor);
    if (const auto* run = std::get_if<RunStep>(&step.action); run != nullptr && workload.ops[run->op].phase != Phase::Rebuild) {
      current.op = run->op;
      current.step = workload.ops[run->op].paperStep;
      result.push_back(std::move(current));
      isPreparing = false;
    }
  }
  if (!result.empty()) result.back().out = members();
  return result;
}

}  // namespace peakscope::analysis
