// SPDX-License-Identifier: Apache-2.0
//
// What the charts have in common: title line, legend, axes, margins. Internal to memory/report.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "memory/report/axis.h"
#include "memory/report/display_list.h"
#include "memory/workload.h"

namespace peakscope::report {

/// Plots of one page start and end at the same x.
inline constexpr double marginLeft = 88;
inline constexpr double marginRight = 56;

[[nodiscard]] DisplayList emptyFigure(double width, double height, std::string title);

/// "Memory  peak 886.230 MiB  step 45": a bold word, then pairs of a muted word and a bold value.
struct Fact {
  std::string word;
  std::string value;
  Colour colour = Colour::Text;
};
void drawTitle(DisplayList& figure, const std::string& title, const std::vector<Fact>& facts);

struct LegendEntry {
  enum class Shape : std::uint8_t { Swatch, Line } shape = Shape::Swatch;
  std::string label;
  Fill fill;
  Stroke stroke;
};
/// Draws entries from (x, y) on, wrapping at `right`; returns the baseline of the last row.
double drawLegend(DisplayList& figure, const std::vector<LegendEntry>& entries, Point at, double right);

/// Grid lines and labels left of the plot.
void drawYAxis(DisplayList& figure, const Area& plot, const Scale& y, const Ticks& ticks,
               const std::function<std::string(double)>& label);
/// Step numbers or times below the plot.
void drawXAxis(DisplayList& figure, const Area& plot, const XAxis& x);
/// The text in the middle of an empty plot that says why it is empty.
void drawEmpty(DisplayList& figure, const Area& plot, const std::string& why);

/// A step outline over columns: y(i) of column i holds over [x0, x1].
[[nodiscard]] std::vector<Point> outline(const std::vector<XAxis::Column>& columns, const std::function<double(std::size_t)>& y);
/// Polygons between two outlines, one per range of columns where they differ.
void drawBand(DisplayList& figure, const std::vector<XAxis::Column>& columns, const std::vector<double>& low,
              const std::vector<double>& high, const Scale& y, const Fill& fill);

/// Per paper step the words "lrn1 backward"; "" where there is none.
[[nodiscard]] std::vector<std::string> stepNames(const Workload& workload);

}  // namespace peakscope::report
