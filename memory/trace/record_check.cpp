// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/record_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace peakscope {
namespace {

constexpr PaperStep largestPaperStep = 1 << 28;

bool isCount(Bytes bytes) { return bytes >= Bytes{} && bytes <= largestBytes; }
bool isTime(std::int64_t ns) { return ns >= -1 && ns <= largestTimeNs; }
bool isSpan(std::int64_t beginNs, std::int64_t endNs) { return isTime(beginNs) && isTime(endNs) && beginNs <= endNs; }
/// What planning divides by and compares with.
std::optional<std::string> problemOfDevice(const DeviceSpec& device) {
  const std::int64_t alignment = device.alignment.count();
  if (alignment < 1 || alignment > (std::int64_t{1} << 20) || (alignment & (alignment - 1)) != 0) return "the device's alignment is no power of two";
  if (!isCount(device.memory) || !isCount(device.hostMemory)) return "the device has an impossible memory";
  for (const double speed : {device.flopsPerSecond, device.memoryBytesPerSecond, device.linkBytesPerSecond})
    if (!std::isfinite(speed) || speed < 0) return "the device has an impossible speed";
  return std::nullopt;
}

/// What planning takes for granted: forward, then backward; nothing is read before it is written; a rebuild op brings back
/// what its forward op has written, and nothing else.
std::optional<std::string> problemOfRoute(const Workload& workload) {
  IdVector<OpId, std::uint8_t> isOnRoute(workload.ops.size(), 0);
  IdVector<TensorId, std::uint8_t> isWritten(workload.tensors.size(), 0);
  bool isBackward = false;
  for (const OpId id : workload.route) {
    if (!workload.ops.contains(id)) return "the route names an op that is not there";
    const Op& op = workload.ops[id];
    if (op.phase == Phase::Rebuild || std::exchange(isOnRoute[id], std::uint8_t{1}) == 1) return "the route runs an op twice, or one that only rebuilds";
    const bool isForward = op.phase == Phase::Load || op.phase == Phase::Forward;
    if (isForward && isBackward) return "the route runs a forward op after a backward op";
    isBackward = isBackward || !isForward;
    for (const OpArg& arg : op.args)
      if (arg.access != Access::Write && isWritten[arg.tensor] == 0 && !workload.tensors[arg.tensor].isPersistent && !workload.tensors[arg.tensor].livesOnHost)
        return "tensor " + workload.tensors[arg.tensor].name + " is read before it is written";
    for (const OpArg& arg : op.args)
      if (arg.access != Access::Read) isWritten[arg.tensor] = 1;
    if (!op.rebuild.isValid()) continue;
    const Op& rebuild = workload.ops[op.rebuild];
    if (rebuild.phase != Phase::Rebuild || rebuild.rebuild.isValid()) return "a rebuild op is none";
    for (const OpArg& arg : rebuild.args) {
      const auto isSame = [&](const OpArg& own) { return own.tensor == arg.tensor && (arg.access == Access::Read || own.access != Access::Read); };
      if (std::none_of(op.args.begin(), op.args.end(), isSame)) return "a rebuild op touches what its forward op does not";
    }
  }
  return std::nullopt;
}

bool isIteration(std::int64_t iteration) { return iteration >= 0 && iteration <= largestIteration; }

}  // namespace

std::optional<std::string> RecordCheck::add(const LogRecord& record) {
  return std::visit([this](const auto& r) { return check(r); }, record);
}

RecordCheck::Problem RecordCheck::check(const SessionStarted& started) {
  if (m_workload) return "a second session begins in the same log";
  const RunInfo& info = started.info;
  if (info.threads < 0 || info.iterationsPerEpoch < 0 || !isIteration(info.iterationsPerEpoch)) return "the session has impossible numbers";
  if (auto problem = problemOfDevice(started.device)) return problem;
  if (auto problem = problemOf(started.workload)) return problem;
  m_workload = started.workload;
  return {};
}

RecordCheck::Problem RecordCheck::check(const PlanInstalled& installed) {
  if (!m_workload) return "a plan comes before its session";
  if (installed.plan != static_cast<std::int32_t>(m_stepCounts.size())) return "plans are not numbered 0, 1, ...";
  if (!isIteration(installed.fromIteration)) return "a plan begins at an impossible iteration";
  if (auto problem = problemOf(installed.value, *m_workload)) return problem;
  m_stepCounts.push_back(static_cast<std::int32_t>(installed.value.steps.size()));
  return {};
}

RecordCheck::Problem RecordCheck::check(const StepsDone& steps) {
  if (!hasPlan(steps.plan)) return "step times belong to a plan that is not there";
  if (!isIteration(steps.iteration) || steps.iteration < m_timedIteration) return "step times run backwards";
  const auto count = static_cast<std::size_t>(m_stepCounts[static_cast<std::size_t>(steps.plan)]);
  const std::int32_t first = steps.first.index;
  if (first < 0 || static_cast<std::size_t>(first) > count || steps.times.size() > count - static_cast<std::size_t>(first)) return "step times lie outside of their plan";
  for (const StepTime& time : steps.times)
    if (!isSpan(time.beginNs, time.endNs)) return "a step has impossible times";
  for (const Deviation& deviation : steps.deviations)
    if (deviation.step.index < 0 || static_cast<std::size_t>(deviation.step.index) >= count || !isCount(deviation.measured)) return "a measured size is impossible";
  m_timedIteration = steps.iteration;
  return {};
}

RecordCheck::Problem RecordCheck::check(const IterationDone& done) {
  if (!hasPlan(done.plan)) return "an iteration ran a plan that is not there";
  if (!isIteration(done.iteration) || done.iteration <= m_doneIteration) return "iterations run backwards";
  if (!isSpan(done.beginNs, done.endNs) || done.images < 0) return "an iteration has impossible times or images";
  for (const Bytes bytes : {done.measuredPeakTotal, done.measuredPeakScheduled, done.predictedPeakTotal, done.predictedPeakScheduled, done.measuredArenaExtent, done.libraryBytes})
    if (!isCount(bytes)) return "an iteration has an impossible number of bytes";
  m_doneIteration = done.iteration;
  return {};
}

RecordCheck::Problem RecordCheck::check(const EpochDone& epoch) {
  const bool hasAccuracy = std::isnan(epoch.accuracy) || (epoch.accuracy >= 0 && epoch.accuracy <= 1);
  if (epoch.epoch < 1 || !isIteration(epoch.iteration) || !hasAccuracy || epoch.testImages < 0 || !isTime(epoch.timeNs)) return "an epoch has impossible numbers";
  return {};
}

RecordCheck::Problem RecordCheck::check(const StateChanged& changed) {
  if (!isIteration(changed.iteration) || !isTime(changed.timeNs)) return "a state has impossible numbers";
  return {};
}

RecordCheck::Problem RecordCheck::check(const Notice& notice) {
  if (!isTime(notice.timeNs)) return "a notice has an impossible time";
  if (notice.severity == Notice::Severity::Error && static_cast<int>(notice.kind) == 0) return "an error is of no kind";
  return {};
}

RecordCheck::Problem RecordCheck::check(const IterationsDropped& dropped) {
  if (!isIteration(dropped.first) || !isIteration(dropped.count)) return "dropped iterations have impossible numbers";
  return {};
}

std::optional<std::string> problemOf(const Workload& workload) {
  const auto isTensor = [&](TensorId id) { return workload.tensors.contains(id); };
  if (workload.batch < 0) return "the batch is negative";
  for (const Tensor& tensor : workload.tensors) {
    if (!workload.layers.contains(tensor.layer)) return "tensor " + tensor.name + " belongs to no layer";
    if (!isCount(tensor.bytes) || !isCount(tensor.shapeBytes)) return "tensor " + tensor.name + " has an impossible number of bytes";
    if (tensor.shapeBytes > tensor.bytes) return "tensor " + tensor.name + " takes fewer bytes than its elements do";
  }
  for (const Op& op : workload.ops) {
    if (!workload.layers.contains(op.layer)) return "an op belongs to no layer";
    if (op.candidates.empty()) return "an op has no implementation";
    if (op.rebuild.isValid() && !workload.ops.contains(op.rebuild)) return "an op names a rebuild op that is not there";
    if (!std::all_of(op.args.begin(), op.args.end(), [&](const OpArg& arg) { return isTensor(arg.tensor); })) return "an op touches a tensor that is not there";
    if (op.paperStep < 0 || op.paperStep > largestPaperStep) return "an op has an impossible step";
    for (const OpCandidate& candidate : op.candidates)
      if (!isCount(candidate.workspace)) return "an op has an impossible workspace";
  }
  return problemOfRoute(workload);
}

std::optional<std::string> problemOf(const Plan& plan, const Workload& workload) {
  const auto isTensor = [&](TensorId id) { return workload.tensors.contains(id); };
  if (plan.persistentOffsets.size() != workload.tensors.size()) return "a plan belongs to another workload";
  if (plan.alignment <= Bytes{} || plan.alignment > Bytes{1 << 20} || (plan.alignment.count() & (plan.alignment.count() - 1)) != 0) return "a plan's alignment is no power of two";
  for (const Bytes bytes : {plan.persistentBytes, plan.arenaBytes, plan.hostBytes})
    if (!isCount(bytes)) return "a plan has an impossible number of bytes";
  for (const Bytes offset : plan.persistentOffsets)
    if (offset != Bytes{-1} && !isCount(offset)) return "a persistent tensor has an impossible offset";
  IdVector<TensorId, std::uint8_t> isLive(workload.tensors.size(), 0);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const PlanStep& step = plan.steps[i];
    const bool isValid = std::visit(Overloaded{
                                        [&](const RunStep& run) {
                                          return workload.ops.contains(run.op) && run.candidate >= 0 &&
                                                 run.candidate < static_cast<std::int32_t>(workload.ops[run.op].candidates.size());
                                        },
                                        [&](const AllocStep& alloc) { return isTensor(alloc.tensor) && isCount(alloc.offset) && std::exchange(isLive[alloc.tensor], std::uint8_t{1}) == 0; },
                                        [&](const FreeStep& free) { return isTensor(free.tensor) && std::exchange(isLive[free.tensor], std::uint8_t{0}) == 1; },
                                        [&](const WaitStep& wait) { return wait.on.index >= 0 && wait.on.index < static_cast<std::int32_t>(i); },
                                        [&](const auto& copy) { return isTensor(copy.tensor) && isCount(copy.hostOffset); },
                                    },
                                    step.action);
    if (!isValid || step.paperStep < 0 || step.paperStep > largestPaperStep) return "plan step " + std::to_string(i) + " cannot be: what it names is not there, or not in that state";
    if (step.cause.op.isValid() && !workload.ops.contains(step.cause.op)) return "plan step " + std::to_string(i) + " is caused by an op that is not there";
  }
  const auto runsOnStep = [](const PlanStep& step) { return std::holds_alternative<RunStep>(step.action) && step.paperStep > 0; };
  if (std::none_of(plan.steps.begin(), plan.steps.end(), runsOnStep)) return "a plan runs nothing";
  for (const Segment& segment : plan.segments) {
    if (!isTensor(segment.checkpoint)) return "a segment begins with a tensor that is not there";
    for (const LayerId layer : segment.layers)
      if (!workload.layers.contains(layer)) return "a segment names a layer that is not there";
  }
  for (const LayerId layer : {plan.lPeak.layer, plan.lPeak.distinctLayer})
    if (layer.isValid() && !workload.layers.contains(layer)) return "l_peak names a layer that is not there";
  return std::nullopt;
}

}  // namespace peakscope
