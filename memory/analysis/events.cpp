// SPDX-License-Identifier: Apache-2.0
#include "memory/analysis/events.h"

namespace peakscope::analysis {
namespace {

/// The op that a wait waited for, if it was one: the input batch is loaded by an op.
OpId awaitedOp(const Plan& plan, PlanStepId on) {
  const auto* run = std::get_if<RunStep>(&plan.steps[static_cast<std::size_t>(on.index)].action);
  return run != nullptr ? run->op : OpId{};
}

/// The tensor whose copy a wait waited for, if it was a copy.
TensorId awaitedTensor(const Plan& plan, PlanStepId on) {
  const PlanAction& action = plan.steps[static_cast<std::size_t>(on.index)].action;
  if (const auto* out = std::get_if<CopyOutStep>(&action)) return out->tensor;
  if (const auto* in = std::get_if<CopyInStep>(&action)) return in->tensor;
  return {};
}

EventKind kindOfRun(Phase phase) {
  if (phase == Phase::Load) return EventKind::Load;
  return phase == Phase::Rebuild ? EventKind::Rebuild : EventKind::Run;
}

}  // namespace

const char* toString(EventKind kind) {
  switch (kind) {
    case EventKind::Alloc: return "alloc";
    case EventKind::Free: return "free";
    case EventKind::Run: return "run";
    case EventKind::Rebuild: return "rebuild";
    case EventKind::Load: return "load";
    case EventKind::CopyOut: return "copy out";
    case EventKind::CopyIn: return "copy in";
    case EventKind::Stall: return "stall";
  }
  return "?";
}

std::vector<Event> expand(const Workload& workload, const Plan& plan, std::int64_t iteration, PlanStepId first, std::span<const StepTime> times) {
  std::vector<Event> events;
  events.reserve(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const PlanStepId id{first.index + static_cast<std::int32_t>(i)};
    if (id.index < 0 || id.index >= static_cast<std::int32_t>(plan.steps.size())) break;
    const PlanStep& step = plan.steps[static_cast<std::size_t>(id.index)];
    Event event{.beginNs = times[i].beginNs, .endNs = times[i].endNs, .iteration = iteration, .planStep = id, .paperStep = step.paperStep,
                .lane = laneOf(step.action, workload), .cause = step.cause};
    const bool isShown = std::visit(Overloaded{
                                        [&](const AllocStep& alloc) {
                                          event.kind = EventKind::Alloc;
                                          event.tensor = alloc.tensor;
                                          event.bytes = workload.tensors[alloc.tensor].bytes;
                                          event.endNs = event.beginNs;
                                          return true;
                                        },
                                        [&](const FreeStep& free) {
                                          event.kind = EventKind::Free;
                                          event.tensor = free.tensor;
                                          event.bytes = workload.tensors[free.tensor].bytes;
                                          event.endNs = event.beginNs;
                                          return true;
                                        },
                                        [&](const RunStep& run) {
                                          const Op& op = workload.ops[run.op];
                                          event.kind = kindOfRun(op.phase);
                                          event.op = run.op;
                                          event.bytes = op.candidates[static_cast<std::size_t>(run.candidate)].workspace;
                                          return true;
                                        },
                                        [&](const CopyOutStep& out) {
                                          event.kind = EventKind::CopyOut;
                                          event.tensor = out.tensor;
                                          event.bytes = workload.tensors[out.tensor].bytes;
                                          return true;
                                        },
                                        [&](const CopyInStep& in) {
                                          event.kind = EventKind::CopyIn;
                                          event.tensor = in.tensor;
                                          event.bytes = workload.tensors[in.tensor].bytes;
                                          return true;
                                        },
                                        [&](const WaitStep& wait) {
                                          event.kind = EventKind::Stall;
                                          event.tensor = awaitedTensor(plan, wait.on);
                                          event.op = awaitedOp(plan, wait.on);
                                          // Copy lanes wait as a matter of course; only compute that waits is a stall.
                                          return wait.lane == Lane::Compute && event.endNs > event.beginNs;
                                        },
                                    },
                                    step.action);
    if (isShown) events.push_back(event);
  }
  return events;
}

}  // namespace peakscope::analysis
