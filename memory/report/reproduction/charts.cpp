// SPDX-License-Identifier: Apache-2.0
#include "memory/report/reproduction/charts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "memory/report/chart_parts.h"
#include "memory/report/text.h"

namespace peakscope::report {
namespace {

constexpr std::array lineColours{Colour::RunA, Colour::RunB, Colour::RunC, Colour::Activations};

Stroke strokeOf(std::size_t curve) { return {lineColours[curve % lineColours.size()], 1.8, {}}; }

/// A line over slots of equal width, one per step.
std::vector<Point> stairs(const std::vector<Bytes>& bytes, const Scale& x, const Scale& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double at = y(inMiB(bytes[i]));
    points.push_back({x(static_cast<double>(i)), at});
    points.push_back({x(static_cast<double>(i + 1)), at});
  }
  return points;
}

void drawPeak(DisplayList& figure, const StepCurve& curve, std::size_t index, const Scale& x, const Scale& y) {
  figure.circle({x(static_cast<double>(curve.peakStep) - 0.5), y(inMiB(curve.peak))}, 3.5, Fill{Colour::Panel}, Stroke{strokeOf(index).colour, 1.8, {}});
}

}  // namespace

DisplayList stepCurvesChart(const StepCurves& steps, double width) {
  DisplayList figure = emptyFigure(width, 360, fmt::format("Scheduled bytes at each step of {}, batch {}", steps.net, steps.batch));
  const Area plot{marginLeft, 44, figure.width - marginLeft - marginRight, 360 - 44 - 28};
  if (steps.curves.empty()) {
    drawEmpty(figure, plot, "no configuration was planned");
    return figure;
  }
  double high = 1;
  for (const StepCurve& curve : steps.curves) high = std::max(high, inMiB(curve.peak));
  const auto count = static_cast<double>(std::max<std::size_t>(1, steps.layers.size()));
  const Scale x{0, count, plot.x, plot.x + plot.width};
  const Scale y{0, high * 1.1, plot.y + plot.height, plot.y};
  const double bottom = plot.y + plot.height;

  drawYAxis(figure, plot, y, roundTicks(0, high * 1.1, 6), [](double v) { return fmt::format("{} MiB", grouped(static_cast<std::int64_t>(v))); });
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < steps.curves.size(); ++i) legend.push_back({LegendEntry::Shape::Line, fmt::format("{} {}", steps.curves[i].name, groupedMiB(steps.curves[i].peak)), {}, strokeOf(i)});
  drawLegend(figure, legend, {plot.x, 22}, plot.x + plot.width);

  const auto backward = std::ranges::find(steps.phases, Phase::Backward) - steps.phases.begin();
  const double turn = x(static_cast<double>(backward));
  figure.line({turn, plot.y}, {turn, bottom}, Stroke{Colour::Axis, 1, {2, 3}});
  figure.text({turn - 8, bottom - 8}, "forward", Font{.anchor = Anchor::End});
  figure.text({turn + 8, bottom - 8}, "backward", Font{});

  figure.line({plot.x, bottom}, {plot.x + plot.width, bottom}, Stroke{Colour::Axis});
  for (std::size_t step = 1; step <= steps.layers.size(); ++step) {
    const double middle = x(static_cast<double>(step) - 0.5);
    figure.hint({x(static_cast<double>(step - 1)), plot.y, plot.width / count, plot.height},
                fmt::format("step {}: {} {}", step, steps.layers[step - 1], toString(steps.phases[step - 1])));
    if (step != 1 && step % 5 != 0) continue;
    figure.line({middle, bottom}, {middle, bottom + 4}, Stroke{Colour::Axis});
    figure.text({middle, bottom + 18}, fmt::format("{}", step), Font{.anchor = Anchor::Middle});
  }
  figure.text({plot.x - 8, bottom + 18}, "step", Font{.anchor = Anchor::End});
  for (std::size_t i = 0; i < steps.curves.size(); ++i) figure.polyline(stairs(steps.curves[i].liveInStep, x, y), strokeOf(i));
  // The first curve is flat: its value belongs to no step.
  for (std::size_t i = 1; i < steps.curves.size(); ++i) drawPeak(figure, steps.curves[i], i, x, y);
  return figure;
}

DisplayList trafficChart(const Reproduction& found, double width) {
  DisplayList figure = emptyFigure(width, 260, fmt::format("Copied bytes an iteration of {} over the batch", found.trafficNet));
  const Area plot{marginLeft, 44, figure.width - marginLeft - marginRight, 260 - 44 - 28};
  double high = 1, last = 1;
  for (const TrafficRow& row : found.traffic) {
    for (const auto& bytes : {row.eager, row.cached})
      if (bytes) {
        high = std::max(high, inMiB(*bytes) / 1024);
        last = std::max(last, static_cast<double>(row.batch));
      }
  }
  const Scale x{0, last, plot.x, plot.x + plot.width};
  const Scale y{0, high * 1.1, plot.y + plot.height, plot.y};
  const double bottom = plot.y + plot.height;
  const Ticks ticks = roundTicks(0, high * 1.1, 5);
  drawYAxis(figure, plot, y, ticks, [&](double v) { return fmt::format("{:.{}f} GiB", v, ticks.decimals); });
  const std::array strokes{Stroke{Colour::RunA, 1.8, {}}, Stroke{Colour::Activations, 1.8, {}}};
  drawLegend(figure, {{LegendEntry::Shape::Line, "copied eagerly", {}, strokes[0]}, {LegendEntry::Shape::Line, "with the tensor cache", {}, strokes[1]}}, {plot.x, 22},
             plot.x + plot.width);
  figure.line({plot.x, bottom}, {plot.x + plot.width, bottom}, Stroke{Colour::Axis});
  for (std::size_t line = 0; line < strokes.size(); ++line) {
    std::vector<Point> points;
    for (const TrafficRow& row : found.traffic)
      if (const auto& bytes = line == 0 ? row.eager : row.cached) points.push_back({x(static_cast<double>(row.batch)), y(inMiB(*bytes) / 1024)});
    figure.polyline(points, strokes[line]);
    for (const Point& point : points) figure.circle(point, 3, Fill{Colour::Panel}, Stroke{strokes[line].colour, 1.5, {}});
  }
  for (const TrafficRow& row : found.traffic) {
    if (static_cast<double>(row.batch) > last) continue;
    const double at = x(static_cast<double>(row.batch));
    figure.line({at, bottom}, {at, bottom + 4}, Stroke{Colour::Axis});
    figure.text({at, bottom + 18}, grouped(row.batch), Font{.anchor = Anchor::Middle});
  }
  figure.text({plot.x - 8, bottom + 18}, "batch", Font{.anchor = Anchor::End});
  return figure;
}

}  // namespace peakscope::report
