// SPDX-License-Identifier: Apache-2.0
#include "memory/report/training_chart.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "memory/report/chart_parts.h"
#include "memory/report/text.h"

namespace peakscope::report {
namespace {

struct Sample {
  double at;      ///< iteration or epoch
  double value;
};

Area plotOf(const DisplayList& figure) { return {72, 34, figure.width - 72 - 16, figure.height - 34 - 24}; }

void drawNumbers(DisplayList& figure, const Area& plot, const Scale& x, const char* unit) {
  figure.line({plot.x, plot.y + plot.height}, {plot.x + plot.width, plot.y + plot.height}, Stroke{Colour::Axis});
  const Ticks ticks = roundTicks(x.low, x.high, static_cast<int>(std::clamp(plot.width / 70, 2.0, 10.0)));
  for (const double value : ticks.values) {
    if (value != std::floor(value)) continue;
    figure.line({x(value), plot.y + plot.height}, {x(value), plot.y + plot.height + 4}, Stroke{Colour::Axis});
    figure.text({x(value), plot.y + plot.height + 16}, grouped(std::llround(value)), Font{.anchor = Anchor::Middle});
  }
  figure.text({plot.x - 14, plot.y + plot.height + 16}, unit, Font{.anchor = Anchor::End});
}

/// Per pixel: least, greatest and mean value.
struct Fold {
  double x;
  double low, high, sum;
  std::int64_t count;
};
std::vector<Fold> foldByPixel(const std::vector<Sample>& samples, const Scale& x) {
  std::vector<Fold> folds;
  for (const Sample& s : samples) {
    const double at = x(s.at);
    if (folds.empty() || std::floor(folds.back().x) != std::floor(at)) folds.push_back({at, s.value, s.value, 0, 0});
    Fold& f = folds.back();
    f.low = std::min(f.low, s.value);
    f.high = std::max(f.high, s.value);
    f.sum += s.value;
    ++f.count;
  }
  return folds;
}

/// Exponential mean with a window of a fiftieth of the run.
std::vector<Sample> smoothed(const std::vector<Sample>& samples) {
  const double weight = 1 / std::clamp(static_cast<double>(samples.size()) / 50, 1.0, 200.0);
  std::vector<Sample> smooth;
  double mean = samples.empty() ? 0 : samples.front().value;
  for (const Sample& s : samples) {
    mean += weight * (s.value - mean);
    smooth.push_back({s.at, mean});
  }
  return smooth;
}

}  // namespace

DisplayList lossChart(std::span<const IterationDone> iterations, const ChartOptions& options) {
  DisplayList figure = emptyFigure(options.width, options.height, "Loss of each iteration");
  const Area plot = plotOf(figure);
  std::vector<Sample> samples;
  for (const IterationDone& i : iterations)
    if (std::isfinite(i.loss)) samples.push_back({static_cast<double>(i.iteration), i.loss});
  const auto left = static_cast<std::int64_t>(iterations.size() - samples.size());
  std::vector<Fact> facts;
  if (!samples.empty()) facts.push_back({"last", fmt::format("{:.4g}", samples.back().value)});
  if (left > 0 && !samples.empty()) facts.push_back({"not finite", grouped(left), Colour::Budget});
  drawTitle(figure, "Loss", facts);
  if (samples.empty()) {
    drawEmpty(figure, plot, left > 0 ? "no loss: this backend computes no values" : "no iteration has finished");
    return figure;
  }
  double high = 0, low = 0;
  for (const Sample& s : samples) {
    high = std::max(high, s.value);
    low = std::min(low, s.value);
  }
  const Ticks ticks = roundTicks(low, high * 1.05, 5);
  const Scale x{samples.front().at, samples.back().at, plot.x, plot.x + plot.width};
  const Scale y{low, high > low ? high * 1.05 : low + 1, plot.y + plot.height, plot.y};
  drawYAxis(figure, plot, y, ticks, [&](double v) { return fmt::format("{:.{}f}", v, ticks.decimals); });
  std::vector<Point> raw;
  for (const Fold& f : foldByPixel(samples, x)) {
    raw.push_back({f.x, y(f.low)});
    if (f.high != f.low) raw.push_back({f.x, y(f.high)});
  }
  std::vector<Point> mean;
  for (const Fold& f : foldByPixel(smoothed(samples), x)) mean.push_back({f.x, y(f.sum / static_cast<double>(f.count))});
  figure.polyline(raw, Stroke{Colour::ComputePale, 1, {}});
  figure.polyline(mean, Stroke{Colour::Accent, 1.8, {}});
  if (mean.size() == 1) figure.circle(mean.front(), 3, Fill{Colour::Panel}, Stroke{Colour::Accent, 1.8, {}});
  const std::vector<LegendEntry> legend{{LegendEntry::Shape::Line, "each iteration", {}, Stroke{Colour::ComputePale, 1.5, {}}},
                                        {LegendEntry::Shape::Line, "smoothed", {}, Stroke{Colour::Accent, 1.8, {}}}};
  drawLegend(figure, legend, {std::max(200.0, figure.width - 216), 18}, figure.width);
  drawNumbers(figure, plot, x, "iteration");
  return figure;
}

DisplayList accuracyChart(std::span<const EpochDone> epochs, const ChartOptions& options) {
  DisplayList figure = emptyFigure(options.width, options.height, "Accuracy after each epoch");
  const Area plot = plotOf(figure);
  std::vector<Sample> samples;
  for (const EpochDone& e : epochs)
    if (std::isfinite(e.accuracy)) samples.push_back({static_cast<double>(e.epoch), std::clamp(e.accuracy, 0.0, 1.0)});
  drawTitle(figure, "Accuracy",
            samples.empty() ? std::vector<Fact>{} : std::vector<Fact>{{"test set, last", formatPercent(samples.back().value, 2)}});
  if (samples.empty()) {
    drawEmpty(figure, plot, "no epoch has been evaluated");
    return figure;
  }
  const Scale x{std::min(1.0, samples.front().at), std::max(2.0, samples.back().at), plot.x, plot.x + plot.width};
  const Scale y{0, 1, plot.y + plot.height, plot.y};
  drawYAxis(figure, plot, y, roundTicks(0, 1, 6), [](double v) { return fmt::format("{:.0f} %", v * 100); });
  std::vector<Point> line;
  for (const Sample& s : samples) line.push_back({x(s.at), y(s.value)});
  figure.polyline(line, Stroke{Colour::Accent, 1.8, {}});
  if (line.size() <= 60)
    for (const Point& p : line) figure.circle(p, 3, Fill{Colour::Panel}, Stroke{Colour::Accent, 1.5, {}});
  drawNumbers(figure, plot, x, "epoch");
  return figure;
}

}  // namespace peakscope::report
