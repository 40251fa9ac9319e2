// SPDX-License-Identifier: Apache-2.0
#include "memory/report/lane_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "memory/report/chart_parts.h"
#include "memory/report/text.h"

namespace peakscope::report {
namespace {

using analysis::Event;
using analysis::EventKind;

constexpr double rowHeight = 20;
constexpr double barHeight = 14;
constexpr std::array rowNames{"compute", "copy-out", "copy-in", "recompute", "stalls"};
constexpr std::size_t stallRow = 4;

struct Look {
  std::size_t row = 0;
  Fill fill;
};
/// Row and fill of an event; none for Alloc, Free.
std::optional<Look> lookOf(const Event& event, const Workload& workload) {
  switch (event.kind) {
    case EventKind::Run: {
      const LayerClass kind = workload.layers[workload.ops[event.op].layer].layerClass;
      const bool isHeavy = kind == LayerClass::Convolution || kind == LayerClass::FullyConnected;
      return Look{0, {isHeavy ? Colour::ComputeStrong : Colour::ComputePale}};
    }
    case EventKind::CopyOut: return Look{1, {Colour::Activations, Pattern::StripesOut}};
    case EventKind::CopyIn: return Look{2, {Colour::Activations, Pattern::StripesIn}};
    case EventKind::Load: return Look{2, {Colour::Input}};
    case EventKind::Rebuild: return Look{3, {Colour::Recomputed, Pattern::Dots}};
    case EventKind::Stall: return event.lane == Lane::Compute ? std::optional{Look{stallRow, {Colour::Budget}}} : std::nullopt;
    case EventKind::Alloc:
    case EventKind::Free: return std::nullopt;
  }
  return std::nullopt;
}

/// Bars that end where the next begins, under a pixel, are drawn as one of the same fill: what is drawn stays bounded.
struct Bar {
  double x0, x1;
  Fill fill;
  std::int64_t ns;
};
std::string stallWords(const Bar& bar) { return fmt::format("{:.1f}", static_cast<double>(bar.ns) / 1e6); }
void addBar(std::vector<Bar>& row, Bar bar) {
  if (!row.empty()) {
    Bar& last = row.back();
    const bool isTiny = bar.x1 - bar.x0 < 1 && last.x1 - last.x0 < 1;
    if (bar.x0 < last.x1 + (isTiny ? 0.5 : 0.0) && (isTiny || bar.x1 <= last.x1) && last.fill == bar.fill) {
      last.x1 = std::max(last.x1, bar.x1);
      last.ns += bar.ns;
      return;
    }
  }
  row.push_back(bar);
}

/// "copy-out conv1.out, 221.558 MiB, 18.5 ms, 12.0 GB/s"
std::string hintOf(const Event& event, const Workload& workload) {
  std::string words = toString(event.kind);
  if (workload.tensors.contains(event.tensor)) words += " " + shorten(workload.tensors[event.tensor].name, 60);
  if (workload.ops.contains(event.op)) words += " " + shorten(opName(workload, event.op), 60);
  const std::int64_t ns = event.endNs - event.beginNs;
  const bool isCopy = event.kind == EventKind::CopyOut || event.kind == EventKind::CopyIn;
  if (isCopy) words += ", " + groupedMiB(event.bytes) + " MiB";
  words += ", " + formatDuration(ns);
  if (isCopy) words += fmt::format(", {:.1f} GB/s", static_cast<double>(event.bytes.count()) / static_cast<double>(ns));
  return words;
}

}  // namespace

DisplayList laneChart(const LaneChartInput& input, const ChartOptions& options) {
  const double top = 30;
  DisplayList figure = emptyFigure(options.width, top + rowHeight * static_cast<double>(rowNames.size()) + 26, "Lanes of one iteration");
  const Area plot{marginLeft, top, figure.width - marginLeft - marginRight, rowHeight * static_cast<double>(rowNames.size())};
  const XAxis x{input.plan, input.times, plot.x, plot.width, options.x};

  const analysis::IterationTotals totals = iterationTotals(input.events);
  std::vector<Fact> facts;
  if (x.hasTimes()) {
    facts = {{"iteration", formatDuration(totals.durationNs)}, {"copies", formatDuration(totals.copyNs)}};
    if (totals.copyNs > 0) facts.push_back({"hidden", formatPercent(totals.overlap)});
    facts.push_back({"stalls", formatDuration(totals.stallNs), totals.stallNs > 0 ? Colour::Budget : Colour::Text});
    facts.push_back({"recompute", formatDuration(totals.recomputeNs)});
  }
  drawTitle(figure, "Lanes", facts);

  for (std::size_t row = 0; row < rowNames.size(); ++row) {
    const double y = plot.y + rowHeight * static_cast<double>(row);
    if (row % 2 == 0) figure.rect({plot.x, y, plot.width, rowHeight}, Fill{Colour::AlternateRow});
    figure.text({plot.x - 8, y + 14}, rowNames[row], Font{.anchor = Anchor::End});
  }
  if (!x.hasTimes()) {
    drawEmpty(figure, plot, "no times: this iteration did not run, or its step times were not kept");
    drawXAxis(figure, plot, x);
    return figure;
  }

  std::array<std::vector<Bar>, rowNames.size()> rows;
  for (const Event& event : input.events) {
    const auto look = lookOf(event, input.workload);
    if (look && event.endNs > event.beginNs) addBar(rows[look->row], {x.atTime(event.beginNs), x.atTime(event.endNs), look->fill, event.endNs - event.beginNs});
  }
  figure.clip(plot);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double y = plot.y + rowHeight * static_cast<double>(row) + (rowHeight - barHeight) / 2;
    for (const Bar& bar : rows[row]) {
      // A hairline between neighbours where there is room for it; at least a pixel, so that nothing is invisible.
      const double width = bar.x1 - bar.x0;
      const bool hasGap = width > 3;
      figure.rect({bar.x0 + (hasGap ? 0.5 : 0), y, std::max(1.0, width - (hasGap ? 1 : 0)), barHeight}, bar.fill, hasGap ? 1 : 0);
    }
  }
  for (const Event& event : input.events) {
    const auto look = lookOf(event, input.workload);
    const double x0 = x.atTime(event.beginNs), x1 = x.atTime(event.endNs);
    if (options.withHints && look && x1 - x0 >= 2)   // narrower ones cannot be pointed at
      figure.hint({x0, plot.y + rowHeight * static_cast<double>(look->row), x1 - x0, rowHeight}, hintOf(event, input.workload));
  }
  // Milliseconds behind a stall, where there is room before the next one.
  const std::vector<Bar>& stalls = rows[stallRow];
  for (std::size_t i = 0; i < stalls.size(); ++i) {
    const std::string words = stallWords(stalls[i]);
    const double end = stalls[i].x1 + 3 + textWidth(words, 11);
    const double room = i + 1 < stalls.size() ? stalls[i + 1].x0 - 2 : plot.x + plot.width;
    if (words != "0.0" && end <= room) figure.text({stalls[i].x1 + 3, plot.y + rowHeight * 4 + 14}, words, Font{.colour = Colour::Budget});
  }
  figure.endClip();
  figure.line({plot.x, plot.y}, {plot.x, plot.y + plot.height}, Stroke{Colour::Border});
  drawXAxis(figure, plot, x);
  return figure;
}

}  // namespace peakscope::report
