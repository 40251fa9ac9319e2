// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_layout.h"

#include <algorithm>
#include <limits>

#include "ui/models/coordinates.h"

namespace peakscope::ui {
namespace {

bool isComputeRun(const Workload& workload, const PlanStep& step) {
  const auto* run = std::get_if<RunStep>(&step.action);
  return run != nullptr && workload.ops[run->op].phase != Phase::Load;
}

}  // namespace

StepLayout::StepLayout(const Workload& workload, const Plan& plan, std::span<const StepTime> times) {
  const auto count = plan.steps.size();
  m_positions.assign(count, stepPosition(1));
  for (std::size_t i = 0; i < count; ++i)
    if (isComputeRun(workload, plan.steps[i])) m_runs.push_back(static_cast<std::int32_t>(i));

  // The runs of one paper step share its slot.
  for (std::size_t r = 0; r < m_runs.size();) {
    const PaperStep step = plan.steps[static_cast<std::size_t>(m_runs[r])].paperStep;
    std::size_t end = r;
    while (end < m_runs.size() && plan.steps[static_cast<std::size_t>(m_runs[end])].paperStep == step) ++end;
    const auto sharers = static_cast<std::int64_t>(end - r);
    for (std::size_t k = r; k < end; ++k)
      m_positions[static_cast<std::size_t>(m_runs[k])] = stepPosition(step) + static_cast<std::int64_t>(k - r) * unitsPerStep / sharers;
    m_last = std::max(m_last, stepPosition(step + 1));
    r = end;
  }
  std::int64_t next = m_last;
  for (std::size_t i = count; i-- > 0;) {
    if (isComputeRun(workload, plan.steps[i])) next = m_positions[i];
    m_positions[i] = next;
  }

  if (times.size() != count || count == 0) return;
  m_begin = std::numeric_limits<std::int64_t>::max();
  m_end = std::numeric_limits<std::int64_t>::min();
  for (const StepTime& time : times) {
    if (time.beginNs < 0) continue;
    m_begin = std::min(m_begin, time.beginNs);
    m_end = std::max(m_end, time.endNs);
  }
  if (m_begin > m_end) m_begin = m_end = 0;
  for (const StepTime& time : times) m_begins.push_back(std::max<std::int64_t>(time.beginNs - m_begin, 0));
  for (std::size_t r = 0; r < m_runs.size(); ++r) {
    const auto i = static_cast<std::size_t>(m_runs[r]);
    const std::int64_t last = r + 1 < m_runs.size() ? m_positions[static_cast<std::size_t>(m_runs[r + 1])] : m_last;
    m_anchors.push_back({times[i].beginNs, std::max(times[i].endNs, times[i].beginNs), m_positions[i], last});
  }
}

std::int64_t StepLayout::positionOfTime(std::int64_t ns) const {
  if (m_anchors.empty()) return stepPosition(1);
  auto after = std::upper_bound(m_anchors.begin(), m_anchors.end(), ns, [](std::int64_t t, const Anchor& a) { return t < a.beginNs; });
  if (after == m_anchors.begin()) return after->first;
  const Anchor& anchor = *std::prev(after);
  // What lies between two runs belongs to the seam between them, unless the later one waited: then to its first part.
  const std::int64_t end = std::max(anchor.endNs, anchor.beginNs + 1);
  if (ns >= end) return anchor.last;
  const double share = difference(ns, anchor.beginNs) / difference(end, anchor.beginNs);
  return anchor.first + static_cast<std::int64_t>(share * static_cast<double>(anchor.last - anchor.first));
}

std::pair<std::int64_t, std::int64_t> StepLayout::extent(XAxis axis) const {
  if (axis == XAxis::Time) return {0, std::max<std::int64_t>(m_end - m_begin, 1)};
  return {stepPosition(1), std::max(m_last, stepPosition(2))};
}

std::int64_t StepLayout::at(PlanStepId step, XAxis axis) const {
  if (step.index < 0 || step.index >= static_cast<std::int32_t>(m_positions.size())) return extent(axis).first;
  return axis == XAxis::Step || m_begins.empty() ? position(step) : m_begins[static_cast<std::size_t>(step.index)];
}

PlanStepId StepLayout::runAt(std::int64_t x, XAxis axis) const {
  const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), x, [&](std::int64_t value, std::int32_t run) { return value < at(PlanStepId{run}, axis); });
  if (after == m_runs.begin()) return m_runs.empty() ? PlanStepId{} : PlanStepId{m_runs.front()};
  return PlanStepId{*std::prev(after)};
}

}  // namespace peakscope::ui
