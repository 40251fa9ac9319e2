// SPDX-License-Identifier: Apache-2.0
//
// DisplayList: a chart, drawn once, as a value. Charts append primitives; renderers turn the same list into SVG
// (report/svg.h), PDF and PNG (report/cairo_figure.h). Colours are roles of the palette, so one list serves both themes.
//
//   DisplayList figure{.width = 928, .height = 240};
//   figure.rect({0, 0, 928, 240}, Fill{Colour::Panel});
//   figure.line({88, 20}, {887, 20}, Stroke{Colour::Budget, 1.5, {7, 4}});
//   figure.text({88, 16}, "budget 2.00 GiB", Font{.size = 11, .colour = Colour::Budget});
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "memory/report/palette.h"

namespace peakscope::report {

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};
struct Area {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  friend bool operator==(const Area&, const Area&) = default;
};

/// State is told by a pattern, kind by the colour. Patterns are anchored to the figure, not to the shape.
enum class Pattern : std::uint8_t { Solid, StripesOut, StripesIn, Dots };
/// How strongly a fill covers: Floor and Ghost recede, the theme says how far.
enum class Cover : std::uint8_t { Full, Floor, Ghost };

struct Fill {
  Colour colour = Colour::Panel;
  Pattern pattern = Pattern::Solid;
  Cover cover = Cover::Full;
  friend bool operator==(const Fill&, const Fill&) = default;
};
struct Stroke {
  Colour colour = Colour::Axis;
  double width = 1;
  std::vector<double> dash = {}; ///< lengths on and off; empty: a solid line
  friend bool operator==(const Stroke&, const Stroke&) = default;
};
enum class Anchor : std::uint8_t { Start, Middle, End };
struct Font {
  double size = 11;
  Colour colour = Colour::MutedText;
  Anchor anchor = Anchor::Start;
  bool isBold = false;
  friend bool operator==(const Font&, const Font&) = default;
};

struct RectItem {
  Area area;
  Fill fill;
  double radius = 0;
  friend bool operator==(const RectItem&, const RectItem&) = default;
};
struct FrameItem {
  Area area;
  Stroke stroke;
  friend bool operator==(const FrameItem&, const FrameItem&) = default;
};
struct PolygonItem {
  std::vector<Point> points;
  Fill fill;
  friend bool operator==(const PolygonItem&, const PolygonItem&) = default;
};
struct PolylineItem {
  std::vector<Point> points;
  Stroke stroke;
  friend bool operator==(const PolylineItem&, const PolylineItem&) = default;
};
struct CircleItem {
  Point centre;
  double radius = 3;
  Fill fill;
  Stroke stroke;
  friend bool operator==(const CircleItem&, const CircleItem&) = default;
};
struct TextItem {
  Point baseline;
  std::string text;              ///< any bytes; renderers make them harmless
  Font font;
  friend bool operator==(const TextItem&, const TextItem&) = default;
};
/// Invisible; says something when the pointer rests on it (SVG only).
struct HintItem {
  Area area;
  std::string text;
  friend bool operator==(const HintItem&, const HintItem&) = default;
};
/// Until the matching ClipEnd nothing is drawn outside of the area. Clips do not nest.
struct ClipBegin {
  Area area;
  friend bool operator==(const ClipBegin&, const ClipBegin&) = default;
};
struct ClipEnd {
  friend bool operator==(const ClipEnd&, const ClipEnd&) = default;
};
using Primitive =
    std::variant<RectItem, FrameItem, PolygonItem, PolylineItem, CircleItem, TextItem, HintItem, ClipBegin, ClipEnd>;

struct DisplayList {
  double width = 0;                     ///< px at 96 dpi
  double height = 0;
  std::string title;                    ///< for readers who do not see it
  std::vector<Primitive> items;

  void rect(Area area, Fill fill, double radius = 0) { items.emplace_back(RectItem{area, fill, radius}); }
  void frame(Area area, Stroke stroke) { items.emplace_back(FrameItem{area, std::move(stroke)}); }
  void polygon(std::vector<Point> points, Fill fill) { items.emplace_back(PolygonItem{std::move(points), fill}); }
  void polyline(std::vector<Point> points, Stroke stroke) {
    items.emplace_back(PolylineItem{std::move(points), std::move(stroke)});
  }
  void line(Point from, Point to, Stroke stroke) { polyline({from, to}, std::move(stroke)); }
  void circle(Point centre, double radius, Fill fill, Stroke stroke) {
    items.emplace_back(CircleItem{centre, radius, fill, std::move(stroke)});
  }
  void text(Point baseline, std::string words, Font font) {
    items.emplace_back(TextItem{baseline, std::move(words), font});
  }
  void hint(Area area, std::string words) { items.emplace_back(HintItem{area, std::move(words)}); }
  void clip(Area area) { items.emplace_back(ClipBegin{area}); }
  void endClip() { items.emplace_back(ClipEnd{}); }

  friend bool operator==(const DisplayList&, const DisplayList&) = default;
};

}  // namespace peakscope::report
