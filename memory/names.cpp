// SPDX-License-Identifier: Apache-2.0
//
// The words for the enums of the spine: one table each, used by tables, exports and messages alike.
#include "memory/log_record.h"
#include "memory/plan.h"
#include "memory/workload.h"

#include <algorithm>

namespace peakscope {

const char* toString(TensorKind kind) {
  switch (kind) {
    case TensorKind::Weight: return "weight";
    case TensorKind::WeightGrad: return "weight gradient";
    case TensorKind::OptimizerState: return "optimizer state";
    case TensorKind::Activation: return "activation";
    case TensorKind::ActivationGrad: return "data gradient";
    case TensorKind::Saved: return "saved";
    case TensorKind::Workspace: return "workspace";
    case TensorKind::Input: return "input";
    case TensorKind::Staging: return "staging";
  }
  return "?";
}

const char* toString(Phase phase) {
  switch (phase) {
    case Phase::Load: return "load";
    case Phase::Forward: return "forward";
    case Phase::Backward: return "backward";
    case Phase::Update: return "update";
    case Phase::Rebuild: return "rebuild";
  }
  return "?";
}

const char* toString(ArgRole role) {
  switch (role) {
    case ArgRole::Src: return "src";
    case ArgRole::Dst: return "dst";
    case ArgRole::Weights: return "weights";
    case ArgRole::Bias: return "bias";
    case ArgRole::DiffSrc: return "diffSrc";
    case ArgRole::DiffDst: return "diffDst";
    case ArgRole::DiffWeights: return "diffWeights";
    case ArgRole::DiffBias: return "diffBias";
    case ArgRole::Mean: return "mean";
    case ArgRole::Variance: return "variance";
    case ArgRole::RunningMean: return "runningMean";
    case ArgRole::RunningVariance: return "runningVariance";
    case ArgRole::Saved: return "saved";
    case ArgRole::Labels: return "labels";
    case ArgRole::Loss: return "loss";
    case ArgRole::Momentum: return "momentum";
    case ArgRole::BiasMomentum: return "biasMomentum";
  }
  return "?";
}

const char* toString(LayerClass layerClass) {
  switch (layerClass) {
    case LayerClass::Data: return "data";
    case LayerClass::Convolution: return "convolution";
    case LayerClass::FullyConnected: return "fully connected";
    case LayerClass::Join: return "join";
    case LayerClass::Fork: return "fork";
    case LayerClass::Concat: return "concat";
    case LayerClass::Loss: return "loss";
    case LayerClass::Cheap: return "cheap";
  }
  return "?";
}

const char* toString(Lane lane) {
  switch (lane) {
    case Lane::Compute: return "compute";
    case Lane::CopyOut: return "copy-out";
    case Lane::CopyIn: return "copy-in";
  }
  return "?";
}

const char* toString(RunState state) {
  switch (state) {
    case RunState::Idle: return "idle";
    case RunState::Running: return "running";
    case RunState::Paused: return "paused";
    case RunState::Stopped: return "stopped";
    case RunState::Finished: return "finished";
    case RunState::Failed: return "failed";
  }
  return "?";
}

PaperStep paperStepCount(const Workload& workload) {
  PaperStep last = 0;
  for (const OpId op : workload.route) last = std::max(last, workload.ops[op].paperStep);
  return last;
}

std::string opName(const Workload& workload, OpId op) {
  return workload.layers[workload.ops[op].layer].name + " " + toString(workload.ops[op].phase);
}

std::string describe(const Cause& cause, const Workload& workload) {
  const std::string at = cause.op.isValid() ? opName(workload, cause.op) : std::string{};
  switch (cause.kind) {
    case CauseKind::Route: return "route";
    case CauseKind::KeepAll: return "kept for the whole iteration";
    case CauseKind::FirstUse: return "first used by " + at;
    case CauseKind::LastUse: return "last used by " + at;
    case CauseKind::DroppedForRecompute: return "dropped after " + at + ", to be rebuilt";
    case CauseKind::RebuiltFor: return "rebuilt for " + at;
    case CauseKind::DroppedWhileRebuilding: return "dropped while rebuilding for " + at;
    case CauseKind::Offloaded: return "offloaded after " + at;
    case CauseKind::PrefetchedAt: return "prefetched at " + at;
    case CauseKind::FetchedFor: return "fetched for " + at;
    case CauseKind::InputBatch: return "input batch";
    case CauseKind::Evicted: return "evicted for " + at;
    case CauseKind::WrittenBack: return "written back after " + at;
  }
  return "?";
}

const char* toString(OffloadSet set) {
  switch (set) {
    case OffloadSet::Convolutions: return "conv";
    case OffloadSet::Checkpoints: return "checkpoints";
    case OffloadSet::ConvolutionInputs: return "conv-inputs";
    case OffloadSet::All: return "all";
  }
  return "?";
}

const char* toString(CheckpointRule rule) {
  switch (rule) {
    case CheckpointRule::Paper: return "paper";
    case CheckpointRule::Joins: return "joins";
    case CheckpointRule::Convolutions: return "conv";
    case CheckpointRule::SquareRoot: return "sqrt";
    case CheckpointRule::Listed: return "listed";
  }
  return "?";
}

const char* toString(PlacementRule rule) {
  switch (rule) {
    case PlacementRule::Packed: return "packed";
    case PlacementRule::Pool: return "pool";
    case PlacementRule::Native: return "native";
  }
  return "?";
}

Lane laneOf(const PlanAction& action, const Workload& workload) {
  return std::visit(Overloaded{
                        [&](const RunStep& run) { return workload.ops[run.op].phase == Phase::Load ? Lane::CopyIn : Lane::Compute; },
                        [](const CopyOutStep&) { return Lane::CopyOut; },
                        [](const CopyInStep&) { return Lane::CopyIn; },
                        [](const WaitStep& wait) { return wait.lane; },
                        [](const auto&) { return Lane::Compute; },
                    },
                    action);
}

std::string techniquesText(const Techniques& techniques) {
  if (!techniques.any()) return "none";
  std::string text = "liveness";
  if (techniques.offload) text += ",offload";
  if (techniques.cache) text += ",cache";
  if (techniques.recompute) text += ",recompute";
  if (techniques.workspace) text += ",workspace";
  return text;
}

}  // namespace peakscope
