// SPDX-License-Identifier: GPL-3.0-or-later
//
// RunView: what the panels draw, prepared once per refresh: a plan with its curve, and the times of the iteration shown.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "memory/analysis/events.h"
#include "memory/analysis/memory_curve.h"
#include "memory/plan.h"
#include "ui/models/step_layout.h"

namespace peakscope::ui {

struct RunView {
  Workload workload;
  Plan plan;
  analysis::MemoryCurve curve;                 ///< measured where something ran, else predicted
  analysis::MemoryCurve predicted;
  analysis::Peak peak;
  std::vector<StepTime> times;                 ///< of the iteration shown; empty where nothing ran
  std::vector<analysis::Event> events;
  std::int64_t iteration = -1;
  Bytes keepAllScheduled;                      ///< 0: not known
  StepLayout layout;
};
using RunViewPointer = std::shared_ptr<const RunView>;

}  // namespace peakscope::ui
