// SPDX-License-Identifier: Apache-2.0
//
// The fields of every value that is written to a trace file or sent through a pipe, listed once. Writers and readers of
// JSON and SQL visit the same list, so that they cannot disagree.
//
//   visitFields(deviceSpec, [](const char* name, auto& field) { ... });
//
// Adding a field to a value means adding a line here, raising traceVersion, and saying what older files lack.
#pragma once

#include <string_view>
#include <type_traits>

#include "memory/log_record.h"

namespace peakscope::trace {

/// How many enumerators an enum has: what a reader accepts.
template <class E>
inline constexpr int enumeratorCount = 0;
template <> inline constexpr int enumeratorCount<TensorKind> = tensorKindCount;
template <> inline constexpr int enumeratorCount<Phase> = 5;
template <> inline constexpr int enumeratorCount<Access> = 3;
template <> inline constexpr int enumeratorCount<ArgRole> = 17;
template <> inline constexpr int enumeratorCount<LayerClass> = 8;
template <> inline constexpr int enumeratorCount<OffloadSet> = 4;
template <> inline constexpr int enumeratorCount<Prefetch> = 2;
template <> inline constexpr int enumeratorCount<RecomputeMode> = 3;
template <> inline constexpr int enumeratorCount<OffloadFree> = 2;
template <> inline constexpr int enumeratorCount<Eviction> = 2;
template <> inline constexpr int enumeratorCount<PlacementRule> = 3;
template <> inline constexpr int enumeratorCount<CheckpointRule> = 5;
template <> inline constexpr int enumeratorCount<Lane> = laneCount;
template <> inline constexpr int enumeratorCount<CauseKind> = 13;
template <> inline constexpr int enumeratorCount<RunState> = 6;
template <> inline constexpr int enumeratorCount<Notice::Severity> = 3;
template <> inline constexpr int enumeratorCount<ErrorKind> = 4;

/// What files of version 1 lack: a reader takes false, 0 or nothing, which mean what those files meant.
[[nodiscard]] constexpr bool isAddedInVersion2(std::string_view name) {
  for (const std::string_view added : {"native_alloc_ns", "cache", "workspace", "eviction", "placement", "checkpoint_rule", "checkpoints", "lives_on_host",
                                       "host_homes", "host_home_bytes"})
    if (name == added) return true;
  return false;
}

/// `Value` may be const: then the visitor gets const fields.
template <class Value, class Wanted>
concept Is = std::is_same_v<std::remove_const_t<Value>, Wanted>;

void visitFields(Is<RunInfo> auto& x, auto&& v) {
  v("program", x.program); v("backend", x.backend); v("backend_detail", x.backendDetail); v("time_source", x.timeSource);
  v("data", x.data); v("command_line", x.commandLine); v("seed", x.seed); v("threads", x.threads);
  v("iterations_per_epoch", x.iterationsPerEpoch); v("started_unix_ns", x.startedUnixNs);
}
void visitFields(Is<DeviceSpec> auto& x, auto&& v) {
  v("name", x.name); v("source", x.source); v("memory", x.memory); v("host_memory", x.hostMemory); v("alignment", x.alignment);
  v("flops_per_second", x.flopsPerSecond); v("memory_bytes_per_second", x.memoryBytesPerSecond);
  v("link_bytes_per_second", x.linkBytesPerSecond); v("launch_ns", x.launchNanoseconds);
  v("native_alloc_ns", x.nativeAllocNanoseconds);
}
void visitFields(Is<WorkloadLayer> auto& x, auto&& v) { v("name", x.name); v("type", x.type); v("class", x.layerClass); }
void visitFields(Is<Tensor> auto& x, auto&& v) {
  v("name", x.name); v("kind", x.kind); v("layer", x.layer); v("shape", x.shape); v("shape_bytes", x.shapeBytes); v("bytes", x.bytes);
  v("is_persistent", x.isPersistent); v("lives_on_host", x.livesOnHost);
}
void visitFields(Is<OpArg> auto& x, auto&& v) { v("role", x.role); v("arg_index", x.index); v("tensor", x.tensor); v("access", x.access); }
void visitFields(Is<OpCandidate> auto& x, auto&& v) { v("algorithm", x.algorithm); v("workspace", x.workspace); }
void visitFields(Is<Op> auto& x, auto&& v) {
  v("layer", x.layer); v("phase", x.phase); v("paper_step", x.paperStep); v("args", x.args); v("candidates", x.candidates);
  v("rebuild", x.rebuild); v("duplicate_need", x.duplicateNeed);
}
/// What a workload is besides its layers, tensors and ops.
void visitFields(Is<Workload> auto& x, auto&& v) {
  v("net", x.net); v("lowering", x.lowering); v("library", x.library); v("batch", x.batch); v("is_training", x.isTraining); v("route", x.route);
}
void visitFields(Is<Techniques> auto& x, auto&& v) { 
  v("liveness", x.liveness); v("offload", x.offload); v("cache", x.cache); v("recompute", x.recompute); v("workspace", x.workspace);
}
void visitFields(Is<PolicyOptions> auto& x, auto&& v) {
  v("policy", x.policy); v("techniques", x.techniques); v("offload_set", x.offload); v("prefetch", x.prefetch);
  v("recompute_mode", x.recompute); v("checkpoint_rule", x.checkpointRule); v("checkpoints", x.checkpoints); v("offload_free", x.offloadFree);
  v("eviction", x.eviction); v("placement", x.placement); v("budget", x.budget); v("host_budget", x.hostBudget);
}
void visitFields(Is<Cause> auto& x, auto&& v) { v("kind", x.kind); v("op", x.op); }
void visitFields(Is<Segment> auto& x, auto&& v) { v("checkpoint", x.checkpoint); v("layers", x.layers); v("cost", x.cost); v("mode", x.mode); }
void visitFields(Is<LayerPeak> auto& x, auto&& v) {
  v("bytes", x.bytes); v("layer", x.layer); v("distinct_bytes", x.distinctBytes); v("distinct_layer", x.distinctLayer);
}
/// What a plan is besides its steps.
void visitFields(Is<Plan> auto& x, auto&& v) {
  v("options", x.options); v("persistent_offsets", x.persistentOffsets); v("persistent_bytes", x.persistentBytes); v("arena_bytes", x.arenaBytes);
  v("host_homes", x.hostHomes); v("host_home_bytes", x.hostHomeBytes); v("host_bytes", x.hostBytes); v("alignment", x.alignment); v("segments", x.segments); v("l_peak", x.lPeak); v("extra_forwards", x.extraForwards);
}
void visitFields(Is<AllocStep> auto& x, auto&& v) { v("tensor", x.tensor); v("offset", x.offset); }
void visitFields(Is<FreeStep> auto& x, auto&& v) { v("tensor", x.tensor); }
void visitFields(Is<RunStep> auto& x, auto&& v) { v("op", x.op); v("candidate", x.candidate); v("workspace_offset", x.workspaceOffset); }
void visitFields(Is<CopyOutStep> auto& x, auto&& v) { v("tensor", x.tensor); v("host_offset", x.hostOffset); }
void visitFields(Is<CopyInStep> auto& x, auto&& v) { v("tensor", x.tensor); v("host_offset", x.hostOffset); }
void visitFields(Is<WaitStep> auto& x, auto&& v) { v("lane", x.lane); v("waits_for", x.on); }
void visitFields(Is<PlanStep> auto& x, auto&& v) { v("action", x.action); v("paper_step", x.paperStep); v("cause", x.cause); }
void visitFields(Is<StepTime> auto& x, auto&& v) { v("begin_ns", x.beginNs); v("end_ns", x.endNs); }
void visitFields(Is<Deviation> auto& x, auto&& v) { v("step", x.step); v("measured", x.measured); }
void visitFields(Is<StepsDone> auto& x, auto&& v) {
  v("iteration", x.iteration); v("plan", x.plan); v("first", x.first); v("times", x.times); v("deviations", x.deviations);
}
void visitFields(Is<IterationDone> auto& x, auto&& v) {
  v("iteration", x.iteration); v("plan", x.plan); v("begin_ns", x.beginNs); v("end_ns", x.endNs); v("loss", x.loss); v("images", x.images);
  v("measured_peak_total", x.measuredPeakTotal); v("measured_peak_scheduled", x.measuredPeakScheduled);
  v("predicted_peak_total", x.predictedPeakTotal); v("predicted_peak_scheduled", x.predictedPeakScheduled);
  v("measured_arena_extent", x.measuredArenaExtent); v("library_bytes", x.libraryBytes);
}
void visitFields(Is<EpochDone> auto& x, auto&& v) {
  v("epoch", x.epoch); v("iteration", x.iteration); v("accuracy", x.accuracy); v("test_images", x.testImages);
  v("images_per_second", x.imagesPerSecond); v("mean_loss", x.meanLoss); v("time_ns", x.timeNs);
}
void visitFields(Is<StateChanged> auto& x, auto&& v) { v("state", x.state); v("iteration", x.iteration); v("time_ns", x.timeNs); }
void visitFields(Is<Notice> auto& x, auto&& v) { v("severity", x.severity); v("text", x.text); v("time_ns", x.timeNs); v("error_kind", x.kind); }
void visitFields(Is<IterationsDropped> auto& x, auto&& v) { v("first", x.first); v("count", x.count); }

}  // namespace peakscope::trace
