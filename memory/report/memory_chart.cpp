// SPDX-License-Identifier: Apache-2.0
#include "memory/report/memory_chart.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "memory/report/chart_parts.h"
#include "memory/report/text.h"

namespace peakscope::report {
namespace {

using analysis::ChartKind;
using analysis::CurvePoint;

/// What one colour of the stack shows. Order: from 0 outward.
struct Layer {
  const char* label;
  Colour colour;
  std::vector<ChartKind> kinds;
};
const std::vector<Layer>& transientLayers() {
  static const std::vector<Layer> layers{{"activations", Colour::Activations, {ChartKind::Activation}},
                                         {"data gradients", Colour::DataGradients, {ChartKind::ActivationGrad}},
                                         {"recomputed", Colour::Recomputed, {ChartKind::Recomputed}},
                                         {"saved", Colour::Saved, {ChartKind::Saved}},
                                         {"workspace", Colour::Workspace, {ChartKind::Workspace}}};
  return layers;
}
const std::vector<Layer>& floorLayers() {
  static const std::vector<Layer> layers{
      {"gradients + momentum", Colour::Gradients, {ChartKind::WeightGrad, ChartKind::OptimizerState}},
      {"weights", Colour::Weights, {ChartKind::Weight}},
      {"input", Colour::Input, {ChartKind::Input, ChartKind::Staging}}};
  return layers;
}
constexpr std::size_t scheduledLayerCount = 3;

Fill fillOf(const Layer& layer) {
  return {layer.colour, layer.colour == Colour::Recomputed ? Pattern::Dots : Pattern::Solid, Cover::Full};
}
std::string tickLabel(double value, int decimals) {
  return decimals > 0 ? fmt::format("{:.{}f}", value, decimals) : grouped(std::llround(value));
}
double mebibytes(Bytes bytes) { return static_cast<double>(bytes.count()) / static_cast<double>(bytesPerMiB); }

Bytes sumOf(const CurvePoint& point, const Layer& layer) {
  Bytes sum;
  for (const ChartKind kind : layer.kinds) sum += point.byKind[static_cast<std::size_t>(kind)];
  return sum;
}

class Chart {
 public:
  Chart(const MemoryChartInput& input, const ChartOptions& options)
      : m_in(input), m_options(options), m_figure(emptyFigure(options.width, options.height, "Memory of one iteration")),
        m_x(input.plan, input.times, marginLeft, m_figure.width - marginLeft - marginRight, options.x),
        m_isTotal(options.view == MemoryView::Total) {}

  DisplayList draw() {
    // Moments are compared while ops run, as peaks are (memory_curve.h): then all that a step needs is there at once.
    std::vector<std::int64_t> values;
    values.reserve(m_in.measured.size());
    for (const CurvePoint& p : m_in.measured)
      values.push_back(std::holds_alternative<RunStep>(m_in.plan.steps[static_cast<std::size_t>(p.step.index)].action) ? shown(p).count() : -1);
    m_columns = m_x.columns(values);
    drawHead();
    if (m_columns.empty()) {
      drawEmpty(m_figure, m_plot, "nothing to draw: the plan has no steps");
      return std::move(m_figure);
    }
    stackUp();
    chooseScale();
    drawYAxis(m_figure, m_plot, m_y, m_ticks, [&](double v) { return tickLabel(v, m_ticks.decimals); });
    m_figure.text({m_plot.x - 8, m_plot.y - 6}, "MiB", Font{.anchor = Anchor::End});
    drawBaseline();
    drawStack();
    drawPrediction();
    drawBudget();
    drawPeak();
    drawXAxis(m_figure, m_plot, m_x);
    if (m_options.withHints) drawHints();
    return std::move(m_figure);
  }

 private:
  Bytes shown(const CurvePoint& p) const { return m_isTotal ? p.total : p.scheduled; }
  const CurvePoint& at(const XAxis::Column& c) const { return m_in.measured[static_cast<std::size_t>(c.point)]; }

  void drawHead() {
    const analysis::Peak peak = findPeak();
    std::vector<Fact> facts;
    if (!m_columns.empty()) {
      facts.push_back({m_isTotal ? "peak total" : "peak scheduled", groupedMiB(peak.bytes) + " MiB"});
      facts.push_back({"at", placeOf(peak)});
      const Bytes all = m_in.baseline ? (m_isTotal ? m_in.baseline->total : m_in.baseline->scheduled) : Bytes{};
      if (all > peak.bytes)
        facts.push_back({formatPercent(1 - mebibytes(peak.bytes) / mebibytes(all)) + " below " + m_in.baseline->name, ""});
    }
    drawTitle(m_figure, "Memory", facts);
    std::vector<LegendEntry> legend;
    const auto isUsed = [&](const Layer& layer) {
      return std::ranges::any_of(m_in.measured, [&](const CurvePoint& p) { return sumOf(p, layer).count() != 0; });
    };
    for (const Layer& layer : transientLayers())
      if (isUsed(layer)) legend.push_back({LegendEntry::Shape::Swatch, layer.label, fillOf(layer), {}});
    for (const Layer& layer : floorLayers())
      if (isUsed(layer)) legend.push_back({LegendEntry::Shape::Swatch, layer.label, fillOf(layer), {}});
    if (!m_in.predicted.empty()) legend.push_back({LegendEntry::Shape::Line, "predicted", {}, Stroke{Colour::Text, 1.8, {1.6, 2.6}}});
    if (m_in.baseline) legend.push_back({LegendEntry::Shape::Line, m_in.baseline->name, {}, Stroke{Colour::Axis, 1.5, {}}});
    const double last = drawLegend(m_figure, legend, {12, 39}, m_figure.width - 8);
    m_plot = {marginLeft, last + 26, m_figure.width - marginLeft - marginRight, m_figure.height - last - 26 - 24};
    m_plot.height = std::max(20.0, m_plot.height);
  }

  /// m_edges[i]: outer edge in MiB of layer i per column; m_edges[-1] is 0 (m_zero).
  void stackUp() {
    const std::size_t n = m_columns.size();
    m_zero.assign(n, 0);
    const auto stack = [&](const std::vector<Layer>& layers, std::vector<double> base, double sign, bool isFloor) {
      std::vector<std::vector<double>> edges;
      for (std::size_t l = 0; l < layers.size(); ++l) {
        for (std::size_t c = 0; c < n; ++c) {
          const CurvePoint& point = at(m_columns[c]);
          const double scale = !isFloor && !m_isTotal && l < scheduledLayerCount ? scheduledShare(point) : 1;
          base[c] += sign * scale * mebibytes(sumOf(point, layers[l]));
        }
        edges.push_back(base);
      }
      return edges;
    };
    // Total: the floor stands on 0, outermost kind lowest, and the rest on the floor.
    std::vector<Layer> floor = floorLayers();
    if (m_isTotal) std::ranges::reverse(floor);
    m_floor = stack(floor, m_zero, m_isTotal ? 1 : -1, true);
    m_up = stack(transientLayers(), m_isTotal ? m_floor.back() : m_zero, 1, false);
    m_floorLayers = std::move(floor);
  }
  /// Scheduled counts elements x type, the kinds count what layouts take. Where they differ the drawn kinds keep their
  /// proportions and add up to scheduled; exact bytes are in the tables.
  static double scheduledShare(const CurvePoint& point) {
    Bytes taken;
    for (std::size_t l = 0; l < scheduledLayerCount; ++l) taken += sumOf(point, transientLayers()[l]);
    return taken.count() > 0 ? static_cast<double>(point.scheduled.count()) / static_cast<double>(taken.count()) : 1;
  }

  double floorDepth() const { return m_isTotal ? 0 : -std::ranges::min(m_floor.back()); }

  void chooseScale() {
    double top = std::ranges::max(m_up.back());
    for (const CurvePoint& p : m_in.predicted) top = std::max(top, mebibytes(shown(p)));
    if (m_in.baseline) top = std::max(top, mebibytes(m_isTotal ? m_in.baseline->total : m_in.baseline->scheduled));
    // A budget far above everything would flatten the chart: then it is only named.
    if (m_in.budget) {
      const double line = mebibytes(*m_in.budget) - floorDepth();
      m_isBudgetDrawn = line > 0 && line <= top * 1.5;
      if (m_isBudgetDrawn) top = std::max(top, line);
    }
    if (!(top > 0)) top = 1;
    m_y = {-floorDepth(), top * 1.08, m_plot.y + m_plot.height, m_plot.y};
    const double upward = m_y.from - m_y(0);
    m_ticks = roundTicks(0, m_y.high, static_cast<int>(std::clamp((m_plot.height - upward) / 34, 2.0, 8.0)));
  }
  void drawBaseline() {
    if (!m_in.baseline) return;
    const double y = m_y(mebibytes(m_isTotal ? m_in.baseline->total : m_in.baseline->scheduled));
    m_figure.rect({m_plot.x, y, m_plot.width, m_y(0) - y}, Fill{Colour::Axis, Pattern::Solid, Cover::Ghost});
    m_figure.line({m_plot.x, y}, {m_plot.x + m_plot.width, y}, Stroke{Colour::Axis, 1.5, {}});
    const std::string words = m_in.baseline->name + " " + groupedMiB(m_isTotal ? m_in.baseline->total : m_in.baseline->scheduled);
    // On the side where the peak's line is not.
    const bool isPeakRight = m_columns[peakColumn()].x1 > m_plot.x + m_plot.width / 2;
    if (isPeakRight) m_figure.text({m_plot.x + 6, y - 5}, words, Font{});
    else m_figure.text({m_plot.x + m_plot.width - 6, y - 5}, words, Font{.anchor = Anchor::End});
  }

  void drawStack() {
    const std::vector<double>* inner = &m_zero;
    for (std::size_t l = 0; l < m_floor.size(); ++l) {
      drawBand(m_figure, m_columns, *inner, m_floor[l], m_y, Fill{m_floorLayers[l].colour, Pattern::Solid, Cover::Floor});
      inner = &m_floor[l];
    }
    for (std::size_t l = 0; l < m_floor.size(); ++l) {   // full-colour edges and names above all bands
      const std::vector<double>& from = l == 0 ? m_zero : m_floor[l - 1];
      const std::vector<double>& upper = m_isTotal ? m_floor[l] : from;
      const double height = std::abs(m_y(m_floor[l].front()) - m_y(from.front()));
      if (height <= 0) continue;
      m_figure.polyline(outline(m_columns, [&](std::size_t i) { return m_y(upper[i]) + 1; }), Stroke{m_floorLayers[l].colour, 2, {}});
      if (height < 14) continue;
      const std::string words = std::string{m_floorLayers[l].label} + "  " + groupedMiB(sumOf(at(m_columns.front()), m_floorLayers[l]));
      m_figure.text({m_plot.x + 8, (m_y(m_floor[l].front()) + m_y(from.front())) / 2 + 4.5}, words, Font{.colour = Colour::Text});
    }
    inner = m_isTotal ? &m_floor.back() : &m_zero;
    for (std::size_t l = 0; l < m_up.size(); ++l) {
      drawBand(m_figure, m_columns, *inner, m_up[l], m_y, fillOf(transientLayers()[l]));
      inner = &m_up[l];
    }
    m_figure.line({m_plot.x, m_y(0)}, {m_plot.x + m_plot.width, m_y(0)}, Stroke{Colour::Text});
    if (!m_isTotal && floorDepth() > 0) drawRightAxis();
  }
  /// Total device bytes, exact because the floor is flat; left out where it is not.
  void drawRightAxis() {
    const double right = m_plot.x + m_plot.width;
    if (std::ranges::max(m_floor.back()) != std::ranges::min(m_floor.back())) return;
    const Ticks ticks = roundTicks(0, m_y.high + floorDepth(), 4);
    for (const double v : ticks.values) {
      const double y = m_y(v - floorDepth());
      m_figure.line({right, y}, {right + 4, y}, Stroke{Colour::Axis});
      m_figure.text({right + 7, std::min(y + 4, m_plot.y + m_plot.height)},
                    tickLabel(v, ticks.decimals), Font{});
    }
    m_figure.text({right + 7, m_plot.y - 6}, "total", Font{});
    const double height = m_plot.y + m_plot.height - m_y(0);
    if (height < 26) return;
    const double middle = m_y(0) + height / 2;
    m_figure.text({m_plot.x - 8, middle}, "persistent", Font{.anchor = Anchor::End});
    Bytes floor;
    for (const Layer& layer : m_floorLayers) floor += sumOf(at(m_columns.front()), layer);
    m_figure.text({m_plot.x - 8, middle + 14}, groupedMiB(floor), Font{.anchor = Anchor::End});
  }

  void drawPrediction() {
    if (m_in.predicted.size() != m_in.measured.size()) return;
    const auto line = outline(m_columns, [&](std::size_t i) {
      return m_y(mebibytes(shown(m_in.predicted[static_cast<std::size_t>(m_columns[i].point)])));
    });
    m_figure.polyline(line, Stroke{Colour::Panel, 3.5, {}});
    m_figure.polyline(line, Stroke{Colour::Text, 1.8, {1.6, 2.6}});
  }

  void drawBudget() {
    if (!m_in.budget) return;
    const std::string words = "budget " + formatBytes(*m_in.budget);
    if (!m_isBudgetDrawn) {
      m_figure.text({m_plot.x + 6, m_plot.y - 6}, words + ", beyond this chart", Font{.colour = Colour::Budget});
      return;
    }
    const double y = m_y(mebibytes(*m_in.budget) - floorDepth());
    m_figure.line({m_plot.x, y}, {m_plot.x + m_plot.width, y}, Stroke{Colour::Budget, 1.5, {7, 4}});
    m_figure.text({m_plot.x + 6, y - 5}, words, Font{.colour = Colour::Budget});
  }

  analysis::Peak findPeak() const {
    return m_isTotal ? totalPeak(m_in.workload, m_in.plan, m_in.measured) : scheduledPeak(m_in.workload, m_in.plan, m_in.measured);
  }
  std::string placeOf(const analysis::Peak& peak) const {
    std::string words = fmt::format("step {}", peak.step);
    if (m_in.workload.layers.contains(peak.layer))
      words += ", " + shorten(m_in.workload.layers[peak.layer].name, 24) + " " + toString(peak.phase);
    return words;
  }
  std::size_t peakColumn() const {
    auto column = std::ranges::find(m_columns, findPeak().planStep.index, &XAxis::Column::point);
    if (column == m_columns.end()) column = std::ranges::max_element(m_columns, {}, [&](const XAxis::Column& c) { return shown(at(c)); });
    return static_cast<std::size_t>(column - m_columns.begin());
  }
  void drawPeak() {
    const analysis::Peak peak = findPeak();
    const XAxis::Column& column = m_columns[peakColumn()];
    const double x = (column.x0 + column.x1) / 2;
    const double y = m_y(mebibytes(peak.bytes));
    const std::string words = "peak " + groupedMiB(peak.bytes) + " MiB  ·  " + placeOf(peak);
    const double width = textWidth(words, 11, true) + 16;
    const double right = m_plot.x + m_plot.width;
    const double left = std::clamp(x - width >= m_plot.x ? x - width : x, m_plot.x, std::max(m_plot.x, right - width));
    const double top = std::max(m_plot.y, y - 30);
    m_figure.line({x, m_plot.y}, {x, m_plot.y + m_plot.height}, Stroke{Colour::Accent, 1.5, {}});
    m_figure.rect({left, top, width, 18}, Fill{Colour::Accent}, 2);
    m_figure.text({left + 8, top + 13}, words, Font{.colour = Colour::TextOnAccent, .isBold = true});
    m_figure.circle({x, y}, 4, Fill{Colour::Panel}, Stroke{Colour::Accent, 2, {}});
  }

  void drawHints() {
    const std::vector<std::string> names = stepNames(m_in.workload);
    for (const XAxis::Column& c : m_columns) {
      const CurvePoint& p = at(c);
      const auto step = static_cast<std::size_t>(std::max(0, p.paperStep));
      std::string words = fmt::format("step {}", p.paperStep);
      if (step < names.size() && !names[step].empty()) words += ", " + shorten(names[step], 60);
      words += ": scheduled " + groupedMiB(p.scheduled) + ", total " + groupedMiB(p.total) + " MiB";
      for (const Layer& layer : transientLayers())
        if (sumOf(p, layer).count() > 0) words += std::string{" · "} + layer.label + " " + groupedMiB(sumOf(p, layer));
      m_figure.hint({c.x0, m_plot.y, c.x1 - c.x0, m_plot.height}, std::move(words));
    }
  }

  const MemoryChartInput& m_in;
  const ChartOptions& m_options;
  DisplayList m_figure;
  XAxis m_x;
  bool m_isTotal;
  bool m_isBudgetDrawn = false;
  Area m_plot;
  Scale m_y;
  Ticks m_ticks;
  std::vector<XAxis::Column> m_columns;
  std::vector<Layer> m_floorLayers;
  std::vector<double> m_zero;
  std::vector<std::vector<double>> m_floor, m_up;
};

}  // namespace

DisplayList memoryChart(const MemoryChartInput& input, const ChartOptions& options) { return Chart{input, options}.draw(); }

}  // namespace peakscope::report
