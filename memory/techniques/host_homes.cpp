// SPDX-License-Identifier: Apache-2.0
#include "memory/techniques/host_homes.h"

#include <algorithm>
#include <vector>

namespace peakscope {
namespace {

struct Touch {
  SlotIndex slot = 0;
  bool isWrite = false;
};

/// Per tensor that lives on the host: the slots that touch it, in order.
IdVector<TensorId, std::vector<Touch>> touchesOf(const Schedule& schedule) {
  const Workload& workload = *schedule.workload;
  IdVector<TensorId, std::vector<Touch>> touches(workload.tensors.size());
  const auto note = [&](OpId op, SlotIndex slot) {
    for (const OpArg& arg : workload.ops[op].args) {
      if (!workload.tensors[arg.tensor].livesOnHost) continue;
      std::vector<Touch>& list = touches[arg.tensor];
      if (list.empty() || list.back().slot != slot) list.push_back({.slot = slot});
      list.back().isWrite = list.back().isWrite || writesTensor(arg.access);
    }
  };
  for (SlotIndex slot = 0; slot < static_cast<SlotIndex>(schedule.slots.size()); ++slot) {
    const Slot& entry = schedule.slots[static_cast<std::size_t>(slot)];
    for (const Action& action : entry.before)
      if (action.kind == ActionKind::Rebuild) note(action.op, slot);
    note(entry.op, slot);
  }
  return touches;
}

}  // namespace

void applyHostHomes(Schedule& schedule, const HostHomeOptions& options) {
  const auto slotAt = [&](SlotIndex slot) -> Slot& { return schedule.slots[static_cast<std::size_t>(slot)]; };
  const auto lastSlot = static_cast<SlotIndex>(schedule.slots.size()) - 1;
  const auto touches = touchesOf(schedule);
  for (const TensorId tensor : idsOf(touches)) {
    const std::vector<Touch>& list = touches[tensor];
    for (std::size_t first = 0; first < list.size();) {
      std::size_t last = first;
      bool isWritten = list[first].isWrite;
      while (last + 1 < list.size() && list[last + 1].slot <= list[last].slot + 1) isWritten = list[++last].isWrite || isWritten;

      const SlotIndex begin = list[first].slot, end = list[last].slot;
      const bool isAhead = options.prefetch == Prefetch::PreviousConvolution && begin > 0;
      Slot& fetchAt = slotAt(isAhead ? begin - 1 : begin);
      const Cause fetched{isAhead ? CauseKind::PrefetchedAt : CauseKind::FetchedFor, fetchAt.op};
      fetchAt.before.insert(fetchAt.before.begin(), {{.kind = ActionKind::Alloc, .tensor = tensor, .op = {}, .cause = fetched},
                                                     {.kind = ActionKind::CopyIn, .tensor = tensor, .op = {}, .cause = fetched}});
      Slot& away = slotAt(end);
      const Cause left{isWritten ? CauseKind::WrittenBack : CauseKind::LastUse, away.op};
      if (isWritten) away.after.insert(away.after.begin(), {.kind = ActionKind::CopyOut, .tensor = tensor, .op = {}, .cause = left});
      const bool isLater = isWritten && options.free == OffloadFree::Hidden && last + 1 == list.size();
      slotAt(isLater ? std::min(end + 1, lastSlot) : end).after.push_back({.kind = ActionKind::Free, .tensor = tensor, .op = {}, .cause = left});
      first = last + 1;
    }
  }
}

}  // namespace peakscope
