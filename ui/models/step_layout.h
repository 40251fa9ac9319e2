// SPDX-License-Identifier: GPL-3.0-or-later
//
// StepLayout: where each plan step of an iteration stands on the two x-axes.
//
//   step axis   every paper step is a slot of the same width; the ops that run in it (the layer and what is rebuilt for it)
//               share the slot evenly, so the picture is the same for every iteration and comparable between runs
//   time axis   nanoseconds since the iteration began
//
// Times are brought onto the step axis along the runs: inside a run, time is linear.
//
//   const StepLayout layout(workload, plan, times);
//   layout.position(run);  layout.positionOfTime(copy.beginNs);
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "memory/log_record.h"
#include "memory/plan.h"

namespace peakscope::ui {

enum class XAxis : std::uint8_t { Step, Time };

class StepLayout {
 public:
  StepLayout() = default;
  /// `times` may be empty: then there is a step axis only.
  StepLayout(const Workload& workload, const Plan& plan, std::span<const StepTime> times);

  [[nodiscard]] bool hasTimes() const { return !m_anchors.empty(); }
  /// Begin of a plan step: its own for a run, that of the next run for what prepares it.
  [[nodiscard]] std::int64_t position(PlanStepId step) const { return m_positions[static_cast<std::size_t>(step.index)]; }
  /// A moment, ns since the session's time 0, on the step axis.
  [[nodiscard]] std::int64_t positionOfTime(std::int64_t ns) const;
  /// First and one past the last position on an axis.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> extent(XAxis axis) const;
  /// Begin of a plan step on an axis; the time axis starts at 0 with the iteration.
  [[nodiscard]] std::int64_t at(PlanStepId step, XAxis axis) const;
  [[nodiscard]] std::int64_t at(std::int64_t ns, XAxis axis) const { return axis == XAxis::Step ? positionOfTime(ns) : ns - m_begin; }
  /// The run that is on at a position; invalid outside.
  [[nodiscard]] PlanStepId runAt(std::int64_t x, XAxis axis) const;

 private:
  struct Anchor {
    std::int64_t beginNs, endNs, first, last;
  };
  std::vector<std::int64_t> m_positions;   ///< per plan step, on the step axis
  std::vector<std::int64_t> m_begins;      ///< per plan step, ns since the iteration began; empty without times
  std::vector<std::int32_t> m_runs;        ///< plan steps that run ops of a step, in order
  std::vector<Anchor> m_anchors;
  std::int64_t m_last = 0, m_begin = 0, m_end = 0;
};

}  // namespace peakscope::ui
