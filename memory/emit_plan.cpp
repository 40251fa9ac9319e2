// SPDX-License-Identifier: Apache-2.0
//
// Note [Waits that make lanes safe]
// A wait is emitted right before the step that needs it, and only if happens-before does not hold already:
//   CopyOut    after the last Run that wrote the tensor           (copy-out waits on compute)
//   CopyIn     after its own Alloc, so after whoever had the bytes before, on every lane (copy-in waits on compute)
//   Load       like CopyIn, for transient tensors that it fills
//   Run, Free  after the copies and loads of their tensors        (compute waits on copy-in, copy-out)
// No wait is superfluous: checkPlan notices when any one of them is taken away. The end of the iteration joins all lanes.
#include "memory/emit_plan.h"

#include <algorithm>
#include <array>

#include "memory/placement_rules.h"

namespace peakscope {
namespace {

constexpr std::int32_t none = -1;
/// A step index per lane; none: no such step.
using LaneSteps = std::array<std::int32_t, laneCount>;
constexpr LaneSteps noSteps{none, none, none};

std::size_t indexOf(Lane lane) { return static_cast<std::size_t>(lane); }

LaneSteps later(LaneSteps a, const LaneSteps& b) {
  for (std::size_t l = 0; l < laneCount; ++l) a[l] = std::max(a[l], b[l]);
  return a;
}

class Emitter {
 public:
  Emitter(const Schedule& schedule, const DeviceSpec& device, const PolicyOptions& options)
      : m_schedule(schedule), m_workload(*schedule.workload), m_tensors(m_workload.tensors.size()) {
    m_plan.options = options;
    m_plan.alignment = device.alignment;
    m_clocks.fill(noSteps);
  }

  Plan run() {
    placePersistent();
    for (const Slot& slot : m_schedule.slots) emit(slot);
    placeTransient();
    m_plan.segments = m_schedule.segments;
    m_plan.extraForwards = m_schedule.extraForwards;
    return std::move(m_plan);
  }

 private:
  struct TensorState {
    LaneSteps lastAccess = noSteps;    ///< Alloc included
    LaneSteps lastWrite = noSteps;     ///< Alloc included
    std::size_t block = 0;
    Bytes hostOffset{-1};
  };

  void placePersistent() {
    m_plan.persistentOffsets = IdVector<TensorId, Bytes>(m_workload.tensors.size(), Bytes{-1});
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      if (m_workload.tensors[tensor].livesOnHost) giveHostHome(tensor);
      if (!m_workload.tensors[tensor].isPersistent) continue;
      m_plan.persistentOffsets[tensor] = m_plan.persistentBytes;
      m_plan.persistentBytes += roundUp(m_workload.tensors[tensor].bytes, m_plan.alignment);
    }
  }

  void giveHostHome(TensorId tensor) {
    if (m_plan.hostHomes.isEmpty()) m_plan.hostHomes = IdVector<TensorId, Bytes>(m_workload.tensors.size(), Bytes{-1});
    m_tensors[tensor].hostOffset = m_plan.hostHomes[tensor] = m_plan.hostHomeBytes;
    m_plan.hostHomeBytes += m_workload.tensors[tensor].bytes;
    m_plan.hostBytes = m_plan.hostHomeBytes;
  }

  std::int32_t add(PlanAction action, Cause cause) {
    const auto step = static_cast<std::int32_t>(m_plan.steps.size());
    const std::size_t lane = indexOf(laneOf(action, m_workload));
    m_plan.steps.push_back({.action = action, .paperStep = m_paperStep, .cause = cause});
    m_clocks[lane][lane] = step;
    m_finished.push_back(m_clocks[lane]);
    return step;
  }

  /// Makes `lane` go on only after these steps of other lanes have finished.
  void await(Lane lane, const LaneSteps& steps, Cause cause) {
    for (std::size_t other = 0; other < laneCount; ++other) {
      LaneSteps& clock = m_clocks[indexOf(lane)];
      if (other == indexOf(lane) || steps[other] <= clock[other]) continue;
      clock = later(clock, m_finished[static_cast<std::size_t>(steps[other])]);
      add(WaitStep{.lane = lane, .on = PlanStepId{steps[other]}}, cause);
    }
  }

  void emit(const Slot& slot) {
    const Op& op = m_workload.ops[slot.op];
    m_paperStep = op.paperStep;
    for (const Action& action : slot.before) emit(action);
    emitRun(slot.op, {op.phase == Phase::Load ? CauseKind::InputBatch : CauseKind::Route, slot.op});
    for (const Action& action : slot.after) emit(action);
  }

  void emit(const Action& action) {
    if (action.kind == ActionKind::Rebuild) return emitRun(action.op, action.cause);
    const TensorId tensor = action.tensor;
    const Bytes bytes = m_workload.tensors[tensor].bytes;
    TensorState& state = m_tensors[tensor];
    switch (action.kind) {
      case ActionKind::Rebuild: break;
      case ActionKind::Alloc:
        state.block = addBlock(bytes);
        state.lastAccess = state.lastWrite = {add(AllocStep{.tensor = tensor}, action.cause), none, none};
        break;
      case ActionKind::Free:
        await(Lane::Compute, state.lastAccess, action.cause);
        m_blocks[state.block].end = add(FreeStep{tensor}, action.cause);
        break;
      case ActionKind::CopyOut:
        await(Lane::CopyOut, state.lastWrite, action.cause);
        // Packed without rounding: host bytes are then just the sum of what is offloaded.
        if (!m_workload.tensors[tensor].livesOnHost) {
          state.hostOffset = m_plan.hostBytes;
          m_plan.hostBytes += bytes;
        }
        state.lastAccess[indexOf(Lane::CopyOut)] = add(CopyOutStep{.tensor = tensor, .hostOffset = state.hostOffset}, action.cause);
        break;
      case ActionKind::CopyIn:
        await(Lane::CopyIn, state.lastAccess, action.cause);
        state.lastAccess[indexOf(Lane::CopyIn)] = state.lastWrite[indexOf(Lane::CopyIn)] =
            add(CopyInStep{.tensor = tensor, .hostOffset = state.hostOffset}, action.cause);
        break;
    }
  }

  void emitRun(OpId id, Cause cause) {
    const Op& op = m_workload.ops[id];
    const Lane lane = op.phase == Phase::Load ? Lane::CopyIn : Lane::Compute;
    LaneSteps needed = noSteps;
    for (const OpArg& arg : op.args) {
      const TensorState& state = m_tensors[arg.tensor];
      needed = later(needed, writesTensor(arg.access) ? state.lastAccess : state.lastWrite);
    }
    await(lane, needed, cause);
    if (const Bytes workspace = op.candidates.front().workspace; workspace > Bytes{}) {
      const std::size_t block = addBlock(workspace);
      m_blocks[block].end = m_blocks[block].begin + 1;
    }
    const std::int32_t step = add(RunStep{.op = id}, cause);
    for (const OpArg& arg : op.args) {
      m_tensors[arg.tensor].lastAccess[indexOf(lane)] = step;
      if (writesTensor(arg.access)) m_tensors[arg.tensor].lastWrite[indexOf(lane)] = step;
    }
  }

  /// A block of the step that is added next.
  std::size_t addBlock(Bytes bytes) {
    const auto next = static_cast<std::int32_t>(m_plan.steps.size());
    m_blocks.push_back({.begin = next, .end = next, .bytes = roundUp(bytes, m_plan.alignment)});
    return m_blocks.size() - 1;
  }

  void placeTransient() {
    m_plan.arenaBytes = m_plan.persistentBytes + placeBlocks(m_blocks, m_plan.options.placement);
    for (const Block& block : m_blocks) {
      PlanAction& action = m_plan.steps[static_cast<std::size_t>(block.begin)].action;
      const Bytes offset = m_plan.persistentBytes + block.offset;
      if (auto* alloc = std::get_if<AllocStep>(&action)) alloc->offset = offset;
      if (auto* run = std::get_if<RunStep>(&action)) run->workspaceOffset = offset;
    }
  }

  const Schedule& m_schedule;
  const Workload& m_workload;
  Plan m_plan;
  PaperStep m_paperStep = 0;
  IdVector<TensorId, TensorState> m_tensors;
  std::array<LaneSteps, laneCount> m_clocks;    ///< what has surely finished before each lane's next step
  std::vector<LaneSteps> m_finished;            ///< per plan step: what has surely finished with it
  std::vector<Block> m_blocks;                  ///< `begin` is the Alloc or Run that the block belongs to
};

}  // namespace

Plan emitPlan(const Schedule& schedule, const DeviceSpec& device, const PolicyOptions& options, const LayerPeak& lPeak) {
  Plan plan = Emitter(schedule, device, options).run();
  plan.lPeak = lPeak;
  return plan;
}

}  // namespace peakscope
