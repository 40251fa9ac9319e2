// SPDX-License-Identifier: Apache-2.0
//
// Recomputation: segments are found once; then one walk over backward keeps track of what has been rebuilt and is still there.
#include "memory/techniques/recompute.h"

#include <algorithm>
#include <span>

namespace peakscope {
namespace {

class Recompute {
 public:
  Recompute(Schedule& schedule, RecomputeMode mode, const LayerPeak& lPeak)
      : m_schedule(schedule), m_workload(*schedule.workload), m_uses(usesOnRoute(m_workload)), m_rebuildOf(m_workload.tensors.size()),
        m_position(m_workload.ops.size(), -1), m_segmentOf(m_workload.tensors.size(), -1), m_isResident(m_workload.tensors.size(), 0), m_lastRead(m_workload.tensors.size(), -1) {
    findSegments(mode, lPeak);
  }

  void run() {
    dropAfterForward();
    for (SlotIndex slot = 0; slot < static_cast<SlotIndex>(m_schedule.slots.size()); ++slot)
      if (!isForward(phaseOf(slot))) rebuildFor(slot);
    keepCheckpoints();
  }

 private:
  Phase phaseOf(SlotIndex slot) const { return m_workload.ops[slotAt(slot).op].phase; }
  const Slot& slotAt(SlotIndex slot) const { return m_schedule.slots[static_cast<std::size_t>(slot)]; }
  Slot& slotAt(SlotIndex slot) { return m_schedule.slots[static_cast<std::size_t>(slot)]; }
  bool isDropped(TensorId tensor) const { return !m_rebuildOf[tensor].empty(); }

  bool touches(OpId op, TensorId tensor) const {
    const auto& args = m_workload.ops[op].args;
    return std::any_of(args.begin(), args.end(), [&](const OpArg& arg) { return arg.tensor == tensor; });
  }

  /// A tensor written by a rebuild op belongs to the segment of the activation which that op reads first.
  void findSegments(RecomputeMode mode, const LayerPeak& lPeak) {
    const auto canRerun = rerunnable();
    for (const OpId& id : m_workload.route) {
      const Op& op = m_workload.ops[id];
      if (canRerun[id] == 0) continue;
      TensorId src;
      Bytes cost;
      for (const OpArg& arg : m_workload.ops[op.rebuild].args) {
        const Tensor& tensor = m_workload.tensors[arg.tensor];
        if (tensor.kind != TensorKind::Activation && tensor.kind != TensorKind::Input) continue;
        if (readsTensor(arg.access) && !src.isValid()) src = arg.tensor;   // an op in place goes on with its own tensor
        cost += tensor.shapeBytes;
      }
      if (!src.isValid()) continue;   // nothing to start from: lowering gives such ops no rebuild
      std::int32_t segment = m_segmentOf[src];
      if (segment < 0) {
        segment = static_cast<std::int32_t>(m_schedule.segments.size());
        m_schedule.segments.push_back({.checkpoint = src});
        m_segmentOf[src] = segment;
      }
      Segment& entry = m_schedule.segments[static_cast<std::size_t>(segment)];
      entry.layers.push_back(op.layer);
      m_position[op.rebuild] = static_cast<SlotIndex>(&id - m_workload.route.data());
      entry.cost += cost;
      for (const OpArg& arg : m_workload.ops[op.rebuild].args) {
        if (!writesTensor(arg.access)) continue;
        m_rebuildOf[arg.tensor].push_back(op.rebuild);
        m_schedule.isRebuilt[arg.tensor] = 1;
        m_segmentOf[arg.tensor] = segment;
      }
    }
    for (Segment& segment : m_schedule.segments)
      segment.mode = mode != RecomputeMode::CostAware ? mode : segment.cost > lPeak.bytes ? RecomputeMode::Memory : RecomputeMode::Speed;
  }

  /// The forward ops that may run again: not those of checkpoints, and only if whatever they write comes back whole by
  /// running its writers again. A tensor that a checkpoint changes in place afterwards would not, nor would a weight.
  IdVector<OpId, char> rerunnable() const {
    IdVector<OpId, char> canRerun(m_workload.ops.size(), 0);
    for (const OpId id : m_workload.route) {
      const Op& op = m_workload.ops[id];
      canRerun[id] = op.phase == Phase::Forward && op.rebuild.isValid() && m_schedule.isCheckpoint[op.layer] == 0;
    }
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      IdVector<TensorId, char> comesBack(m_workload.tensors.size(), 1);
      for (const OpId id : m_workload.route)
        for (const OpArg& arg : m_workload.ops[id].args)
          if (writesTensor(arg.access) && (canRerun[id] == 0 || m_workload.tensors[arg.tensor].isPersistent)) comesBack[arg.tensor] = 0;
      for (const OpId id : m_workload.route) {
        if (canRerun[id] == 0) continue;
        const auto& args = m_workload.ops[m_workload.ops[id].rebuild].args;
        if (std::all_of(args.begin(), args.end(), [&](const OpArg& arg) { return !writesTensor(arg.access) || comesBack[arg.tensor] != 0; })) continue;
        canRerun[id] = 0;
        hasChanged = true;
      }
    }
    return canRerun;
  }

  void dropAfterForward() {
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      const TensorUses& use = m_uses[tensor];
      if (!isDropped(tensor) || use.last == use.lastForward) continue;
      removeFree(slotAt(use.last), tensor);
      Slot& slot = slotAt(use.lastForward);
      slot.after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = {CauseKind::DroppedForRecompute, slot.op}});
    }
  }

  void rebuildFor(SlotIndex index) {
    Slot& slot = slotAt(index);
    std::vector<Action> actions;
    for (const OpArg& arg : m_workload.ops[slot.op].args)
      if (isDropped(arg.tensor) && !m_isResident[arg.tensor]) rebuildChain(arg.tensor, index, actions);
    slot.before.insert(slot.before.begin(), actions.begin(), actions.end());
    for (std::size_t i = 0; i < m_rebuilt.size();) {
      const TensorId tensor = m_rebuilt[i];
      if (m_uses[tensor].last > index) {
        ++i;
        continue;
      }
      slot.after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = {CauseKind::LastUse, slot.op}});
      m_isResident[tensor] = 0;
      m_rebuilt.erase(m_rebuilt.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void rebuildChain(TensorId wanted, SlotIndex index, std::vector<Action>& actions) {
    // Walk back to what is resident, then re-run forwards.
    std::vector<OpId> chain;
    std::vector<TensorId> missing{wanted};
    while (!missing.empty()) {
      const TensorId tensor = missing.back();
      missing.pop_back();
      for (const OpId op : m_rebuildOf[tensor]) {
        if (std::find(chain.begin(), chain.end(), op) != chain.end()) continue;
        chain.push_back(op);
        for (const OpArg& arg : m_workload.ops[op].args)
          if (isDropped(arg.tensor) && !m_isResident[arg.tensor] && arg.tensor != tensor) missing.push_back(arg.tensor);
      }
    }
    std::sort(chain.begin(), chain.end(), [&](OpId a, OpId b) { return m_position[a] < m_position[b]; });
    for (std::size_t i = 0; i < chain.size(); ++i) rerun(chain[i], index, std::span(chain).subspan(i + 1), actions);
  }

  /// `ahead`: what is re-run after it in the same chain.
  void rerun(OpId op, SlotIndex index, std::span<const OpId> ahead, std::vector<Action>& actions) {
    const OpId wantedBy = slotAt(index).op;
    const Cause cause{CauseKind::RebuiltFor, wantedBy};
    for (const OpArg& arg : m_workload.ops[op].args) {
      if (!writesTensor(arg.access) || m_isResident[arg.tensor]) continue;
      actions.push_back({.kind = ActionKind::Alloc, .tensor = arg.tensor, .cause = cause});
      m_isResident[arg.tensor] = 1;
      m_rebuilt.push_back(arg.tensor);
    }
    actions.push_back({.kind = ActionKind::Rebuild, .op = op, .cause = cause});
    ++m_schedule.extraForwards;
    for (const OpArg& arg : m_workload.ops[op].args) {
      if (writesTensor(arg.access)) continue;
      if (!isDropped(arg.tensor)) {
        m_lastRead[arg.tensor] = index;
        continue;
      }
      const auto& segment = m_schedule.segments[static_cast<std::size_t>(m_segmentOf[arg.tensor])];
      if (segment.mode != RecomputeMode::Memory || touches(wantedBy, arg.tensor)) continue;
      if (std::any_of(ahead.begin(), ahead.end(), [&](OpId later) { return touches(later, arg.tensor); })) continue;
      actions.push_back({.kind = ActionKind::Free, .tensor = arg.tensor, .cause = {CauseKind::DroppedWhileRebuilding, wantedBy}});
      m_isResident[arg.tensor] = 0;
      std::erase(m_rebuilt, arg.tensor);
    }
  }

  /// What a rebuild starts from lives until the last rebuild, even if no backward op reads it.
  void keepCheckpoints() {
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      const SlotIndex last = m_uses[tensor].last;
      if (m_workload.tensors[tensor].isPersistent || m_workload.tensors[tensor].livesOnHost || m_lastRead[tensor] <= last) continue;
      removeFree(slotAt(last), tensor);
      Slot& slot = slotAt(m_lastRead[tensor]);
      slot.after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = {CauseKind::LastUse, slot.op}});
    }
  }

  Schedule& m_schedule;
  const Workload& m_workload;
  IdVector<TensorId, TensorUses> m_uses;
  IdVector<TensorId, std::vector<OpId>> m_rebuildOf;   ///< the ops that rebuild a dropped tensor, in their order
  IdVector<OpId, SlotIndex> m_position;          ///< of a rebuild op: where its forward op stands
  IdVector<TensorId, std::int32_t> m_segmentOf;
  IdVector<TensorId, char> m_isResident;         ///< of dropped tensors, while walking backward
  IdVector<TensorId, SlotIndex> m_lastRead;      ///< last slot with a rebuild that starts from it
  std::vector<TensorId> m_rebuilt;               ///< resident dropped tensors, in the order of their rebuild
};

}  // namespace

void applyRecompute(Schedule& schedule, RecomputeMode mode, const LayerPeak& lPeak) { Recompute(schedule, mode, lPeak).run(); }

}  // namespace peakscope
