// SPDX-License-Identifier: Apache-2.0
//
// Liveness: first and last use on the route, O(uses); so nothing is freed late behind forks and joins.
#include "memory/techniques/liveness.h"

namespace peakscope {

void applyLiveness(Schedule& schedule, LivenessScope scope) {
  const Workload& workload = *schedule.workload;
  const auto uses = usesOnRoute(workload);
  const auto lives = [&](const Action& action) {
    return scope == LivenessScope::Everything || workload.tensors[action.tensor].kind == TensorKind::ActivationGrad;
  };
  for (Slot& slot : schedule.slots) {
    std::erase_if(slot.before, lives);
    std::erase_if(slot.after, lives);
  }
  for (const TensorId tensor : idsOf(workload.tensors)) {
    const TensorUses& use = uses[tensor];
    if (workload.tensors[tensor].isPersistent || workload.tensors[tensor].livesOnHost || use.first < 0) continue;
    Slot& first = schedule.slots[static_cast<std::size_t>(use.first)];
    Slot& last = schedule.slots[static_cast<std::size_t>(use.last)];
    const Action alloc{.kind = ActionKind::Alloc, .tensor = tensor, .op = {}, .cause = {CauseKind::FirstUse, first.op}};
    if (!lives(alloc)) continue;
    first.before.push_back(alloc);
    last.after.push_back({.kind = ActionKind::Free, .tensor = tensor, .op = {}, .cause = {CauseKind::LastUse, last.op}});
  }
}

}  // namespace peakscope
