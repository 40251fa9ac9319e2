// SPDX-License-Identifier: Apache-2.0
//
// The long tables of the HTML report. Each has a limit, says how many rows it left out, and adds them up all the same.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "memory/report/html_parts.h"
#include "memory/report/text.h"

namespace peakscope::report::html {
namespace {

using analysis::ChartKind;
using analysis::LiveTensor;

constexpr std::size_t liveLimit = 30;
constexpr std::size_t layerLimit = 800;

bool isScheduledKind(ChartKind kind) {
  return kind == ChartKind::Activation || kind == ChartKind::ActivationGrad || kind == ChartKind::Recomputed;
}
std::string nameOf(const LiveTensor& live, const Workload& w) {
  if (w.tensors.contains(live.tensor)) return name(w.tensors[live.tensor].name);
  return w.ops.contains(live.op) ? "workspace of " + name(opName(w, live.op)) : "workspace";
}
std::string kindCell(ChartKind kind, const std::string& words) { return swatch(colourOf(kind)) + words; }
std::string counted(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", grouped(static_cast<std::int64_t>(count)), word, count == 1 ? "" : "s");
}

}  // namespace

std::string liveAtPeak(const ReportFacts& facts) {
  if (!facts.scheduledPeak.planStep.isValid()) return {};
  const Workload& w = *facts.workload;
  const analysis::CurvePoint& point = facts.measured[static_cast<std::size_t>(facts.scheduledPeak.planStep.index)];
  Table t{{"tensor", "layer", ">MiB", ">share", "state", ">born at", ">next use", "why"}, {}};

  std::vector<const LiveTensor*> scheduled;
  struct Group { Bytes bytes; std::size_t count = 0; };
  std::map<ChartKind, Group> others;
  Bytes scheduledSum, layoutSum, otherSum;
  for (const LiveTensor& live : facts.liveAtPeak) {
    if (live.bytes.count() == 0) continue;   // on the host only
    if (isScheduledKind(live.kind)) {
      scheduled.push_back(&live);
      scheduledSum += live.shapeBytes;
      layoutSum += live.bytes;
    } else {
      others[live.kind].bytes += live.bytes;
      ++others[live.kind].count;
      otherSum += live.bytes;
    }
  }
  std::ranges::stable_sort(scheduled, std::greater{}, [](const LiveTensor* l) { return l->shapeBytes; });
  Bytes left;
  for (std::size_t i = 0; i < scheduled.size(); ++i) {
    const LiveTensor& live = *scheduled[i];
    if (i >= liveLimit) {
      left += live.shapeBytes;
      continue;
    }
    const LayerId layer = w.tensors.contains(live.tensor) ? w.tensors[live.tensor].layer : LayerId{};
    const double share = scheduledSum.count() > 0 ? static_cast<double>(live.shapeBytes.count()) / static_cast<double>(scheduledSum.count()) : 0;
    t.rows.push_back({kindCell(live.kind, nameOf(live, w)), w.layers.contains(layer) ? name(w.layers[layer].name) : "",
                      groupedMiB(live.shapeBytes), formatPercent(share), toString(live.state), grouped(live.bornAt),
                      live.nextUse > 0 ? grouped(live.nextUse) : "none", name(describe(live.cause, w))});
  }
  if (scheduled.size() > liveLimit)
    t.rows.push_back({fmt::format("{} more", grouped(static_cast<std::int64_t>(scheduled.size() - liveLimit))), "", groupedMiB(left), "", "", "", "", ""});

  const auto verdict = [](Bytes sum, Bytes curve) {
    return sum == curve ? "<span class=\"good\">equals the curve ✓</span>"
                        : fmt::format("<span class=\"bad\">the curve says {}</span>", groupedMiB(curve));
  };
  const std::vector<std::string> scheduledTotal{"scheduled", counted(scheduled.size(), "tensor"), groupedMiB(scheduledSum), "", "", "", "",
                                                verdict(scheduledSum, point.scheduled)};
  std::string body = table({t.heads, t.rows, {scheduledTotal}});

  Table rest{{"also on the device at that moment", "", ">MiB", ""}, {}};
  if (layoutSum != scheduledSum) rest.rows.push_back({"padding of layouts", "", groupedMiB(layoutSum - scheduledSum), ""});
  for (const auto& [kind, group] : others)
    rest.rows.push_back({kindCell(kind, analysis::toString(kind)), counted(group.count, "tensor"), groupedMiB(group.bytes), ""});
  rest.isNarrow = true;
  rest.totals.push_back({"total", "", groupedMiB(layoutSum + otherSum), verdict(layoutSum + otherSum, point.total)});
  body.append("<div class=\"gap\"></div>\n").append(table(rest));
  return section("Live at the peak", "The tensors that make up the scheduled peak: " + name(placeText(facts.scheduledPeak, w)) + ".", body);
}

std::string layers(const ReportFacts& facts) {
  const Workload& w = *facts.workload;
  struct Row {
    LayerId layer;
    std::array<Bytes, 2> scheduled;        ///< forward, backward: maximum in the step
    std::array<PaperStep, 2> step{};
    std::array<std::int64_t, 2> time{};
    std::int64_t rebuilt = 0;
  };
  IdVector<LayerId, Row> byLayer(w.layers.size());
  for (const LayerId id : idsOf(byLayer)) byLayer[id].layer = id;
  for (const analysis::StepBytes& s : analysis::bytesPerStep(w, *facts.plan, facts.measured)) {
    if (!byLayer.contains(s.layer)) continue;
    const std::size_t side = s.phase == Phase::Backward ? 1 : 0;
    byLayer[s.layer].scheduled[side] = std::max(byLayer[s.layer].scheduled[side], s.scheduledInStep);
    byLayer[s.layer].step[side] = s.step;
  }
  for (const analysis::Event& e : facts.events) {
    if (!w.ops.contains(e.op) || !byLayer.contains(w.ops[e.op].layer)) continue;
    Row& row = byLayer[w.ops[e.op].layer];
    if (e.kind == analysis::EventKind::Rebuild) ++row.rebuilt;
    if (e.kind == analysis::EventKind::Run && w.ops[e.op].phase != Phase::Update)
      row.time[w.ops[e.op].phase == Phase::Backward ? 1 : 0] += e.endNs - e.beginNs;
  }
  IdVector<LayerId, Bytes> outputs(w.layers.size());
  for (const Tensor& tensor : w.tensors)
    if (tensor.kind == TensorKind::Activation && outputs.contains(tensor.layer)) outputs[tensor.layer] += tensor.shapeBytes;

  Bytes highest{1};
  for (const Row& row : byLayer) highest = std::max({highest, row.scheduled[0], row.scheduled[1]});
  Table t{{"layer", "type", ">output, MiB", ">forward step", ">live, MiB", "", ">time", ">backward step", ">live, MiB", "", ">time", ">run again"}, {}};
  const auto bar = [&](Bytes bytes) {
    const double width = 72 * static_cast<double>(bytes.count()) / static_cast<double>(highest.count());
    return fmt::format("<span class=\"bar\" style=\"width:{}px\"></span>", shortNumber(width, 1));
  };
  std::size_t shown = 0;
  for (const Row& row : byLayer) {
    if (++shown > layerLimit) break;
    const WorkloadLayer& layer = w.layers[row.layer];
    std::vector<std::string> cells{name(layer.name), name(layer.type), groupedMiB(outputs[row.layer])};
    for (const std::size_t side : {0u, 1u}) {
      if (row.step[side] == 0) {
        cells.insert(cells.end(), {"", "", "", ""});
        continue;
      }
      cells.insert(cells.end(), {grouped(row.step[side]), groupedMiB(row.scheduled[side]), bar(row.scheduled[side]),
                                 row.time[side] > 0 ? formatDuration(row.time[side]) : ""});
    }
    cells.push_back(row.rebuilt > 0 ? grouped(row.rebuilt) : "");
    t.rows.push_back(std::move(cells));
  }
  const auto count = static_cast<std::size_t>(w.layers.size());
  const std::string words = count > layerLimit ? fmt::format("the first {} of {} layers; all are in steps.csv", layerLimit, grouped(w.layers.size()))
                                               : counted(count, "layer") + ", highest scheduled bytes while each runs";
  return fmt::format("<section class=\"long\">\n<details>\n<summary>Layers<span>{}</span></summary>\n{}</details>\n</section>\n", words, table(t));
}

std::string reconcile(const ReportFacts& facts) {
  const Reconcile& r = facts.reconcile;
  Table t{{"where the bytes are", ">MiB", "what it is"}, {}};
  t.rows.push_back({"requested", groupedMiB(r.requested), "what the tensors and the workspace take, the total peak"});
  t.rows.push_back({"+ rounding", groupedMiB(r.rounding), fmt::format("to slots of {} bytes", facts.plan->alignment.count())});
  t.rows.push_back({"+ free in the arena", groupedMiB(r.arenaFree), "holes between slots, and room that other steps need"});
  t.rows.push_back({"<b>= arena</b>", "<b>" + groupedMiB(r.arena) + "</b>", "what the budget caps"});
  t.rows.push_back({"host", groupedMiB(r.host), "room for what is offloaded"});
  t.rows.push_back({"library-internal", groupedMiB(r.library),
                    facts.iteration >= 0 ? "heap that libraries took during an iteration, outside of the arena, at most" : "not measured: nothing ran"});
  return section("Reconcile", "Every byte at the moment of the total peak, " + name(placeText(facts.totalPeak, *facts.workload)) + ".", table(t));
}

}  // namespace peakscope::report::html
