// SPDX-License-Identifier: Apache-2.0
#include "engine/executor.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "memory/analysis/memory_curve.h"

namespace peakscope::engine {
namespace {

using Clock = std::chrono::steady_clock;

/// Does one step; what the plan says about its size and what the backend states, for the steps that have one.
struct Sizes {
  Bytes planned, measured;
};
std::optional<Sizes> perform(Backend& backend, const Workload& workload, PlanStepId id, const PlanAction& action) {
  return std::visit(
      Overloaded{
          [&](const AllocStep& s) -> std::optional<Sizes> { return Sizes{workload.tensors[s.tensor].bytes, backend.alloc(id, s)}; },
          [&](const RunStep& s) -> std::optional<Sizes> {
            const auto& candidate = workload.ops[s.op].candidates[static_cast<std::size_t>(s.candidate)];
            return Sizes{candidate.workspace, backend.run(id, s)};
          },
          [&](const FreeStep& s) -> std::optional<Sizes> { backend.free(id, s); return std::nullopt; },
          [&](const CopyOutStep& s) -> std::optional<Sizes> { backend.copyOut(id, s); return std::nullopt; },
          [&](const CopyInStep& s) -> std::optional<Sizes> { backend.copyIn(id, s); return std::nullopt; },
          [&](const WaitStep& s) -> std::optional<Sizes> { backend.wait(id, s); return std::nullopt; },
      },
      action);
}

StepTime spanOf(std::span<const StepTime> times) {
  if (times.empty()) return {};
  StepTime all{std::numeric_limits<std::int64_t>::max(), 0};
  for (const StepTime& time : times) {
    all.beginNs = std::min(all.beginNs, time.beginNs);
    all.endNs = std::max(all.endNs, time.endNs);
  }
  return all;
}

}  // namespace

Peaks foldPeaks(const Lowering& lowering, const Plan& plan, std::span<const Deviation> deviations) {
  const auto curve = analysis::memoryCurve(lowering.workload, plan, deviations);
  return {analysis::totalPeak(lowering.workload, plan, curve).bytes, analysis::scheduledPeak(lowering.workload, plan, curve).bytes};
}

PlannedRun::PlannedRun(const Lowering& of, const Plan& planned, std::int32_t planNumber)
    : lowering(&of), plan(&planned), number(planNumber), predicted(foldPeaks(of, planned)) {}

IterationOutput Executor::iterate(const PlannedRun& run, const IterationInput& input) {
  const Workload& workload = run.lowering->workload;
  m_deviations.clear();
  m_reportedDeviations = 0;
  m_reported = 0;

  m_backend.beginIteration(input);
  auto lastReport = Clock::now();
  for (std::int32_t i = 0; const PlanStep& step : run.plan->steps) {
    const PlanStepId id{i++};
    if (const auto sizes = perform(m_backend, workload, id, step.action); sizes && sizes->planned != sizes->measured)
      m_deviations.push_back({id, sizes->measured});
    if (m_log != nullptr && Clock::now() - lastReport >= piece) {
      report(run, input.iteration);
      lastReport = Clock::now();
    }
  }
  IterationOutput output = m_backend.endIteration();
  if (m_log == nullptr) return output;

  report(run, input.iteration);
  const StepTime time = spanOf(m_backend.stepTimes());
  // Every size has been compared above. Where all agree the fold of the measured sizes is the fold of the planned ones.
  const Peaks measured = m_deviations.empty() ? run.predicted : foldPeaks(*run.lowering, *run.plan, m_deviations);
  m_log->append(IterationDone{.iteration = input.iteration,
                              .plan = run.number,
                              .beginNs = time.beginNs,
                              .endNs = time.endNs,
                              .loss = output.loss,
                              .images = output.images,
                              .measuredPeakTotal = measured.total,
                              .measuredPeakScheduled = measured.scheduled,
                              .predictedPeakTotal = run.predicted.total,
                              .predictedPeakScheduled = run.predicted.scheduled,
                              .measuredArenaExtent = output.extent,
                              .libraryBytes = output.libraryBytes});
  return output;
}

void Executor::report(const PlannedRun& run, std::int64_t iteration) {
  const std::span<const StepTime> times = m_backend.stepTimes();
  const auto begin = times.begin() + m_reported;
  const auto end = std::find_if(begin, times.end(), [](const StepTime& time) { return time.endNs < 0; });
  if (begin == end) return;

  StepsDone done{.iteration = iteration, .plan = run.number, .first = PlanStepId{m_reported}, .times = {begin, end}, .deviations = {}};
  m_reported += static_cast<std::int32_t>(end - begin);
  // Sizes are known when a step is issued, times when it has ended: a deviation travels with its step's time.
  while (m_reportedDeviations < m_deviations.size() && m_deviations[m_reportedDeviations].step.index < m_reported)
    done.deviations.push_back(m_deviations[m_reportedDeviations++]);
  m_log->append(std::move(done));
}

}  // namespace peakscope::engine
