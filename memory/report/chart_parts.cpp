// SPDX-License-Identifier: Apache-2.0
#include "memory/report/chart_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "memory/report/text.h"

namespace peakscope::report {
namespace {

std::vector<PaperStep> stepTicks(const XAxis& x) {
  // Numbers are about 30 px wide; a round distance that keeps them 44 px apart.
  const double slot = (x.right() - x.left()) / static_cast<double>(x.lastStep() - x.firstStep() + 1);
  PaperStep distance = 1;
  for (PaperStep power = 1; static_cast<double>(distance) * slot < 44 && power < 100'000'000; power *= 10)
    for (const PaperStep factor : {1, 2, 5, 10})
      if (static_cast<double>(distance) * slot < 44) distance = factor * power;
  std::vector<PaperStep> ticks;
  const PaperStep first = std::max<PaperStep>(x.firstStep(), std::min<PaperStep>(1, x.lastStep()));
  ticks.push_back(first);
  for (PaperStep step = (first / distance + 1) * distance; step <= x.lastStep(); step += distance)
    if (static_cast<double>(step - first) * slot >= 30) ticks.push_back(step);
  return ticks;
}

}  // namespace

DisplayList emptyFigure(double width, double height, std::string title) {
  DisplayList figure;
  figure.width = std::max(200.0, width);
  figure.height = std::max(80.0, height);
  figure.title = std::move(title);
  figure.rect({0, 0, figure.width, figure.height}, Fill{Colour::Panel});
  return figure;
}

void drawTitle(DisplayList& figure, const std::string& title, const std::vector<Fact>& facts) {
  figure.text({12, 18}, title, Font{13, Colour::Text, Anchor::Start, true});
  double x = std::max(marginLeft, 12 + textWidth(title, 13, true) + 16);
  for (const Fact& fact : facts) {
    const double word = fact.word.empty() ? 0 : textWidth(fact.word, 12) + 6;
    if (x + word + textWidth(fact.value, 12, true) > figure.width - 8) break;
    if (!fact.word.empty()) figure.text({x, 18}, fact.word, Font{12, Colour::MutedText});
    x += word;
    if (!fact.value.empty()) figure.text({x, 18}, fact.value, Font{12, fact.colour, Anchor::Start, true});
    x += textWidth(fact.value, 12, true) + (fact.value.empty() ? 0 : 14);
  }
}

double drawLegend(DisplayList& figure, const std::vector<LegendEntry>& entries, Point at, double right) {
  double x = at.x, y = at.y;
  for (const LegendEntry& entry : entries) {
    const double mark = entry.shape == LegendEntry::Shape::Line ? 18 : 10;
    const double width = mark + 5 + textWidth(entry.label, 11);
    if (x > at.x && x + width > right) {
      x = at.x;
      y += 16;
    }
    if (entry.shape == LegendEntry::Shape::Line) figure.line({x, y - 4}, {x + mark, y - 4}, entry.stroke);
    else figure.rect({x, y - 9, mark, mark}, entry.fill);
    figure.text({x + mark + 5, y}, entry.label, Font{});
    x += width + 14;
  }
  return y;
}

void drawYAxis(DisplayList& figure, const Area& plot, const Scale& y, const Ticks& ticks,
               const std::function<std::string(double)>& label) {
  for (const double value : ticks.values) {
    const double at = y(value);
    figure.line({plot.x, at}, {plot.x + plot.width, at}, Stroke{Colour::Grid});
    figure.text({plot.x - 8, at + 4}, label(value), Font{.anchor = Anchor::End});
  }
}

void drawXAxis(DisplayList& figure, const Area& plot, const XAxis& x) {
  const double bottom = plot.y + plot.height;
  figure.line({plot.x, bottom}, {plot.x + plot.width, bottom}, Stroke{Colour::Axis});
  if (x.unit() == XUnit::Step) {
    for (const PaperStep step : stepTicks(x)) {
      const double at = x.slotMiddle(step);
      figure.line({at, bottom}, {at, bottom + 4}, Stroke{Colour::Axis});
      figure.text({at, bottom + 16}, fmt::format("{}", step), Font{.anchor = Anchor::Middle});
    }
    figure.text({plot.x - 8, bottom + 16}, "step", Font{.anchor = Anchor::End});
    return;
  }
  const double milliseconds = static_cast<double>(x.endNs() - x.beginNs()) / 1e6;
  const Ticks ticks = roundTicks(0, milliseconds, static_cast<int>(std::clamp(plot.width / 80, 2.0, 12.0)));
  for (const double value : ticks.values) {
    const double at = x.atTime(x.beginNs() + std::llround(value * 1e6));
    figure.line({at, bottom}, {at, bottom + 4}, Stroke{Colour::Axis});
    figure.text({at, bottom + 16}, fmt::format("{:.{}f}", value, ticks.decimals), Font{.anchor = Anchor::Middle});
  }
  figure.text({plot.x - 16, bottom + 16}, "time, ms", Font{.anchor = Anchor::End});
}

void drawEmpty(DisplayList& figure, const Area& plot, const std::string& why) {
  figure.text({plot.x + plot.width / 2, plot.y + plot.height / 2 + 4}, why, Font{.size = 12, .anchor = Anchor::Middle});
}

std::vector<Point> outline(const std::vector<XAxis::Column>& columns, const std::function<double(std::size_t)>& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double at = y(i);
    if (!points.empty() && points.back().y == at) {
      points.back().x = columns[i].x1;
      continue;
    }
    points.push_back({columns[i].x0, at});
    points.push_back({columns[i].x1, at});
  }
  return points;
}

void drawBand(DisplayList& figure, const std::vector<XAxis::Column>& columns, const std::vector<double>& low,
              const std::vector<double>& high, const Scale& y, const Fill& fill) {
  for (std::size_t begin = 0; begin < columns.size();) {
    if (high[begin] == low[begin]) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < columns.size() && high[end] != low[end]) ++end;
    const std::vector<XAxis::Column> part(columns.begin() + static_cast<std::ptrdiff_t>(begin),
                                          columns.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<Point> points = outline(part, [&](std::size_t i) { return y(high[begin + i]); });
    const std::vector<Point> back = outline(part, [&](std::size_t i) { return y(low[begin + i]); });
    points.insert(points.end(), back.rbegin(), back.rend());
    figure.polygon(std::move(points), fill);
    begin = end;
  }
}

std::vector<std::string> stepNames(const Workload& workload) {
  std::vector<std::string> names(static_cast<std::size_t>(paperStepCount(workload)) + 1);
  for (const OpId op : workload.route) {
    std::string& name = names[static_cast<std::size_t>(std::max(0, workload.ops[op].paperStep))];
    if (name.empty()) name = opName(workload, op);
  }
  return names;
}

}  // namespace peakscope::report
