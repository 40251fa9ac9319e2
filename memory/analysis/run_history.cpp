// SPDX-License-Identifier: Apache-2.0
#include "memory/analysis/run_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace peakscope::analysis {
namespace {

using Span = std::pair<std::int64_t, std::int64_t>;

/// Nanoseconds of `span` that the sorted, disjoint spans of the compute lane cover.
std::int64_t covered(const Span& span, const std::vector<Span>& compute) {
  std::int64_t sum = 0;
  auto it = std::upper_bound(compute.begin(), compute.end(), span.first, [](std::int64_t t, const Span& s) { return t < s.second; });
  for (; it != compute.end() && it->first < span.second; ++it) sum = addSaturated(sum, std::min(span.second, it->second) - std::max(span.first, it->first));
  return sum;
}

}  // namespace

IterationTotals iterationTotals(const std::vector<Event>& events) {
  IterationTotals totals;
  std::vector<Span> compute, copies;
  std::int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const Event& event : events) {
    begin = std::min(begin, event.beginNs);
    end = std::max(end, event.endNs);
    const std::int64_t length = event.endNs - event.beginNs;
    switch (event.kind) {
      case EventKind::Rebuild:
        totals.recomputeNs = addSaturated(totals.recomputeNs, length);
        [[fallthrough]];
      case EventKind::Run:
        compute.emplace_back(event.beginNs, event.endNs);
        break;
      case EventKind::CopyOut:
      case EventKind::CopyIn:
        totals.copyNs = addSaturated(totals.copyNs, length);
        copies.emplace_back(event.beginNs, event.endNs);
        (event.kind == EventKind::CopyOut ? totals.copiedOut : totals.copiedIn) += event.bytes;
        break;
      case EventKind::Stall:
        totals.stallNs = addSaturated(totals.stallNs, length);
        break;
      case EventKind::Alloc:
      case EventKind::Free:
      case EventKind::Load:
        break;
    }
  }
  if (begin > end) return totals;
  totals.durationNs = end - begin;
  std::sort(compute.begin(), compute.end());
  std::int64_t hidden = 0;
  for (const Span& copy : copies) hidden = addSaturated(hidden, covered(copy, compute));
  if (totals.copyNs > 0) totals.overlap = static_cast<double>(hidden) / static_cast<double>(totals.copyNs);
  return totals;
}

double imagesPerSecond(const IterationDone& done) {
  const auto ns = static_cast<double>(subtractSaturated(done.endNs, done.beginNs));
  return ns > 0 ? static_cast<double>(done.images) * 1e9 / ns : std::numeric_limits<double>::quiet_NaN();
}

void RunHistory::add(const LogRecord& record) {
  std::visit(Overloaded{
                 [&](const SessionStarted& started) { m_session = started; },
                 [&](const PlanInstalled& installed) { m_plans.push_back(installed); },
                 [&](const StepsDone& steps) { addSteps(steps); },
                 [&](const IterationDone& done) { addIteration(done); },
                 [&](const EpochDone& epoch) { m_epochs.push_back(epoch); },
                 [&](const StateChanged& changed) { m_state = changed; },
                 [&](const Notice& notice) { m_notices.push_back(notice); },
                 [&](const IterationsDropped& dropped) { addDropped(dropped); },
             },
             record);
}

void RunHistory::addSteps(const StepsDone& steps) {
  if (m_timed.empty() || m_timed.back().iteration != steps.iteration) m_timed.push_back({.iteration = steps.iteration, .plan = steps.plan});
  Timed& timed = m_timed.back();
  const auto first = static_cast<std::size_t>(steps.first.index), end = first + steps.times.size();
  if (timed.times.size() < end) {
    m_times += static_cast<std::int64_t>(end - timed.times.size());
    timed.times.resize(end, {-1, -1});
  }
  std::copy(steps.times.begin(), steps.times.end(), timed.times.begin() + static_cast<std::ptrdiff_t>(first));
  timed.deviations.insert(timed.deviations.end(), steps.deviations.begin(), steps.deviations.end());
  m_eventCount += static_cast<std::int64_t>(steps.times.size());
  forgetOldTimes();
}

void RunHistory::forgetOldTimes() {
  const auto isTooMuch = [this] { return static_cast<std::int64_t>(m_timed.size()) > keptIterations || m_times > keptTimes; };
  // The last complete one and the one in progress are what is looked at.
  while (m_timed.size() > 2 && isTooMuch()) {
    m_times -= static_cast<std::int64_t>(m_timed.front().times.size());
    m_timed.pop_front();
    ++m_forgotten;
  }
}

void RunHistory::addDropped(const IterationsDropped& dropped) {
  m_dropped = addSaturated(m_dropped, dropped.count);
  // A piece of it may have come: an iteration is kept whole or not at all.
  if (m_timed.empty() || m_timed.back().iteration < dropped.first || m_timed.back().iteration - dropped.first >= dropped.count) return;
  m_times -= static_cast<std::int64_t>(m_timed.back().times.size());
  m_timed.pop_back();
}

void RunHistory::finishTimed() {
  Timed& last = m_timed.back();
  const bool isWhole = static_cast<std::size_t>(last.plan) < m_plans.size() && last.times.size() == m_plans[static_cast<std::size_t>(last.plan)].value.steps.size() &&
                       std::none_of(last.times.begin(), last.times.end(), [](const StepTime& time) { return time.endNs < 0; });
  last.isComplete = isWhole;
  if (!isWhole) addDropped({.first = last.iteration, .count = 1});   // pieces are missing, in a damaged trace
}

void RunHistory::addIteration(const IterationDone& done) {
  m_iterations.push_back(done);
  if (!m_timed.empty() && m_timed.back().iteration == done.iteration) finishTimed();
  const Timed* known = timed(done.iteration);
  Bytes difference = std::max(magnitude(done.measuredPeakTotal - done.predictedPeakTotal), magnitude(done.measuredPeakScheduled - done.predictedPeakScheduled));
  // A step may differ below the peak: that is a difference all the same.
  if (known != nullptr && session().workload.ops.size() > 0)
    for (const Deviation& deviation : known->deviations) difference = std::max(difference, magnitude(deviation.measured - plannedBytes(*known, deviation.step)));
  // Of an iteration whose steps are not known only the peaks can be compared: that proves less.
  if (known != nullptr) ++m_proof.iterations;
  if (difference > Bytes{} && m_proof.firstDifference < 0) m_proof.firstDifference = done.iteration;
  m_proof.largestDifference = std::max(m_proof.largestDifference, difference);
}

Bytes RunHistory::magnitude(Bytes bytes) { return bytes < Bytes{} ? Bytes{} - bytes : bytes; }

Bytes RunHistory::plannedBytes(const Timed& timed, PlanStepId step) const {
  if (timed.plan < 0 || timed.plan >= static_cast<std::int32_t>(m_plans.size())) return {};
  const auto& steps = m_plans[static_cast<std::size_t>(timed.plan)].value.steps;
  if (step.index < 0 || step.index >= static_cast<std::int32_t>(steps.size())) return {};
  const PlanAction& action = steps[static_cast<std::size_t>(step.index)].action;
  if (const auto* alloc = std::get_if<AllocStep>(&action)) return workload().tensors[alloc->tensor].bytes;
  if (const auto* run = std::get_if<RunStep>(&action)) return workload().ops[run->op].candidates[static_cast<std::size_t>(run->candidate)].workspace;
  return {};
}

const RunHistory::Timed* RunHistory::timed(std::int64_t iteration) const {
  const auto it = std::lower_bound(m_timed.begin(), m_timed.end(), iteration, [](const Timed& t, std::int64_t i) { return t.iteration < i; });
  return it != m_timed.end() && it->iteration == iteration ? &*it : nullptr;
}

const EpochDone* RunHistory::lastEvaluated() const {
  const auto it = std::find_if(m_epochs.rbegin(), m_epochs.rend(), [](const EpochDone& epoch) { return std::isfinite(epoch.accuracy); });
  return it != m_epochs.rend() ? &*it : nullptr;
}

const RunHistory::Timed* RunHistory::latestComplete() const {
  const auto it = std::find_if(m_timed.rbegin(), m_timed.rend(), [](const Timed& t) { return t.isComplete; });
  return it != m_timed.rend() ? &*it : nullptr;
}

const RunHistory::Timed* RunHistory::inProgress() const { return !m_timed.empty() && !m_timed.back().isComplete ? &m_timed.back() : nullptr; }

std::int64_t RunHistory::firstKept() const { return m_timed.empty() ? 0 : m_timed.front().iteration; }

}  // namespace peakscope::analysis
