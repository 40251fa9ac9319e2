// SPDX-License-Identifier: Apache-2.0
//
// The order of the passes, the budgets, and the refusal.
#include "memory/techniques/compose.h"

#include <limits>

#include "memory/analysis/memory_curve.h"
#include "memory/emit_plan.h"
#include "memory/techniques/layer_peak.h"
#include "memory/techniques/liveness.h"
#include "memory/techniques/offload.h"
#include "memory/techniques/recompute.h"
#include "memory/techniques/schedule.h"

namespace peakscope {
namespace {

Plan planWith(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques, SlotIndex maxDelay) {
  const LayerPeak lPeak = layerPeak(input.workload);
  Schedule schedule = keepEverything(input.workload);
  if (techniques.liveness || techniques.offload || techniques.recompute) applyLiveness(schedule);
  if (techniques.recompute) applyRecompute(schedule, options.recompute, lPeak);
  if (techniques.offload)
    applyOffload(schedule, {.set = options.offload, .prefetch = options.prefetch, .free = options.offloadFree, .maxDelay = maxDelay}, input.costs);
  PolicyOptions used = options;
  used.techniques = techniques;
  return emitPlan(schedule, input.device, used, lPeak);
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

Result<Plan, PlanError> compose(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques) {
  const Bytes budget = options.budget.value_or(input.device.memory);
  const Bytes hostBudget = options.hostBudget.value_or(input.device.hostMemory);
  Plan plan = planWith(input, options, techniques, std::numeric_limits<SlotIndex>::max());
  // Bytes freed later than need be are the price of a hidden copy: give them up, little by little, before refusing.
  if (techniques.offload && options.offloadFree == OffloadFree::Hidden)
    for (const SlotIndex delay : {32, 8, 4, 2, 1, 0}) {
      if (plan.arenaBytes <= budget) break;
      Plan tighter = planWith(input, options, techniques, delay);
      if (tighter.arenaBytes < plan.arenaBytes) plan = std::move(tighter);
    }
  if (plan.arenaBytes > budget) return fail(doesNotFit(input, plan, PlanError::Memory::Device, budget));
  if (plan.hostBytes > hostBudget) return fail(doesNotFit(input, plan, PlanError::Memory::Host, hostBudget));
  return plan;
}

}  // namespace peakscope
