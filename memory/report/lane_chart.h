// SPDX-License-Identifier: Apache-2.0
//
// The lanes of one iteration (V4): compute, copy-out, copy-in, recompute and stalls, on the x-axis of the memory chart.
#pragma once

#include <vector>

#include "memory/analysis/run_history.h"
#include "memory/report/memory_chart.h"

namespace peakscope::report {

struct LaneChartInput {
  const Workload& workload;
  const Plan& plan;
  const std::vector<analysis::Event>& events;   ///< of one iteration
  std::span<const StepTime> times = {};
};
/// The height follows the rows; options.height and options.view are not used.
[[nodiscard]] DisplayList laneChart(const LaneChartInput& input, const ChartOptions& options = {});

}  // namespace peakscope::report
