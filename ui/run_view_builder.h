// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds what the panels draw: from a plan alone, or from an iteration that ran.
//
//   RunViewBuilder views;                                 // keeps what iterations of one plan share
//   panel->show(views.of(history, *history.latestComplete(), keepAll));
#pragma once

#include "memory/analysis/run_history.h"
#include "ui/panels/run_view.h"
#include "ui/planner_service.h"

namespace peakscope::ui {

[[nodiscard]] RunViewPointer viewOf(const PlanAnswer& answer);

class RunViewBuilder {
 public:
  [[nodiscard]] RunViewPointer of(const analysis::RunHistory& history, const analysis::RunHistory::Timed& timed, Bytes keepAllScheduled);

 private:
  std::shared_ptr<const PlannedRun> m_planned;
  std::int64_t m_session = 0;          ///< of m_planned: when it started, and the number of the plan in it
  std::int32_t m_plan = -1;
};

}  // namespace peakscope::ui
