// SPDX-License-Identifier: Apache-2.0
//
// Offload and prefetch: which tensors leave, when their copies start and their bytes become free, and when they come back.
#include "memory/techniques/offload.h"

#include <algorithm>

namespace peakscope {
namespace {

using std::chrono::nanoseconds;

bool isOffloaded(LayerClass layerClass, OffloadSet set) {
  switch (layerClass) {
    case LayerClass::Convolution: return true;
    case LayerClass::FullyConnected:
    case LayerClass::Join:
    case LayerClass::Fork:
    case LayerClass::Concat: return set == OffloadSet::Checkpoints;
    case LayerClass::Data:
    case LayerClass::Loss:
    case LayerClass::Cheap: return false;
  }
  return false;
}

class Offload {
 public:
  Offload(Schedule& schedule, const OffloadOptions& options, const CostTable& costs)
      : m_schedule(schedule), m_workload(*schedule.workload), m_options(options), m_costs(costs), m_uses(usesOnRoute(m_workload)),
        m_producer(m_workload.tensors.size()), m_prefetchAt(m_workload.tensors.size(), -1), m_firstRebuild(m_workload.tensors.size(), -1),
        m_firstBackward(m_workload.tensors.size(), -1), m_last(m_workload.tensors.size(), -1),
        m_outputsOf(m_workload.layers.size()) {}

  void run() {
    findProducers();
    findLaterUses();
    findPrefetches();
    if (m_options.free == OffloadFree::Hidden) estimateEnds();
    // In the order in which their copies are queued.
    std::vector<TensorId> leaving;
    for (const TensorId tensor : idsOf(m_workload.tensors))
      if (m_producer[tensor].isValid() && m_last[tensor] > m_uses[tensor].lastForward) leaving.push_back(tensor);
    std::stable_sort(leaving.begin(), leaving.end(), [&](TensorId a, TensorId b) { return m_uses[a].lastForwardWriter < m_uses[b].lastForwardWriter; });
    for (const TensorId tensor : leaving) move(tensor);
  }

 private:
  Slot& slotAt(SlotIndex slot) { return m_schedule.slots[static_cast<std::size_t>(slot)]; }
  SlotIndex slotCount() const { return static_cast<SlotIndex>(m_schedule.slots.size()); }

  /// The outputs that may be offloaded: activations written by a forward op of a layer in the set.
  void findProducers() {
    for (const OpId id : m_workload.route) {
      const Op& op = m_workload.ops[id];
      if (op.phase != Phase::Forward || !isOffloaded(m_workload.layers[op.layer].layerClass, m_options.set)) continue;
      for (const OpArg& arg : op.args) {
        const Tensor& tensor = m_workload.tensors[arg.tensor];
        // ReadWrite is another layer's output changed in place (the paper's join sums into input 0).
        if (arg.access == Access::Write && tensor.kind == TensorKind::Activation && !tensor.isPersistent) {
          m_producer[arg.tensor] = id;
          m_outputsOf[op.layer].push_back(arg.tensor);
        }
      }
    }
  }

  void findLaterUses() {
    for (SlotIndex index = 0; index < slotCount(); ++index) {
      const Slot& slot = slotAt(index);
      for (const Action& action : slot.before)
        if (action.kind == ActionKind::Rebuild)
          for (const OpArg& arg : m_workload.ops[action.op].args) {
            if (m_firstRebuild[arg.tensor] < 0) m_firstRebuild[arg.tensor] = index;
            m_last[arg.tensor] = index;
          }
      for (const OpArg& arg : m_workload.ops[slot.op].args) {
        if (!isForward(m_workload.ops[slot.op].phase) && m_firstBackward[arg.tensor] < 0) m_firstBackward[arg.tensor] = index;
        m_last[arg.tensor] = index;
      }
    }
  }

  /// At the backward op of an offloading layer, the outputs of the next one in backward order are fetched.
  void findPrefetches() {
    if (m_options.prefetch == Prefetch::OnDemand) return;
    SlotIndex trigger = -1;
    for (SlotIndex index = 0; index < slotCount(); ++index) {
      const Op& op = m_workload.ops[slotAt(index).op];
      if (op.phase != Phase::Backward || !isOffloaded(m_workload.layers[op.layer].layerClass, m_options.set)) continue;
      if (trigger >= 0)
        for (const TensorId tensor : m_outputsOf[op.layer])
          if (m_last[tensor] >= trigger) m_prefetchAt[tensor] = trigger;
      trigger = index;
    }
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
    const SlotIndex last = m_last[tensor];
    Slot& away = slotAt(lastForward);
    removeFree(slotAt(last), tensor);
    const Cause offloaded{CauseKind::Offloaded, away.op};
    // The copy runs beside the forward readers; frees of the writer's slot need not wait for it.
    Slot& written = slotAt(m_uses[tensor].lastForwardWriter);
    const auto isFree = [](const Action& action) { return action.kind == ActionKind::Free; };
    written.after.insert(std::find_if(written.after.begin(), written.after.end(), isFree),
                         {.kind = ActionKind::CopyOut, .tensor = tensor, .cause = offloaded});

    const SlotIndex fetchAt = fetch(tensor);
    const SlotIndex freeAt = m_options.free == OffloadFree::LastReader ? lastForward : hiddenFree(tensor, lastForward, fetchAt);
    slotAt(freeAt).after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = offloaded});
    slotAt(last).after.push_back({.kind = ActionKind::Free, .tensor = tensor, .cause = {CauseKind::LastUse, slotAt(last).op}});
  }

  /// Inserts the fetch and returns its slot.
  SlotIndex fetch(TensorId tensor) {
    const auto earliest = [](SlotIndex a, SlotIndex b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); };
    const SlotIndex needed = earliest(m_firstBackward[tensor], m_firstRebuild[tensor]);
    const bool isPrefetched = m_prefetchAt[tensor] >= 0 && m_prefetchAt[tensor] < needed;
    const SlotIndex at = isPrefetched ? m_prefetchAt[tensor] : needed;
    Slot& slot = slotAt(at);
    const Cause cause{isPrefetched ? CauseKind::PrefetchedAt : CauseKind::FetchedFor, slot.op};
    auto place = slot.before.begin();
    if (!isPrefetched && m_firstBackward[tensor] != at) place = startOfRebuildReading(slot, tensor);
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
  IdVector<TensorId, OpId> m_producer;
  IdVector<TensorId, SlotIndex> m_prefetchAt, m_firstRebuild, m_firstBackward, m_last;
  IdVector<LayerId, std::vector<TensorId>> m_outputsOf;
  std::vector<nanoseconds> m_endOf;
  nanoseconds m_copyOutFree{0};
};

}  // namespace

void applyOffload(Schedule& schedule, const OffloadOptions& options, const CostTable& costs) { Offload(schedule, options, costs).run(); }

}  // namespace peakscope
