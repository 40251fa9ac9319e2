// SPDX-License-Identifier: Apache-2.0
#include "memory/report/summary_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "memory/report/text.h"

namespace peakscope::report {
namespace {

using Json = nlohmann::ordered_json;

Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json run(const ReportInput& input, const ReportFacts& facts) {
  const RunInfo& info = input.history.session().info;
  const Workload& w = *facts.workload;
  return {{"net", cleanText(w.net)}, {"batch", w.batch}, {"lowering", cleanText(w.lowering)}, {"library", cleanText(w.library)},
          {"techniques", techniquesText(facts.plan->options)}, {"backend", cleanText(info.backend)},
          {"backend_detail", cleanText(info.backendDetail)}, {"device", cleanText(input.history.session().device.name)},
          {"time_source", cleanText(info.timeSource)}, {"data", cleanText(info.data)}, {"seed", info.seed}, {"threads", info.threads},
          {"program", cleanText(info.program)}, {"started", isoDate(info.startedUnixNs)}, {"command", cleanText(info.commandLine)}};
}

Json peak(const ReportFacts& facts) {
  const Workload& w = *facts.workload;
  const auto name = [&](LayerId layer) { return w.layers.contains(layer) ? Json(cleanText(w.layers[layer].name)) : Json(nullptr); };
  return {{"scheduled_bytes", facts.scheduledPeak.bytes.count()}, {"scheduled_step", facts.scheduledPeak.step},
          {"scheduled_layer", name(facts.scheduledPeak.layer)}, {"scheduled_phase", toString(facts.scheduledPeak.phase)},
          {"rebuilding", name(facts.scheduledPeak.rebuilding)}, {"total_bytes", facts.totalPeak.bytes.count()},
          {"total_step", facts.totalPeak.step}, {"total_layer", name(facts.totalPeak.layer)},
          {"arena_bytes", facts.plan->arenaBytes.count()}};
}

Json byKind(const ReportFacts& facts) {
  Json kinds = Json::object();
  if (!facts.totalPeak.planStep.isValid()) return kinds;
  const analysis::CurvePoint& at = facts.measured[static_cast<std::size_t>(facts.totalPeak.planStep.index)];
  for (int k = 0; k < analysis::chartKindCount; ++k)
    kinds[analysis::toString(static_cast<analysis::ChartKind>(k))] = at.byKind[static_cast<std::size_t>(k)].count();
  return kinds;
}

Json techniques(const ReportInput& input) {
  Json rows = Json::array();
  for (const TechniqueRow& row : input.replanned.rows) {
    if (!row.refused.empty()) {
      rows.push_back({{"name", row.name}, {"refused", cleanText(row.refused)}});
      continue;
    }
    rows.push_back({{"name", row.name}, {"scheduled_peak_bytes", row.scheduledPeak.count()}, {"arena_bytes", row.arena.count()},
                    {"host_bytes", row.host.count()}, {"copied_bytes", row.copied.count()}, {"extra_forwards", row.extraForwards}});
  }
  return rows;
}

}  // namespace

std::string summaryJson(const ReportInput& input, const ReportFacts& facts) {
  const analysis::RunHistory& h = input.history;
  const analysis::Proof proof = h.proof();
  Json notices = Json::array();
  for (const Notice& notice : h.notices()) {
    constexpr std::array words{"info", "warning", "error"};
    notices.push_back({{"severity", words[static_cast<std::size_t>(notice.severity)]}, {"text", cleanText(notice.text)}});
  }
  const Json summary{
      {"schema", 1},
      {"run", run(input, facts)},
      {"peak", peak(facts)},
      {"by_kind", byKind(facts)},
      {"host_bytes", facts.plan->hostBytes.count()},
      {"extra_forwards", facts.plan->extraForwards},
      {"transfer_bytes", {{"out", facts.copiedOut.count()}, {"in", facts.copiedIn.count()}}},
      {"reconcile", {{"requested_bytes", facts.reconcile.requested.count()}, {"rounding_bytes", facts.reconcile.rounding.count()},
                     {"arena_free_bytes", facts.reconcile.arenaFree.count()}, {"arena_bytes", facts.reconcile.arena.count()},
                     {"host_bytes", facts.reconcile.host.count()}, {"library_bytes", facts.reconcile.library.count()}}},
      {"iterations", h.iterations().size()},
      {"dropped_iterations", h.droppedIterations()},
      {"first_iteration_with_step_times", h.firstKept()},
      {"state", toString(h.state().state)},
      {"proof", {{"iterations", proof.iterations}, {"first_difference", proof.firstDifference < 0 ? Json(nullptr) : Json(proof.firstDifference)},
                 {"largest_difference_bytes", proof.largestDifference.count()}}},
      {"images_per_second", {{"median", facts.imagesPerSecond.median}, {"mad", facts.imagesPerSecond.deviation},
                             {"iterations", facts.imagesPerSecond.count}}},
      {"drawn_iteration", {{"iteration", facts.iteration}, {"time_ns", facts.totals.durationNs}, {"stall_ns", facts.totals.stallNs},
                           {"copy_ns", facts.totals.copyNs}, {"recompute_ns", facts.totals.recomputeNs},
                           {"overlap", numberOrNull(facts.totals.overlap)}}},
      {"last_loss", h.iterations().empty() ? Json(nullptr) : numberOrNull(static_cast<double>(h.iterations().back().loss))},
      {"last_accuracy", h.lastEvaluated() == nullptr ? Json(nullptr) : numberOrNull(h.lastEvaluated()->accuracy)},
      {"techniques", techniques(input)},
      {"notices", notices}};
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace peakscope::report
