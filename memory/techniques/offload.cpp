// SPDX-License-Identifier: Apache-2.0
//
// Offload and prefetch: which tensors leave, when their copies start and their bytes become free, and when they come back.
#include "memory/techniques/offload.h"

#include <algorithm>

#include "memory/techniques/offload_set.h"

namespace peakscope {
namespace {

using std::chrono::nanoseconds;

class Offload {
 public:
  Offload(Schedule& schedule, const OffloadOptions& options, const CostTable& costs)
      : m_schedule(schedule), m_workload(*schedule.workload), m_options(options), m_costs(costs), m_uses(usesOnRoute(m_workload)),
        m_candidates(offloadCandidates(m_workload, options.set, schedule.isCheckpoint, schedule.isRebuilt)), m_later(laterUses(schedule)), m_prefetchAt(m_workload.tensors.size(), -1) {}

  void run() {
    findPrefetches();
    if (m_options.free == OffloadFree::Hidden) estimateEnds();
    // In the order in which their copies are queued.
    std::vector<TensorId> leaving;
    for (const TensorId tensor : idsOf(m_workload.tensors))
      if (m_candidates.producer[tensor].isValid() && m_later.last[tensor] > m_uses[tensor].lastForward) leaving.push_back(tensor);
    std::stable_sort(leaving.begin(), leaving.end(), [&](TensorId a, TensorId b) { return m_uses[a].lastForwardWriter < m_uses[b].lastForwardWriter; });
    for (const TensorId tensor : leaving) move(tensor);
  }

 private:
  Slot& slotAt(SlotIndex slot) { return m_schedule.slots[static_cast<std::size_t>(slot)]; }

  void findPrefetches() {
    if (m_options.prefetch == Prefetch::OnDemand) return;
    const auto triggers = prefetchTriggers(m_schedule, m_candidates);
    for (std::size_t index = 0; index < triggers.size(); ++index)
      for (const TensorId tensor : triggers[index])
        if (const auto trigger = static_cast<SlotIndex>(index); m_later.last[tensor] >= trigger) m_prefetchAt[tensor] = trigger;
  }

  void estimateEnds() {
    nanoseconds clock{0};
    for (const Slot& slot : m_schedule.slots) {
      for (const Action& action : slot.before)
        if (action.kind == ActionKind::Rebuild) clock += m_costs.opTime(action.op, 0);
      clock += m_costs.opTime(slot.op, 0);
      m_endOf.push_back(clock);
    }
  }

  void move(TensorId tensor) {
    const SlotIndex lastForward = m_uses[tensor].lastForward;
    const SlotIndex last = m_later.last[tensor];
    Slot& away = slotAt(lastForward);
    removeFree(slotAt(last), tensor);
    const Cause offloaded{CauseKind::Offloaded, away.op};
    insertCopyOut(slotAt(m_uses[tensor].lastForwardWriter), tensor, offloaded);

    const SlotIndex fetchAt = fetch(tensor);
    const SlotIndex freeAt = m_options.free == OffloadFree::LastReader ? lastForward : hiddenFree(tensor, lastForward, fetchAt);
    slotAt(freeAt).after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = offloaded});
    slotAt(last).after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = {CauseKind::LastUse, slotAt(last).op}});
  }

  /// Inserts the fetch and returns its slot.
  SlotIndex fetch(TensorId tensor) {
    const auto earliest = [](SlotIndex a, SlotIndex b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); };
    const SlotIndex needed = earliest(m_later.firstBackward[tensor], m_later.firstRebuild[tensor]);
    const bool isPrefetched = m_prefetchAt[tensor] >= 0 && m_prefetchAt[tensor] < needed;
    const SlotIndex at = isPrefetched ? m_prefetchAt[tensor] : needed;
    Slot& slot = slotAt(at);
    const Cause cause{isPrefetched ? CauseKind::PrefetchedAt : CauseKind::FetchedFor, slot.op};
    auto place = slot.before.begin();
    if (!isPrefetched && m_later.firstBackward[tensor] != at) place = startOfRebuildReading(slot, tensor);
    place = slot.before.insert(place, {.kind = ActionKind::CopyIn, .tensor = tensor, .cause = cause});
    slot.before.insert(place, {.kind = ActionKind::Alloc, .tensor = tensor, .cause = cause});
    return at;
  }

  /// The first allocation of the rebuild that reads the tensor.
  std::vector<Action>::iterator startOfRebuildReading(Slot& slot, TensorId tensor) {
    auto rebuild = std::find_if(slot.before.begin(), slot.before.end(), [&](const Action& action) {
      if (action.kind != ActionKind::Rebuild) return false;
      const auto& args = m_workload.ops[action.op].args;
      return std::any_of(args.begin(), args.end(), [&](const OpArg& arg) { return arg.tensor == tensor; });
    });
    while (rebuild != slot.before.begin() && std::prev(rebuild)->kind == ActionKind::Alloc) --rebuild;
    return rebuild;
  }

  /// The first slot at whose end the copy is over by the cost table, and before the fetch.
  SlotIndex hiddenFree(TensorId tensor, SlotIndex lastForward, SlotIndex fetchAt) {
    const nanoseconds begin = std::max(m_endOf[static_cast<std::size_t>(m_uses[tensor].lastForwardWriter)], m_copyOutFree);
    const nanoseconds end = begin + m_costs.copyTime(m_workload.tensors[tensor].bytes);
    m_copyOutFree = end;
    SlotIndex slot = lastForward;
    while (slot + 1 < fetchAt && slot - lastForward < m_options.maxDelay && m_endOf[static_cast<std::size_t>(slot)] < end) ++slot;
    return slot;
  }

  Schedule& m_schedule;
  const Workload& m_workload;
  const OffloadOptions m_options;
  const CostTable& m_costs;
  IdVector<TensorId, TensorUses> m_uses;
  const OffloadCandidates m_candidates;
  const LaterUses m_later;
  IdVector<TensorId, SlotIndex> m_prefetchAt;
  std::vector<nanoseconds> m_endOf;
  nanoseconds m_copyOutFree{0};
};

}  // namespace

void applyOffload(Schedule& schedule, const OffloadOptions& options, const CostTable& costs) { Offload(schedule, options, costs).run(); }

}  // namespace peakscope
