// SPDX-License-Identifier: Apache-2.0
//
// The memory chart (V1): live bytes of one iteration by kind. The report, `report --svg` and the window's "save figure"
// draw it with this.
//
//   const DisplayList figure = memoryChart({.workload = w, .plan = p, .measured = curve, .predicted = curve}, {.width = 928});
#pragma once

#include <optional>
#include <span>
#include <string>

#include "memory/analysis/memory_curve.h"
#include "memory/report/axis.h"
#include "memory/report/display_list.h"

namespace peakscope::report {

/// A flat line to compare with: everything allocated for the whole iteration.
struct Baseline {
  std::string name = "keep-all";
  Bytes scheduled;
  Bytes total;
};

struct MemoryChartInput {
  const Workload& workload;
  const Plan& plan;
  const analysis::MemoryCurve& measured;       ///< filled; the prediction where nothing ran yet
  const analysis::MemoryCurve& predicted;      ///< dotted; may be empty
  std::span<const StepTime> times = {};        ///< of all plan steps, or none
  std::optional<Baseline> baseline = {};
  std::optional<Bytes> budget = {};            ///< cap on the arena
};

enum class MemoryView : std::uint8_t {
  ScheduledAndFloor,   ///< scheduled bytes upward from 0, what is there all the time downward
  Total,               ///< bytes of all kinds upward from 0
};
struct ChartOptions {
  double width = 928;
  double height = 320;
  XUnit x = XUnit::Step;
  MemoryView view = MemoryView::ScheduledAndFloor;
  bool withHints = false;   ///< one invisible field per column with its exact bytes
};
[[nodiscard]] DisplayList memoryChart(const MemoryChartInput& input, const ChartOptions& options = {});

}  // namespace peakscope::report
