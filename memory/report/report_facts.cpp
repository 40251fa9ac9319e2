// SPDX-License-Identifier: Apache-2.0
#include "memory/report/report_facts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace peakscope::report {
namespace {

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Reconcile reconcileAt(const Workload& workload, const Plan& plan, PlanStepId step, std::span<const Deviation> deviations) {
  Reconcile r;
  for (const analysis::LiveTensor& live : analysis::liveAt(workload, plan, step, deviations)) {
    r.requested += live.bytes;
    if (live.bytes.count() > 0) r.rounding += roundUp(live.bytes, plan.alignment) - live.bytes;
  }
  r.arena = plan.arenaBytes;
  r.arenaFree = plan.arenaBytes - r.requested - r.rounding;
  r.host = plan.hostBytes;
  return r;
}

void addTimes(ReportFacts& facts, const analysis::RunHistory& history) {
  std::vector<double> rates;
  for (const IterationDone& done : history.iterations()) {
    facts.reconcile.library = std::max(facts.reconcile.library, done.libraryBytes);
    const double seconds = static_cast<double>(done.endNs - done.beginNs) / 1e9;
    if (seconds > 0 && done.images > 0) rates.push_back(done.images / seconds);
  }
  facts.imagesPerSecond = spreadOf(std::move(rates));
}

}  // namespace

Spread spreadOf(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {};
  Spread spread;
  spread.count = static_cast<std::int64_t>(values.size());
  spread.median = medianOf(values);
  for (double& v : values) v = std::abs(v - spread.median);
  spread.deviation = medianOf(std::move(values));
  return spread;
}

Result<ReportFacts> reportFacts(const ReportInput& input) {
  const analysis::RunHistory& history = input.history;
  if (!history.hasSession()) return badInput("nothing to report: the trace has no session");
  if (history.plans().empty()) return badInput("nothing to report: the trace has no plan; the run ended before its first iteration");

  ReportFacts facts;
  facts.workload = &history.workload();
  facts.plan = history.currentPlan();
  std::span<const Deviation> deviations;
  if (const auto* timed = history.latestComplete()) {
    const auto installed = std::ranges::find(history.plans(), timed->plan, &PlanInstalled::plan);
    if (installed != history.plans().end()) {
      facts.plan = &installed->value;
      facts.iteration = timed->iteration;
      facts.times = timed->times;
      deviations = timed->deviations;
      facts.events = analysis::expand(*facts.workload, *facts.plan, timed->iteration, PlanStepId{0}, timed->times);
      facts.totals = analysis::iterationTotals(facts.events);
    }
  }
  const Workload& workload = *facts.workload;
  const Plan& plan = *facts.plan;
  facts.predicted = analysis::memoryCurve(workload, plan);
  facts.measured = deviations.empty() ? facts.predicted : analysis::memoryCurve(workload, plan, deviations);
  if (!facts.measured.empty()) {
    facts.scheduledPeak = analysis::scheduledPeak(workload, plan, facts.measured);
    facts.totalPeak = analysis::totalPeak(workload, plan, facts.measured);
    // Peaks are where ops run; a plan that runs nothing has none.
    if (facts.scheduledPeak.planStep.isValid())
      facts.liveAtPeak = analysis::liveAt(workload, plan, facts.scheduledPeak.planStep, deviations);
    if (facts.totalPeak.planStep.isValid()) facts.reconcile = reconcileAt(workload, plan, facts.totalPeak.planStep, deviations);
  }
  addTimes(facts, history);
  for (const PlanStep& step : plan.steps) {
    if (const auto* out = std::get_if<CopyOutStep>(&step.action)) facts.copiedOut += workload.tensors[out->tensor].bytes;
    if (const auto* in = std::get_if<CopyInStep>(&step.action)) facts.copiedIn += workload.tensors[in->tensor].bytes;
  }
  return facts;
}

std::string techniquesText(const PolicyOptions& options) {
  if (options.policy != "superneurons") return options.policy;   // the techniques are switches of that policy alone
  std::string text = options.policy + ": ";
  const Techniques& on = options.techniques;
  if (!on.any()) return text + "everything kept for the whole iteration";
  text += "liveness";
  if (on.cache) {
    text += options.offload == OffloadSet::Convolutions ? ", tensor cache (convolutions" : ", tensor cache (checkpoints";
    text += options.eviction == Eviction::Belady ? ", Belady's rule)" : ", LRU)";
  } else if (on.offload) {
    text += options.offload == OffloadSet::Convolutions ? ", offload and prefetch (convolutions" : ", offload and prefetch (checkpoints";
    text += options.prefetch == Prefetch::OnDemand ? ", on demand)" : ")";
  }
  if (on.recompute)
    text += options.recompute == RecomputeMode::Speed    ? ", recompute (speed)"
            : options.recompute == RecomputeMode::Memory ? ", recompute (memory)"
                                                         : ", recompute (cost-aware)";
  if (on.workspace) text += ", dynamic workspaces";
  return text;
}

std::string placeText(const analysis::Peak& peak, const Workload& workload) {
  std::string text = fmt::format("step {}", peak.step);
  if (workload.layers.contains(peak.layer)) text += fmt::format(", {} {}", workload.layers[peak.layer].name, toString(peak.phase));
  if (workload.layers.contains(peak.rebuilding)) text += fmt::format(", while rebuilding {}", workload.layers[peak.rebuilding].name);
  return text;
}

}  // namespace peakscope::report
