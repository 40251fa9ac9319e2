// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_view_builder.h"

namespace peakscope::ui {

RunViewPointer viewOf(const PlanAnswer& answer) {
  auto view = std::make_shared<RunView>();
  view->workload = answer.workload;
  view->plan = answer.plan;
  view->curve = view->predicted = answer.curve;
  view->peak = answer.peak;
  view->keepAllScheduled = answer.keepAllScheduled;
  view->layout = StepLayout(view->workload, view->plan, {});
  return view;
}

RunViewPointer viewOf(const analysis::RunHistory& history, const analysis::RunHistory::Timed& timed, Bytes keepAllScheduled) {
  auto view = std::make_shared<RunView>();
  view->workload = history.workload();
  view->plan = history.plans()[static_cast<std::size_t>(timed.plan)].value;
  view->predicted = analysis::memoryCurve(view->workload, view->plan);
  view->curve = timed.deviations.empty() ? view->predicted : analysis::memoryCurve(view->workload, view->plan, timed.deviations);
  view->peak = analysis::scheduledPeak(view->workload, view->plan, view->curve);
  view->times = timed.times;
  view->events = analysis::expand(view->workload, view->plan, timed.iteration, PlanStepId{0}, timed.times);
  view->iteration = timed.iteration;
  view->keepAllScheduled = keepAllScheduled;
  view->layout = StepLayout(view->workload, view->plan, view->times);
  return view;
}

}  // namespace peakscope::ui
