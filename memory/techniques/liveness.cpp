// SPDX-License-Identifier: Apache-2.0
//
// Liveness: first and last use on the route, O(uses); so nothing is freed late behind forks and joins.
#include "memory/techniques/liveness.h"

namespace peakscope {

void applyLiveness(Schedule& schedule) {
  const Workload& workload = *schedule.workload;
  const auto uses = usesOnRoute(workload);
  for (Slot& slot : schedule.slots) {
    slot.before.clear();
    slot.after.clear();
  }
  for (const TensorId tensor : idsOf(workload.tensors)) {
    const TensorUses& use = uses[tensor];
    if (workload.tensors[tensor].isPersistent || use.first < 0) continue;
    Slot& first = schedule.slots[static_cast<std::size_t>(use.first)];
    Slot& last = schedule.slots[static_cast<std::size_t>(use.last)];
    first.before.push_back({.kind = ActionKind::Alloc, .tensor = tensor, .cause = {CauseKind::FirstUse, first.op}});
    last.after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = {CauseKind::LastUse, last.op}});
  }
}

}  // namespace peakscope
