// SPDX-License-Identifier: Apache-2.0
#include "engine/planning/compare.h"

#include "engine/executor.h"
#include "memory/analysis/arena_bound.h"
#include "memory/analysis/events.h"
#include "memory/analysis/memory_curve.h"
#include "memory/analysis/run_history.h"

namespace peakscope::engine {

ComparedPolicy compared(Backend& backend, const CompareInput& input, const PolicyOptions& options) {
  ComparedPolicy row{.options = options};
  const Workload& workload = input.lowering.workload;
  const auto plan = makePlan({workload, input.device, input.costs}, options);
  if (!plan) {
    row.refused = message(plan.error());
    row.smallestBudget = plan.error().smallestBudget;
    return row;
  }
  row.options = plan->options;
  const auto curve = analysis::memoryCurve(workload, *plan);
  row.scheduledPeak = analysis::scheduledPeak(workload, *plan, curve).bytes;
  row.totalPeak = analysis::totalPeak(workload, *plan, curve).bytes;
  row.arena = plan->arenaBytes;
  row.arenaBound = analysis::arenaLowerBound(workload, *plan);
  row.host = plan->hostBytes;
  row.extraForwards = plan->extraForwards;

  if (const auto committed = backend.commit(input.lowering, *plan); !committed) {
    row.refused = committed.error().message;
    return row;
  }
  backend.activate(input.lowering, *plan);
  Executor(backend, nullptr).iterate(PlannedRun(input.lowering, *plan, 0), {});
  const auto totals = analysis::iterationTotals(analysis::expand(workload, *plan, 0, PlanStepId{0}, backend.stepTimes()));
  row.copiedOut = totals.copiedOut;
  row.copiedIn = totals.copiedIn;
  row.timeNs = totals.durationNs;
  row.stallNs = totals.stallNs;
  row.recomputeNs = totals.recomputeNs;
  row.overlap = totals.overlap;
  return row;
}

}  // namespace peakscope::engine
