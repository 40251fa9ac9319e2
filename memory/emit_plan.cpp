// SPDX-License-Identifier: Apache-2.0
//
// Note [Waits that make lanes safe]
//   CopyOut   its lane waits for the op after which it stands: the last writer has finished
//   CopyIn    its lane waits for the allocation of its bytes: whoever had them before is done, on every lane
//   Run       compute waits for each arriving tensor that it touches
//   Free      compute waits for the copy that still reads or writes the bytes
//   end       compute waits for what is left: nothing crosses the iteration boundary
#include "memory/emit_plan.h"

#include <algorithm>
#include <map>

#include "memory/placement.h"

namespace peakscope {
namespace {

class Emitter {
 public:
  Emitter(const Schedule& schedule, const DeviceSpec& device, const PolicyOptions& options)
      : m_schedule(schedule), m_workload(*schedule.workload), m_pending(m_workload.tensors.size()), m_allocatedAt(m_workload.tensors.size()),
        m_openBlock(m_workload.tensors.size(), -1), m_hostBlock(m_workload.tensors.size(), -1) {
    m_plan.options = options;
    m_plan.alignment = device.alignment;
  }

  Plan run() {
    placePersistent();
    for (const Slot& slot : m_schedule.slots) emit(slot);
    for (const TensorId tensor : idsOf(m_workload.tensors)) awaitCopy(tensor);
    place();
    m_plan.segments = m_schedule.segments;
    m_plan.extraForwards = m_schedule.extraForwards;
    return std::move(m_plan);
  }

 private:
  PlanStepId add(PlanAction action, Cause cause) {
    m_plan.steps.push_back({.action = action, .paperStep = m_paperStep, .cause = cause});
    return PlanStepId{static_cast<std::int32_t>(m_plan.steps.size()) - 1};
  }
  std::int32_t now() const { return static_cast<std::int32_t>(m_plan.steps.size()); }
  Bytes slotBytes(Bytes bytes) const { return roundUp(bytes, m_plan.alignment); }

  void placePersistent() {
    m_plan.persistentOffsets = IdVector<TensorId, Bytes>(m_workload.tensors.size(), Bytes{-1});
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      if (!m_workload.tensors[tensor].isPersistent) continue;
      m_plan.persistentOffsets[tensor] = m_plan.persistentBytes;
      m_plan.persistentBytes += slotBytes(m_workload.tensors[tensor].bytes);
    }
  }

  void emit(const Slot& slot) {
    const Op& op = m_workload.ops[slot.op];
    m_paperStep = op.paperStep;
    PlanStepId lastRun;
    for (const Action& action : slot.before) emit(action, lastRun);
    lastRun = emitRun(slot.op, {CauseKind::Route, slot.op});
    if (op.phase == Phase::Load)
      for (const OpArg& arg : op.args) m_pending[arg.tensor] = lastRun;
    for (const Action& action : slot.after) emit(action, lastRun);
  }

  void emit(const Action& action, PlanStepId lastRun) {
    const TensorId tensor = action.tensor;
    switch (action.kind) {
      case ActionKind::Alloc:
        m_openBlock[tensor] = static_cast<std::int32_t>(m_blocks.size());
        m_blockStep.push_back(now());
        m_blocks.push_back({.begin = now(), .bytes = slotBytes(m_workload.tensors[tensor].bytes)});
        m_allocatedAt[tensor] = add(AllocStep{.tensor = tensor}, action.cause);
        break;
      case ActionKind::Free:
        awaitCopy(tensor);
        m_blocks[static_cast<std::size_t>(m_openBlock[tensor])].end = now();
        add(FreeStep{tensor}, action.cause);
        break;
      case ActionKind::Rebuild:
        emitRun(action.op, action.cause);
        break;
      case ActionKind::CopyOut:
        add(WaitStep{.lane = Lane::CopyOut, .on = lastRun}, action.cause);
        m_hostBlock[tensor] = static_cast<std::int32_t>(m_hostBlocks.size());
        m_hostBlocks.push_back({.begin = now(), .end = INT32_MAX, .bytes = m_workload.tensors[tensor].bytes});
        m_pending[tensor] = add(CopyOutStep{.tensor = tensor}, action.cause);
        break;
      case ActionKind::CopyIn:
        add(WaitStep{.lane = Lane::CopyIn, .on = m_allocatedAt[tensor]}, action.cause);
        m_pending[tensor] = add(CopyInStep{.tensor = tensor}, action.cause);
        break;
    }
  }

  PlanStepId emitRun(OpId id, Cause cause) {
    const Op& op = m_workload.ops[id];
    for (const OpArg& arg : op.args)
      if (isArriving(arg.tensor)) awaitCopy(arg.tensor);
    const Bytes workspace = op.candidates.empty() ? Bytes{} : op.candidates.front().workspace;
    if (workspace > Bytes{}) {
      m_blockStep.push_back(now());
      m_blocks.push_back({.begin = now(), .end = now() + 1, .bytes = slotBytes(workspace)});
    }
    return add(RunStep{.op = id}, cause);
  }

  /// A copy in or the load of an input; a copy out only reads the bytes, as ops may do meanwhile.
  bool isArriving(TensorId tensor) const {
    const PlanStepId step = m_pending[tensor];
    return step.isValid() && !std::holds_alternative<CopyOutStep>(m_plan.steps[static_cast<std::size_t>(step.index)].action);
  }

  void awaitCopy(TensorId tensor) {
    const PlanStepId on = m_pending[tensor];
    if (!on.isValid()) return;
    const Cause cause = m_plan.steps[static_cast<std::size_t>(on.index)].cause;
    add(WaitStep{.lane = Lane::Compute, .on = on}, cause);
    // A load fills several tensors with one step; one wait is enough for all of them.
    for (PlanStepId& pending : m_pending)
      if (pending == on) pending = {};
  }

  void place() {
    for (Block& block : m_blocks)
      if (block.end == 0) block.end = now();
    const Bytes extent = placeBlocks(m_blocks);
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
      const Bytes offset = m_plan.persistentBytes + m_blocks[i].offset;
      PlanAction& action = m_plan.steps[static_cast<std::size_t>(m_blockStep[i])].action;
      if (auto* alloc = std::get_if<AllocStep>(&action)) alloc->offset = offset;
      if (auto* run = std::get_if<RunStep>(&action)) run->workspaceOffset = offset;
    }
    m_plan.arenaBytes = m_plan.persistentBytes + extent;
    placeHost();
  }

  /// A host block lives from its copy out to the end and is packed: host bytes are what is offloaded, to the byte.
  void placeHost() {
    Bytes offset;
    for (Block& block : m_hostBlocks) {
      block.offset = offset;
      offset += block.bytes;
    }
    m_plan.hostBytes = offset;
    for (PlanStep& step : m_plan.steps) {
      if (auto* out = std::get_if<CopyOutStep>(&step.action)) out->hostOffset = hostOffset(out->tensor);
      if (auto* in = std::get_if<CopyInStep>(&step.action)) in->hostOffset = hostOffset(in->tensor);
    }
  }
  Bytes hostOffset(TensorId tensor) const { return m_hostBlocks[static_cast<std::size_t>(m_hostBlock[tensor])].offset; }

  const Schedule& m_schedule;
  const Workload& m_workload;
  Plan m_plan;
  PaperStep m_paperStep = 0;
  IdVector<TensorId, PlanStepId> m_pending;       ///< the copy that has not been awaited yet
  IdVector<TensorId, PlanStepId> m_allocatedAt;
  IdVector<TensorId, std::int32_t> m_openBlock;
  IdVector<TensorId, std::int32_t> m_hostBlock;
  std::vector<Block> m_blocks, m_hostBlocks;
  std::vector<std::int32_t> m_blockStep;          ///< the step that a block belongs to
};

}  // namespace

Plan emitPlan(const Schedule& schedule, const DeviceSpec& device, const PolicyOptions& options, const LayerPeak& lPeak) {
  Plan plan = Emitter(schedule, device, options).run();
  plan.lPeak = lPeak;
  return plan;
}

}  // namespace peakscope
