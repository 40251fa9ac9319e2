// SPDX-License-Identifier: Apache-2.0
//
// The walk of the curve once more up to one step, keeping tensors instead of sums.
#include "memory/analysis/live_set.h"

#include <algorithm>

namespace peakscope::analysis {
namespace {

const PlanStep& at(const Plan& plan, std::int32_t index) { return plan.steps[static_cast<std::size_t>(index)]; }


/// What the steps up to and including the moment have done to one tensor.
struct Life {
  bool isOnDevice = false, isOnHost = false, isRebuilt = false;
  bool isLeaving = false, isArriving = false;

  Bytes bytes, offset;
  PaperStep bornAt = 0;
  Cause cause;
};

IdVector<TensorId, Life> livesAt(const Workload& workload, const Plan& plan, PlanStepId moment, std::span<const Deviation> deviations) {
  IdVector<TensorId, Life> lives(workload.tensors.size());
  for (const TensorId tensor : idsOf(workload.tensors))
    if (workload.tensors[tensor].isPersistent)
      lives[tensor] = {.isOnDevice = true, .bytes = workload.tensors[tensor].bytes, .offset = plan.persistentOffsets[tensor]};
  std::size_t next = 0;
  for (std::int32_t i = 0; i <= moment.index; ++i) {
    const PlanStep& step = at(plan, i);
    while (next < deviations.size() && deviations[next].step.index < i) ++next;
    std::visit(Overloaded{
                   [&](const AllocStep& alloc) {
                     Life& life = lives[alloc.tensor];
                     const bool deviates = next < deviations.size() && deviations[next].step.index == i;
                     life.isOnDevice = true;
                     life.isRebuilt = step.cause.kind == CauseKind::RebuiltFor;
                     life.bytes = deviates ? deviations[next].measured : workload.tensors[alloc.tensor].bytes;
                     life.offset = alloc.offset;
                     life.bornAt = step.paperStep;
                     life.cause = step.cause;
                   },
                   [&](const FreeStep& free) { lives[free.tensor].isOnDevice = false; },
                   [&](const CopyOutStep& out) {
                     Life& life = lives[out.tensor];
                     life.isOnHost = life.isLeaving = true;
                   },
                   [&](const CopyInStep& in) {
                     lives[in.tensor].isArriving = true;
                   },
                   [&](const WaitStep& wait) {
                     if (wait.lane != Lane::Compute) return;
                     const PlanAction& awaited = at(plan, wait.on.index).action;
                     if (const auto* out = std::get_if<CopyOutStep>(&awaited)) lives[out->tensor].isLeaving = false;
                     if (const auto* in = std::get_if<CopyInStep>(&awaited)) lives[in->tensor].isArriving = false;
                   },
                   [](const RunStep&) {},
               },
               step.action);
  }
  return lives;
}

/// The next step, this one included, whose op touches each tensor.
IdVector<TensorId, PaperStep> nextUses(const Workload& workload, const Plan& plan, PlanStepId moment) {
  IdVector<TensorId, PaperStep> next(workload.tensors.size());
  for (auto i = static_cast<std::int32_t>(plan.steps.size()) - 1; i >= moment.index; --i) {
    const auto* run = std::get_if<RunStep>(&at(plan, i).action);
    if (run == nullptr) continue;
    for (const OpArg& arg : workload.ops[run->op].args) next[arg.tensor] = at(plan, i).paperStep;
  }
  return next;
}

ChartKind kindOf(const Tensor& tensor, bool isRebuilt) {
  switch (tensor.kind) {
    case TensorKind::Weight: return ChartKind::Weight;
    case TensorKind::WeightGrad: return ChartKind::WeightGrad;
    case TensorKind::OptimizerState: return ChartKind::OptimizerState;
    case TensorKind::Activation: return isRebuilt ? ChartKind::Recomputed : ChartKind::Activation;
    case TensorKind::ActivationGrad: return ChartKind::ActivationGrad;
    case TensorKind::Saved: return ChartKind::Saved;
    case TensorKind::Workspace: return ChartKind::Workspace;
    case TensorKind::Input: return ChartKind::Input;
    case TensorKind::Staging: return ChartKind::Staging;
  }
  return ChartKind::Staging;
}

TensorState stateOf(const Life& life) {
  if (!life.isOnDevice) return TensorState::OnHost;
  if (life.isArriving) return TensorState::CopyingIn;
  if (life.isLeaving) return TensorState::CopyingOut;
  return life.isRebuilt ? TensorState::Recomputed : TensorState::OnDevice;
}

}  // namespace

const char* toString(TensorState state) {
  switch (state) {
    case TensorState::OnDevice: return "on device";
    case TensorState::CopyingOut: return "copying out";
    case TensorState::CopyingIn: return "copying in";
    case TensorState::OnHost: return "on host";
    case TensorState::Recomputed: return "recomputed";
  }
  return "?";
}

std::vector<LiveTensor> liveAt(const Workload& workload, const Plan& plan, PlanStepId step, std::span<const Deviation> deviations) {
  std::vector<LiveTensor> rows;
  if (step.index < 0 || step.index >= static_cast<std::int32_t>(plan.steps.size())) return rows;
  const auto lives = livesAt(workload, plan, step, deviations);
  const auto next = nextUses(workload, plan, step);
  for (const TensorId tensor : idsOf(workload.tensors)) {
    const Life& life = lives[tensor];
    const bool isNeededOnHost = life.isOnHost && (life.isOnDevice || next[tensor] > 0);
    if (!life.isOnDevice && !isNeededOnHost) continue;
    const Tensor& t = workload.tensors[tensor];
    rows.push_back({.tensor = tensor,
                    .kind = kindOf(t, life.isRebuilt && life.isOnDevice),
                    .state = stateOf(life),
                    .bytes = life.isOnDevice ? life.bytes : Bytes{},
                    .shapeBytes = t.shapeBytes,
                    .hostBytes = life.isOnHost ? t.bytes : Bytes{},
                    .offset = life.offset,
                    .bornAt = life.bornAt,
                    .nextUse = next[tensor],
                    .cause = life.cause});
  }
  if (const auto* run = std::get_if<RunStep>(&at(plan, step.index).action)) {
    Bytes workspace = workload.ops[run->op].candidates[static_cast<std::size_t>(run->candidate)].workspace;
    for (const Deviation& deviation : deviations)
      if (deviation.step == step) workspace = deviation.measured;
    if (workspace > Bytes{})
      rows.push_back({.op = run->op, .kind = ChartKind::Workspace, .bytes = workspace, .shapeBytes = workspace, .offset = run->workspaceOffset,
                      .bornAt = at(plan, step.index).paperStep, .nextUse = at(plan, step.index).paperStep, .cause = at(plan, step.index).cause});
  }
  const auto name = [&](const LiveTensor& row) { return row.tensor.isValid() ? workload.tensors[row.tensor].name : opName(workload, row.op); };
  std::stable_sort(rows.begin(), rows.end(), [&](const LiveTensor& a, const LiveTensor& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    return name(a) < name(b);
  });
  return rows;
}

}  // namespace peakscope::analysis
