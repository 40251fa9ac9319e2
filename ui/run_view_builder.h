// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds what the panels draw: from a plan alone, or from an iteration that ran.
#pragma once

#include "memory/analysis/run_history.h"
#include "ui/panels/run_view.h"
#include "ui/planner_service.h"

namespace peakscope::ui {

[[nodiscard]] RunViewPointer viewOf(const PlanAnswer& answer);
[[nodiscard]] RunViewPointer viewOf(const analysis::RunHistory& history, const analysis::RunHistory::Timed& timed, Bytes keepAllScheduled);

}  // namespace peakscope::ui
