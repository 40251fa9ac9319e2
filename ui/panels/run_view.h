// SPDX-License-Identifier: GPL-3.0-or-later
//
// RunView: what the panels draw, prepared once per refresh: a plan with its curve, and the times of the iteration shown.
// What does not change from one iteration to the next is shared.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "memory/analysis/events.h"
#include "memory/analysis/memory_curve.h"
#include "memory/plan.h"
#include "ui/models/step_layout.h"

namespace peakscope::ui {

/// A plan, its workload and the curve that it predicts: made once, shown for thousands of iterations.
struct PlannedRun {
  Workload workload;
  Plan plan;
  analysis::MemoryCurve predicted;
};

class RunView {
 public:
  explicit RunView(std::shared_ptr<const PlannedRun> planned, std::vector<StepTime> stepTimes = {}, std::vector<Deviation> measured = {})
      : workload(planned->workload), plan(planned->plan), predicted(planned->predicted), times(std::move(stepTimes)), deviations(std::move(measured)),
        layout(workload, plan, times), m_planned(std::move(planned)) {
    if (!deviations.empty()) m_measured = analysis::memoryCurve(workload, plan, deviations);
    peak = analysis::scheduledPeak(workload, plan, curve());
  }
  RunView(const RunView&) = delete;
  RunView& operator=(const RunView&) = delete;

  /// Measured where something ran, else predicted.
  [[nodiscard]] const analysis::MemoryCurve& curve() const { return m_measured ? *m_measured : predicted; }

  /// Bytes at each step are the same: iterations of one plan that was measured as planned.
  [[nodiscard]] bool hasSameBytes(const RunView& other) const {
    return m_planned == other.m_planned && deviations.empty() && other.deviations.empty() && keepAllScheduled == other.keepAllScheduled;
  }

  const Workload& workload;
  const Plan& plan;
  const analysis::MemoryCurve& predicted;
  analysis::Peak peak;
  std::vector<StepTime> times;                 ///< of the iteration shown; empty where nothing ran
  std::vector<Deviation> deviations;           ///< where the backend measured another size than planned
  std::vector<analysis::Event> events;
  std::int64_t iteration = -1;
  Bytes keepAllScheduled;                      ///< 0: not known
  StepLayout layout;

 private:
  std::shared_ptr<const PlannedRun> m_planned; ///< what the references above refer to
  std::optional<analysis::MemoryCurve> m_measured;
};
using RunViewPointer = std::shared_ptr<const RunView>;

}  // namespace peakscope::ui
