// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_view_builder.h"

namespace peakscope::ui {

RunViewPointer viewOf(const PlanAnswer& answer) {
  auto view = std::make_shared<RunView>(std::make_shared<const PlannedRun>(PlannedRun{answer.workload, answer.plan, answer.curve}));
  view->keepAllScheduled = answer.keepAllScheduled;
  return view;
}

RunViewPointer RunViewBuilder::of(const analysis::RunHistory& history, const analysis::RunHistory::Timed& timed, Bytes keepAllScheduled) {
  const std::int64_t session = history.session().info.startedUnixNs;
  if (!m_planned || session != m_session || timed.plan != m_plan) {
    PlannedRun planned{history.workload(), history.plans()[static_cast<std::size_t>(timed.plan)].value, {}};
    planned.predicted = analysis::memoryCurve(planned.workload, planned.plan);
    m_planned = std::make_shared<const PlannedRun>(std::move(planned));
    m_session = session;
    m_plan = timed.plan;
  }
  auto view = std::make_shared<RunView>(m_planned, timed.times, timed.deviations);
  view->events = analysis::expand(view->workload, view->plan, timed.iteration, PlanStepId{0}, timed.times);
  view->iteration = timed.iteration;
  view->keepAllScheduled = keepAllScheduled;
  return view;
}

}  // namespace peakscope::ui
