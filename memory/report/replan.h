// SPDX-License-Identifier: Apache-2.0
//
// What each technique contributes: the run's workload planned again with one technique after the other, no budget, so
// that every number is the planner's own.
//
//   const Replanned rows = replan(history.workload(), history.session().device, costs, plan.options);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/policy.h"
#include "memory/report/memory_chart.h"

namespace peakscope::analysis { class RunHistory; }

namespace peakscope::report {

/// One setting: the techniques above it and its own are on.
struct TechniqueRow {
  std::string name;               ///< "keep everything", "liveness", "offload and prefetch", "recompute"
  Bytes scheduledPeak;
  Bytes arena;
  Bytes host;
  Bytes copied;                   ///< both directions, per iteration
  std::int32_t extraForwards = 0;
  std::string refused;            ///< why there is no plan; then the numbers mean nothing
  friend bool operator==(const TechniqueRow&, const TechniqueRow&) = default;
};
struct Replanned {
  std::optional<Baseline> baseline;   ///< everything kept
  std::vector<TechniqueRow> rows;
};
[[nodiscard]] Replanned replan(const PlanInput& input, const PolicyOptions& options);

/// The same from a run alone: device and workload are its own, costs are the step times of its latest iteration.
[[nodiscard]] Replanned replan(const analysis::RunHistory& history);

}  // namespace peakscope::report
