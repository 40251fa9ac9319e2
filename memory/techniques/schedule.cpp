// SPDX-License-Identifier: Apache-2.0
//
// Where the route uses each tensor, and the schedule that every policy starts from.
#include "memory/techniques/schedule.h"

#include <algorithm>

namespace peakscope {

bool isForward(Phase phase) { return phase == Phase::Load || phase == Phase::Forward; }

IdVector<TensorId, TensorUses> usesOnRoute(const Workload& workload) {
  IdVector<TensorId, TensorUses> uses(workload.tensors.size());
  for (SlotIndex slot = 0; slot < static_cast<SlotIndex>(workload.route.size()); ++slot) {
    const Op& op = workload.ops[workload.route[static_cast<std::size_t>(slot)]];
    for (const OpArg& arg : op.args) {
      TensorUses& use = uses[arg.tensor];
      if (use.first < 0) use.first = slot;
      if (isForward(op.phase)) use.lastForward = slot;
      if (isForward(op.phase) && writesTensor(arg.access)) use.lastForwardWriter = slot;
      use.last = slot;
    }
  }
  return uses;
}

void removeFree(Slot& slot, TensorId tensor) {
  std::erase_if(slot.after, [&](const Action& action) { return action.kind == ActionKind::Free && action.tensor == tensor; });
}

Schedule keepEverything(const Workload& workload) {
  Schedule schedule{.workload = &workload};
  for (const WorkloadLayer& layer : workload.layers) schedule.isCheckpoint.push_back(isCheckpoint(layer.layerClass));
  schedule.isRebuilt = IdVector<TensorId, char>(workload.tensors.size(), 0);
  schedule.slots.reserve(workload.route.size());
  for (const OpId op : workload.route) schedule.slots.push_back({.op = op});
  if (schedule.slots.empty()) return schedule;
  const auto uses = usesOnRoute(workload);
  for (const TensorId tensor : idsOf(workload.tensors)) {
    if (workload.tensors[tensor].isPersistent || workload.tensors[tensor].livesOnHost || uses[tensor].first < 0) continue;
    const Cause cause{.kind = CauseKind::KeepAll};
    schedule.slots.front().before.push_back({.kind = ActionKind::Alloc, .tensor = tensor, .cause = cause});
    schedule.slots.back().after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = cause});
  }
  return schedule;
}

}  // namespace peakscope
