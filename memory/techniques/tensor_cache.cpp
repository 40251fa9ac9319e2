// SPDX-License-Identifier: Apache-2.0
//
// The cache's simulation: one walk over the schedule that rewrites each slot's actions.
#include "memory/techniques/tensor_cache.h"

#include <algorithm>
#include <limits>
#include <list>

#include "memory/techniques/offload_set.h"

namespace peakscope {
namespace {

constexpr SlotIndex never = std::numeric_limits<SlotIndex>::max();

class TensorCache {
 public:
  TensorCache(Schedule& schedule, const CacheOptions& options)
      : m_schedule(schedule), m_workload(*schedule.workload), m_options(options), m_uses(usesOnRoute(m_workload)),
        m_candidates(offloadCandidates(m_workload, options.set, schedule.isCheckpoint, schedule.isRebuilt)), m_states(m_workload.tensors.size()) {
    for (const Tensor& tensor : m_workload.tensors)
      if (tensor.isPersistent) m_live += slotOf(tensor.bytes);
    noteTouches();
  }

  bool run() {
    const auto triggers = prefetchTriggers(m_schedule, m_candidates);
    for (m_slot = 0; m_slot < static_cast<SlotIndex>(m_schedule.slots.size()); ++m_slot) {
      Slot& slot = slotAt(m_slot);
      m_actions.clear();
      const std::vector<Action> before = std::move(slot.before);
      for (std::size_t i = 0; i < before.size(); ++i) replay(before, i);
      fetchMissing(slot.op);
      makeRoom(workspaceOf(slot.op), slot.op);
      if (m_options.prefetch == Prefetch::PreviousConvolution)
        for (const TensorId tensor : triggers[static_cast<std::size_t>(m_slot)]) prefetch(tensor);
      slot.before = std::move(m_actions);
      touch(slot.op);

      m_actions.clear();
      const std::vector<Action> after = std::move(slot.after);
      for (std::size_t i = 0; i < after.size(); ++i) replay(after, i);
      slot.after = std::move(m_actions);
    }
    return m_fits;
  }

 private:
  struct State {
    bool isResident = false;
    bool isOnHost = false;                        ///< its complete content has been copied out
    std::vector<SlotIndex> touches;               ///< slots whose op or rebuilds touch it, ascending
    std::size_t nextTouch = 0;
    std::list<TensorId>::iterator place;          ///< in m_order while it is resident and may be evicted
  };

  Slot& slotAt(SlotIndex slot) { return m_schedule.slots[static_cast<std::size_t>(slot)]; }
  Bytes slotOf(Bytes bytes) const { return roundUp(bytes, m_options.alignment); }
  Bytes slotOf(TensorId tensor) const { return slotOf(m_workload.tensors[tensor].bytes); }
  Bytes workspaceOf(OpId op) const { return slotOf(m_workload.ops[op].candidates.front().workspace); }
  bool isCached(TensorId tensor) const { return m_candidates.producer[tensor].isValid(); }
  bool touches(OpId op, TensorId tensor) const {
    const auto& args = m_workload.ops[op].args;
    return std::any_of(args.begin(), args.end(), [&](const OpArg& arg) { return arg.tensor == tensor; });
  }

  void noteTouches() {
    const auto note = [&](OpId op, SlotIndex slot) {
      for (const OpArg& arg : m_workload.ops[op].args)
        if (auto& touches = m_states[arg.tensor].touches; isCached(arg.tensor) && (touches.empty() || touches.back() != slot)) touches.push_back(slot);
    };
    for (SlotIndex slot = 0; slot < static_cast<SlotIndex>(m_schedule.slots.size()); ++slot) {
      for (const Action& action : slotAt(slot).before)
        if (action.kind == ActionKind::Rebuild) note(action.op, slot);
      note(slotAt(slot).op, slot);
    }
  }

  /// Does what the schedule wants, with room for it, and leaves out frees of what has been evicted.
  void replay(const std::vector<Action>& actions, std::size_t index) {
    const Action& action = actions[index];
    switch (action.kind) {
      case ActionKind::Alloc:
        makeRoom(slotOf(action.tensor), consumerOf(actions, index));
        m_actions.push_back(action);
        arrive(action.tensor);
        break;
      case ActionKind::Free:
        if (!m_states[action.tensor].isResident) break;
        m_actions.push_back(action);
        leave(action.tensor);
        break;
      case ActionKind::Rebuild:
        fetchMissing(action.op);
        makeRoom(workspaceOf(action.op), action.op);
        m_actions.push_back(action);
        touch(action.op);
        break;
      case ActionKind::CopyOut:
      case ActionKind::CopyIn:
        m_actions.push_back(action);
        break;
    }
  }

  /// For whom an allocation is made: the next re-run of the slot, or its op.
  OpId consumerOf(const std::vector<Action>& actions, std::size_t index) {
    for (; index < actions.size(); ++index)
      if (actions[index].kind == ActionKind::Rebuild) return actions[index].op;
    return slotAt(m_slot).op;
  }

  void arrive(TensorId tensor) {
    State& state = m_states[tensor];
    state.isResident = true;
    m_live += slotOf(tensor);
    if (isCached(tensor)) state.place = m_order.insert(m_order.begin(), tensor);
  }
  void leave(TensorId tensor) {
    State& state = m_states[tensor];
    state.isResident = false;
    m_live -= slotOf(tensor);
    if (isCached(tensor)) m_order.erase(state.place);
  }

  void fetchMissing(OpId op) {
    for (const OpArg& arg : m_workload.ops[op].args)
      if (isCached(arg.tensor) && m_states[arg.tensor].isOnHost && !m_states[arg.tensor].isResident) {
        makeRoom(slotOf(arg.tensor), op);
        fetch(arg.tensor, CauseKind::FetchedFor);
      }
  }
  void prefetch(TensorId tensor) {
    const State& state = m_states[tensor];
    if (state.isResident || !state.isOnHost || nextUse(tensor) == never) return;
    if (m_live + workspaceOf(slotAt(m_slot).op) + slotOf(tensor) <= m_options.capacity) fetch(tensor, CauseKind::PrefetchedAt);
  }
  void fetch(TensorId tensor, CauseKind why) {
    const Cause cause{why, slotAt(m_slot).op};
    m_actions.push_back({.kind = ActionKind::Alloc, .tensor = tensor, .op = {}, .cause = cause});
    m_actions.push_back({.kind = ActionKind::CopyIn, .tensor = tensor, .op = {}, .cause = cause});
    arrive(tensor);
  }

  void touch(OpId op) {
    for (const OpArg& arg : m_workload.ops[op].args)
      if (isCached(arg.tensor) && m_states[arg.tensor].isResident) m_order.splice(m_order.begin(), m_order, m_states[arg.tensor].place);
  }

  /// The first slot from the present one on that touches the tensor.
  SlotIndex nextUse(TensorId tensor) {
    State& state = m_states[tensor];
    while (state.nextTouch < state.touches.size() && state.touches[state.nextTouch] < m_slot) ++state.nextTouch;
    return state.nextTouch < state.touches.size() ? state.touches[state.nextTouch] : never;
  }

  void makeRoom(Bytes bytes, OpId forOp) {
    while (m_live + bytes > m_options.capacity) {
      TensorId victim = chooseVictim(forOp, slotAt(m_slot).op);
      if (!victim.isValid()) victim = chooseVictim(forOp, forOp);   // what the slot's op needs after this re-run must come back
      if (!victim.isValid()) {
        m_fits = false;
        return;
      }
      evict(victim, forOp);
    }
  }

  TensorId chooseVictim(OpId locking, OpId alsoLocking) {
    TensorId victim;
    SlotIndex farthest = -1;
    for (auto entry = m_order.rbegin(); entry != m_order.rend(); ++entry) {
      // Its content is complete only after its last writer.
      if (m_uses[*entry].lastForwardWriter >= m_slot || touches(locking, *entry) || touches(alsoLocking, *entry)) continue;
      if (m_options.rule == Eviction::LeastRecentlyUsed) return *entry;
      const SlotIndex next = nextUse(*entry);
      if (next > farthest) farthest = next, victim = *entry;
    }
    return victim;
  }

  void evict(TensorId tensor, OpId forOp) {
    const Cause cause{CauseKind::Evicted, forOp};
    State& state = m_states[tensor];
    if (!state.isOnHost) insertCopyOut(slotAt(m_uses[tensor].lastForwardWriter), tensor, cause);
    state.isOnHost = true;
    m_actions.push_back({.kind = ActionKind::Free, .tensor = tensor, .op = {}, .cause = cause});
    leave(tensor);
  }

  Schedule& m_schedule;
  const Workload& m_workload;
  const CacheOptions m_options;
  IdVector<TensorId, TensorUses> m_uses;
  const OffloadCandidates m_candidates;
  IdVector<TensorId, State> m_states;
  std::list<TensorId> m_order;       ///< resident cached tensors, the one touched last in front
  std::vector<Action> m_actions;     ///< of the slot part being rewritten
  SlotIndex m_slot = 0;
  Bytes m_live;
  bool m_fits = true;
};

}  // namespace

bool applyTensorCache(Schedule& schedule, const CacheOptions& options) { return TensorCache(schedule, options).run(); }

}  // namespace peakscope
