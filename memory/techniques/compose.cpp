// SPDX-License-Identifier: Apache-2.0
//
// The order of the passes, the budgets, and the refusal.
#include "memory/techniques/compose.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "memory/analysis/memory_curve.h"
#include "memory/emit_plan.h"
#include "memory/techniques/checkpoints.h"
#include "memory/techniques/host_homes.h"
#include "memory/techniques/layer_peak.h"
#include "memory/techniques/offload.h"
#include "memory/techniques/recompute.h"
#include "memory/techniques/schedule.h"
#include "memory/techniques/tensor_cache.h"
#include "memory/techniques/workspaces.h"

namespace peakscope {
namespace {

/// How a plan is fitted to a budget: what its passes may be asked for besides the options.
struct Fitting {
  SlotIndex maxDelay = std::numeric_limits<SlotIndex>::max();   ///< of a hidden free, see OffloadOptions
  std::optional<Bytes> cacheCapacity = {};                       ///< none: nothing is evicted
  LivenessScope scope = LivenessScope::Everything;
};

Plan planWith(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques, const Fitting& fitting) {
  const LayerPeak lPeak = layerPeak(input.workload);
  Schedule schedule = keepEverything(input.workload);
  schedule.isCheckpoint = checkpointsOf(input.workload, options);
  if (techniques.any()) applyLiveness(schedule, fitting.scope);
  if (techniques.recompute) applyRecompute(schedule, options.recompute, lPeak);
  if (techniques.offload && !techniques.cache)
    applyOffload(schedule, {.set = options.offload, .prefetch = options.prefetch, .free = options.offloadFree, .maxDelay = fitting.maxDelay}, input.costs);
  applyHostHomes(schedule, {.prefetch = options.prefetch, .free = options.offloadFree});
  PolicyOptions used = options;
  used.techniques = techniques;
  // Whether its capacity suffices shows in the arena, which is what the budget caps.
  if (fitting.cacheCapacity)
    std::ignore = applyTensorCache(schedule, {.set = options.offload, .prefetch = options.prefetch, .rule = options.eviction, .capacity = *fitting.cacheCapacity, .alignment = input.device.alignment});
  return emitPlan(schedule, input.device, used, lPeak);
}

/// Bytes freed later than need be are the price of a hidden copy: gives them up, little by little, before refusing.
Plan planWithOffload(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques, Bytes budget) {
  Plan plan = planWith(input, options, techniques, {});
  if (options.offloadFree != OffloadFree::Hidden) return plan;
  for (const SlotIndex delay : {32, 8, 4, 2, 1, 0}) {
    if (plan.arenaBytes <= budget) break;
    Plan tighter = planWith(input, options, techniques, {.maxDelay = delay});
    if (tighter.arenaBytes < plan.arenaBytes) plan = std::move(tighter);
  }
  return plan;
}

/// Placement may need a little more than what is live at once: then the cache gets a little less. In the end everything that
/// may leave does, as soon as anything needs room. What comes nearest to the budget is returned if nothing keeps it.
Plan planWithCache(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques, Bytes budget) {
  constexpr int tries = 6;
  Plan best = planWith(input, options, techniques, {});
  Bytes capacity = budget;
  for (int i = 0; i <= tries && best.arenaBytes > budget; ++i) {
    Plan plan = planWith(input, options, techniques, {.cacheCapacity = i < tries ? capacity : Bytes{}});
    capacity -= std::max(plan.arenaBytes - budget, input.device.alignment);
    if (plan.arenaBytes < best.arenaBytes) best = std::move(plan);
  }
  return best;
}

/// Names the step with the most bytes; what it needs is the arena that the plan would take.
PlanError doesNotFit(const PlanInput& input, const Plan& plan, PlanError::Memory memory, Bytes budget) {
  const auto curve = analysis::memoryCurve(input.workload, plan);
  const auto peak = analysis::totalPeak(input.workload, plan, curve);
  const Bytes needed = memory == PlanError::Memory::Device ? plan.arenaBytes : plan.hostBytes;
  PlanError error{.memory = memory, .step = peak.step, .phase = peak.phase, .needed = needed, .budget = budget, .smallestBudget = needed};
  if (peak.layer.isValid()) error.layer = input.workload.layers[peak.layer].name;
  return error;
}

}  // namespace

Result<Plan, PlanError> compose(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques, LivenessScope scope) {
  if (const auto unknown = unknownCheckpoint(input.workload, options))
    return fail(PlanError{.layer = {}, .other = "checkpoint '" + *unknown + "' is not a layer of " + input.workload.net + "; name layers of this network, as plan --steps lists them"});
  const Bytes budget = options.budget.value_or(input.device.memory);
  const Bytes hostBudget = options.hostBudget.value_or(input.device.hostMemory);
  Plan plan = techniques.cache     ? planWithCache(input, options, techniques, budget)
              : techniques.offload ? planWithOffload(input, options, techniques, budget)
                                   : planWith(input, options, techniques, {.scope = scope});
  // Without a budget that someone asked for, workspaces stay below the peak that the tensors make anyway.
  if (techniques.workspace) chooseWorkspaces(plan, input.workload, input.costs, options.budget ? budget : plan.arenaBytes);
  if (plan.arenaBytes > budget) return fail(doesNotFit(input, plan, PlanError::Memory::Device, budget));
  if (plan.hostBytes > hostBudget) return fail(doesNotFit(input, plan, PlanError::Memory::Host, hostBudget));
  return plan;
}

}  // namespace peakscope
