// SPDX-License-Identifier: Apache-2.0
#include "memory/techniques/offload_set.h"

#include <algorithm>

namespace peakscope {
namespace {

/// Whether tensors leave because of this layer.
bool isOffloading(LayerClass layerClass, bool isCheckpoint, OffloadSet set) {
  if (layerClass == LayerClass::Data || layerClass == LayerClass::Loss) return false;
  switch (set) {
    case OffloadSet::Convolutions:
    case OffloadSet::ConvolutionInputs: return layerClass == LayerClass::Convolution;
    case OffloadSet::Checkpoints: return isCheckpoint;
    case OffloadSet::All: return true;
  }
  return false;
}

}  // namespace

OffloadCandidates offloadCandidates(const Workload& workload, OffloadSet set, const IdVector<LayerId, char>& isCheckpoint,
                                    const IdVector<TensorId, char>& isRebuilt) {
  OffloadCandidates candidates{IdVector<TensorId, OpId>(workload.tensors.size()), IdVector<LayerId, std::vector<TensorId>>(workload.layers.size())};
  IdVector<TensorId, OpId> producer(workload.tensors.size());
  for (const OpId id : workload.route) {
    const Op& op = workload.ops[id];
    if (op.phase != Phase::Forward) continue;
    const bool isCause = isOffloading(workload.layers[op.layer].layerClass, isCheckpoint[op.layer] != 0, set);
    for (const OpArg& arg : op.args) {
      const Tensor& tensor = workload.tensors[arg.tensor];
      // ReadWrite is another layer's output changed in place (the paper's join sums into input 0).
      const bool isOutput = arg.access == Access::Write && tensor.kind == TensorKind::Activation && !tensor.isPersistent && isRebuilt[arg.tensor] == 0;
      if (isOutput) producer[arg.tensor] = id;
      const bool leaves = set == OffloadSet::ConvolutionInputs ? !isOutput && readsTensor(arg.access) && producer[arg.tensor].isValid() : isOutput;
      if (!isCause || !leaves || candidates.producer[arg.tensor].isValid()) continue;
      candidates.producer[arg.tensor] = producer[arg.tensor];
      candidates.tensorsOf[op.layer].push_back(arg.tensor);
    }
  }
  return candidates;
}

std::vector<std::vector<TensorId>> prefetchTriggers(const Schedule& schedule, const OffloadCandidates& candidates) {
  const Workload& workload = *schedule.workload;
  std::vector<std::vector<TensorId>> triggers(schedule.slots.size());
  std::vector<TensorId>* trigger = nullptr;
  for (std::size_t index = 0; index < schedule.slots.size(); ++index) {
    const Op& op = workload.ops[schedule.slots[index].op];
    if (op.phase != Phase::Backward || candidates.tensorsOf[op.layer].empty()) continue;
    if (trigger != nullptr) *trigger = candidates.tensorsOf[op.layer];
    trigger = &triggers[index];
  }
  return triggers;
}

LaterUses laterUses(const Schedule& schedule) {
  const Workload& workload = *schedule.workload;
  const IdVector<TensorId, SlotIndex> nowhere(workload.tensors.size(), -1);
  LaterUses uses{nowhere, nowhere, nowhere};
  for (SlotIndex index = 0; index < static_cast<SlotIndex>(schedule.slots.size()); ++index) {
    const Slot& slot = schedule.slots[static_cast<std::size_t>(index)];
    for (const Action& action : slot.before)
      if (action.kind == ActionKind::Rebuild)
        for (const OpArg& arg : workload.ops[action.op].args) {
          if (uses.firstRebuild[arg.tensor] < 0) uses.firstRebuild[arg.tensor] = index;
          uses.last[arg.tensor] = index;
        }
    const Op& op = workload.ops[slot.op];
    for (const OpArg& arg : op.args) {
      if (!isForward(op.phase) && uses.firstBackward[arg.tensor] < 0) uses.firstBackward[arg.tensor] = index;
      uses.last[arg.tensor] = index;
    }
  }
  return uses;
}

void insertCopyOut(Slot& written, TensorId tensor, Cause cause) {
  const auto isFree = [](const Action& action) { return action.kind == ActionKind::Free; };
  written.after.insert(std::find_if(written.after.begin(), written.after.end(), isFree),
                       {.kind = ActionKind::CopyOut, .tensor = tensor, .op = {}, .cause = cause});
}

}  // namespace peakscope
