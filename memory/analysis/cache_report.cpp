// SPDX-License-Identifier: Apache-2.0
#include "memory/analysis/cache_report.h"

#include "memory/techniques/checkpoints.h"
#include "memory/techniques/offload_set.h"

namespace peakscope::analysis {
namespace {

/// What room was made for: the next allocation behind the eviction.
Bytes requestBehind(const Workload& workload, const Plan& plan, std::size_t step) {
  for (++step; step < plan.steps.size(); ++step) {
    if (const auto* alloc = std::get_if<AllocStep>(&plan.steps[step].action)) return workload.tensors[alloc->tensor].bytes;
    if (std::holds_alternative<RunStep>(plan.steps[step].action)) break;
  }
  return {};
}

IdVector<TensorId, char> rebuiltBy(const Workload& workload, const Plan& plan) {
  IdVector<TensorId, char> isRebuilt(workload.tensors.size(), 0);
  for (const PlanStep& step : plan.steps)
    if (const auto* run = std::get_if<RunStep>(&step.action); run != nullptr && workload.ops[run->op].phase == Phase::Rebuild)
      for (const OpArg& arg : workload.ops[run->op].args)
        if (writesTensor(arg.access)) isRebuilt[arg.tensor] = 1;
  return isRebuilt;
}

}  // namespace

CacheReport cacheReport(const Workload& workload, const Plan& plan) {
  CacheReport report{.hitsOf = IdVector<TensorId, std::int32_t>(workload.tensors.size(), 0), .missesOf = IdVector<TensorId, std::int32_t>(workload.tensors.size(), 0)};
  const OffloadCandidates cached = offloadCandidates(workload, plan.options.offload, checkpointsOf(workload, plan.options), rebuiltBy(workload, plan));
  IdVector<TensorId, char> isFetched(workload.tensors.size(), 0);   // on demand, and not touched since
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const PlanStep& step = plan.steps[i];
    if (const auto* out = std::get_if<CopyOutStep>(&step.action)) report.copiedOut += workload.tensors[out->tensor].bytes;
    if (const auto* in = std::get_if<CopyInStep>(&step.action)) {
      report.copiedIn += workload.tensors[in->tensor].bytes;
      isFetched[in->tensor] = step.cause.kind == CauseKind::FetchedFor;
    }
    if (const auto* free = std::get_if<FreeStep>(&step.action); free != nullptr && step.cause.kind == CauseKind::Evicted)
      report.evictions.push_back({free->tensor, step.cause.op, requestBehind(workload, plan, i), PlanStepId{static_cast<std::int32_t>(i)}, step.paperStep});
    const auto* run = std::get_if<RunStep>(&step.action);
    if (run == nullptr) continue;
    for (const OpArg& arg : workload.ops[run->op].args) {
      if (!cached.producer[arg.tensor].isValid() || cached.producer[arg.tensor] == run->op) continue;   // its first write is neither
      ++(isFetched[arg.tensor] != 0 ? report.misses : report.hits);
      ++(isFetched[arg.tensor] != 0 ? report.missesOf : report.hitsOf)[arg.tensor];
      isFetched[arg.tensor] = 0;
    }
  }
  return report;
}

}  // namespace peakscope::analysis
