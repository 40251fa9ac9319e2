// SPDX-License-Identifier: GPL-3.0-or-later
//
// From spans to pixels: which rectangles a view shows, with those thinner than a pixel merged and counted. No plot here.
//
//   const SpanLayout layout = layoutSpans(spans, xMap, yMap, styleCount);     // maps onto pixels 0 .. width, 0 .. height
//   if (const DrawnSpan* hit = hitSpan(layout, position)) ...
#pragma once

#include <QPoint>
#include <QRect>
#include <vector>

#include "ui/models/coordinates.h"
#include "ui/models/span_store.h"

namespace peakscope::ui {

struct DrawnSpan {
  QRect rect;
  std::int64_t index = -1;       ///< the first of the highest style among those that it stands for
  std::int32_t merged = 1;
  std::uint16_t style = 0;
};

struct SpanLayout {
  std::vector<DrawnSpan> drawn;
  std::int64_t shown = 0;        ///< spans that are in view, merged ones included
};

inline constexpr int instantWidth = 3;

/// Spans in view as pixel rectangles, at least 1 px wide and high; instants 3 px wide. Spans with styles past `styleCount`
/// take the last style. Later styles are the more important ones: they are on top, and a shared pixel has their colour.
/// `reuse`: an old layout, whose memory is taken over.
[[nodiscard]] SpanLayout layoutSpans(const SpanStore& spans, const AxisMap& x, const AxisMap& y, int styleCount,
                                     SpanLayout reuse = {});

/// The topmost drawn span at a pixel; failing that the nearest within `slack` pixels.
[[nodiscard]] const DrawnSpan* hitSpan(const SpanLayout& layout, QPoint position, int slack = 2);

}  // namespace peakscope::ui
