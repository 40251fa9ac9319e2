// SPDX-License-Identifier: Apache-2.0
#include "memory/report/csv.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "memory/report/text.h"

namespace peakscope::report {
namespace {

constexpr const char* eventHead =
    "iteration,plan_step,step,kind,lane,tensor,layer,phase,bytes,begin_ns,end_ns,cause\r\n";

void writeEvent(std::ostream& out, const Workload& workload, const analysis::Event& e) {
  std::string tensor, layer, phase;
  LayerId owner;
  if (workload.tensors.contains(e.tensor)) {
    tensor = workload.tensors[e.tensor].name;
    owner = workload.tensors[e.tensor].layer;
  }
  if (workload.ops.contains(e.op)) {
    owner = workload.ops[e.op].layer;
    phase = toString(workload.ops[e.op].phase);
  }
  if (workload.layers.contains(owner)) layer = workload.layers[owner].name;
  out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\r\n", e.iteration, e.planStep.index, e.paperStep, csvField(toString(e.kind)),
                     csvField(toString(e.lane)), csvField(tensor), csvField(layer), phase, e.bytes.count(), e.beginNs, e.endNs,
                     csvField(describe(e.cause, workload)));
}

}  // namespace

std::string csvField(std::string_view text) {
  std::string clean = cleanText(text);
  const bool isFormula = !clean.empty() && std::string_view{"=+-@"}.find(clean.front()) != std::string_view::npos;
  const bool wasControl = !text.empty() && (text.front() == '\t' || text.front() == '\r');
  if (isFormula || wasControl) clean.insert(0, 1, '\'');
  const bool needsQuotes = clean.find_first_of(",\"") != std::string::npos || clean.starts_with(' ') || clean.ends_with(' ');
  if (!needsQuotes) return clean;
  std::string quoted = "\"";
  for (const char c : clean) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

void writeEventsCsv(std::ostream& out, const Workload& workload, std::span<const analysis::Event> events) {
  out << eventHead;
  for (const analysis::Event& e : events) writeEvent(out, workload, e);
}

void writeEventsCsv(std::ostream& out, const analysis::RunHistory& history) {
  out << eventHead;
  if (!history.hasSession()) return;
  const auto writeTimed = [&](const analysis::RunHistory::Timed* timed) {
    if (timed == nullptr) return;
    const auto plan = std::ranges::find(history.plans(), timed->plan, &PlanInstalled::plan);
    if (plan == history.plans().end()) return;
    for (const analysis::Event& e :
         analysis::expand(history.workload(), plan->value, timed->iteration, PlanStepId{0}, timed->times))
      writeEvent(out, history.workload(), e);
  };
  for (const IterationDone& done : history.iterations()) {
    if (!out) return;
    if (done.iteration >= history.firstKept()) writeTimed(history.timed(done.iteration));
  }
  writeTimed(history.inProgress());
}

void writeStepsCsv(std::ostream& out, const ReportFacts& facts) {
  out << "step,layer,type,phase,scheduled_bytes,scheduled_bytes_in_step,total_bytes,predicted_scheduled_bytes_in_step,"
         "predicted_total_bytes,time_ns,stall_ns\r\n";
  const Workload& workload = *facts.workload;
  const auto measured = analysis::bytesPerStep(workload, *facts.plan, facts.measured);
  const auto predicted = analysis::bytesPerStep(workload, *facts.plan, facts.predicted);
  std::vector<std::int64_t> busy(static_cast<std::size_t>(paperStepCount(workload)) + 1), stalled(busy.size());
  for (const analysis::Event& e : facts.events) {
    if (e.lane != Lane::Compute || e.paperStep < 0 || static_cast<std::size_t>(e.paperStep) >= busy.size()) continue;
    (e.kind == analysis::EventKind::Stall ? stalled : busy)[static_cast<std::size_t>(e.paperStep)] += e.endNs - e.beginNs;
  }
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const analysis::StepBytes& s = measured[i];
    const auto step = static_cast<std::size_t>(std::max(0, s.step));
    const bool hasLayer = workload.layers.contains(s.layer);
    out << fmt::format("{},{},{},{},{},{},{},{},{},{},{}\r\n", s.step, csvField(hasLayer ? workload.layers[s.layer].name : ""),
                       csvField(hasLayer ? workload.layers[s.layer].type : ""), toString(s.phase), s.scheduled.count(),
                       s.scheduledInStep.count(), s.total.count(), i < predicted.size() ? predicted[i].scheduledInStep.count() : 0,
                       i < predicted.size() ? predicted[i].total.count() : 0, step < busy.size() ? busy[step] : 0,
                       step < stalled.size() ? stalled[step] : 0);
  }
}

void writeRunsCsv(std::ostream& out, std::span<const RunRow> runs) {
  out << "net,batch,lowering,library,techniques,backend,backend_detail,device,time_source,seed,threads,started,iterations,"
         "dropped_iterations,scheduled_peak_bytes,scheduled_peak_step,scheduled_peak_layer,scheduled_peak_phase,total_peak_bytes,"
         "arena_bytes,host_bytes,keep_all_scheduled_bytes,extra_forwards,copied_out_bytes,copied_in_bytes,images_per_second_median,"
         "images_per_second_mad,stall_ns,recompute_ns,last_loss,last_accuracy,first_difference\r\n";
  for (const RunRow& run : runs) {
    const ReportFacts& f = run.facts;
    const analysis::RunHistory& h = run.input.history;
    const RunInfo& info = h.session().info;
    const Workload& w = *f.workload;
    const auto place = w.layers.contains(f.scheduledPeak.layer) ? w.layers[f.scheduledPeak.layer].name : std::string{};
    const auto& baseline = run.input.replanned.baseline;
    out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},", csvField(w.net), w.batch, csvField(w.lowering), csvField(w.library),
                       csvField(techniquesText(f.plan->options)), csvField(info.backend), csvField(info.backendDetail),
                       csvField(h.session().device.name), csvField(info.timeSource), info.seed, info.threads,
                       isoDate(info.startedUnixNs), h.iterations().size(), h.droppedIterations());
    out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},", f.scheduledPeak.bytes.count(), f.scheduledPeak.step, csvField(place),
                       toString(f.scheduledPeak.phase), f.totalPeak.bytes.count(), f.plan->arenaBytes.count(), f.plan->hostBytes.count(),
                       baseline ? fmt::format("{}", baseline->scheduled.count()) : "", f.plan->extraForwards, f.copiedOut.count(),
                       f.copiedIn.count());
    out << fmt::format("{},{},{},{},{},{},{}\r\n", shortNumber(f.imagesPerSecond.median, 3), shortNumber(f.imagesPerSecond.deviation, 3),
                       f.totals.stallNs, f.totals.recomputeNs, h.iterations().empty() ? "" : fmt::format("{}", h.iterations().back().loss),
                       h.lastEvaluated() == nullptr ? "" : fmt::format("{}", h.lastEvaluated()->accuracy),
                       h.proof().firstDifference < 0 ? "" : fmt::format("{}", h.proof().firstDifference));
  }
}

}  // namespace peakscope::report
