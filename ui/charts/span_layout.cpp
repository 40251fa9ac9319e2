// SPDX-License-Identifier: GPL-3.0-or-later
//
// One pass over the spans in view. Spans thinner than a pixel share one rectangle a pixel and row: what is drawn is bounded
// by pixels, not by spans. A pixel has one colour: that of the highest style, which would be painted last anyway.
#include "ui/charts/span_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace peakscope::ui {
namespace {

/// AxisMap with the divisions done before the loop; values must be inside the view.
class FastMap {
 public:
  explicit FastMap(const AxisMap& map)
      : m_first(map.first), m_offset(map.pixelFirst + 0.5), m_scale((map.pixelLast - map.pixelFirst) / map.span()) {}
  /// Rounded pixel of a value in view: not negative, so truncation rounds.
  int operator()(std::int64_t value) const { return static_cast<int>(m_offset + static_cast<double>(value - m_first) * m_scale); }

 private:
  std::int64_t m_first;
  double m_offset;
  double m_scale;
};

}  // namespace

SpanLayout layoutSpans(const SpanStore& spans, const AxisMap& x, const AxisMap& y, int styleCount, SpanLayout reuse) {
  SpanLayout layout = std::move(reuse);
  layout.drawn.clear();
  layout.shown = 0;
  const int width = static_cast<int>(std::lround(x.pixelLast - x.pixelFirst));
  const int height = static_cast<int>(std::lround(std::abs(y.pixelLast - y.pixelFirst)));
  if (width <= 0 || height <= 0 || styleCount <= 0) return layout;
  const std::int64_t xLast = std::max(x.last, saturatingAdd(x.first, 1));
  const std::int64_t yLast = std::max(y.last, saturatingAdd(y.first, 1));
  const FastMap toX({x.first, xLast, 0, static_cast<double>(width)});
  const FastMap toY({y.first, yLast, y.pixelFirst, y.pixelLast});

  // By top edge: the last rectangle of thin spans, to count more into; and by style the last wide one.
  std::vector<std::int32_t> thinOf(static_cast<std::size_t>(height), -1);
  std::vector<std::int32_t> wideOf(static_cast<std::size_t>(height) * static_cast<std::size_t>(styleCount), -1);
  const auto covering = [&](std::int32_t drawn, int left, int right, int bottom) -> DrawnSpan* {
    if (drawn < 0) return nullptr;
    DrawnSpan& span = layout.drawn[static_cast<std::size_t>(drawn)];
    const QRect& rect = span.rect;
    const bool covers = left >= rect.left() && right <= rect.left() + rect.width() && bottom == rect.top() + rect.height();
    return covers ? &span : nullptr;
  };
  // Lanes repeat: the rows of the last spans with the same y are kept.
  struct Rows {
    std::int64_t low = 0;
    std::int64_t high = -1;   // no span has it
    int top = 0;
    int bottom = 0;
  };
  constexpr std::int64_t rowCache = 128;
  std::array<Rows, rowCache> knownRows;
  const auto rowsOf = [&](const Span& span) -> Rows {
    int top = toY(std::clamp(span.low, y.first, yLast));
    int bottom = toY(std::clamp(span.high, y.first, yLast));
    if (top > bottom) std::swap(top, bottom);
    top = std::clamp(top, 0, height - 1);
    return {span.low, span.high, top, std::max(bottom, top + 1)};
  };
  const std::int64_t past = spans.endStarting(saturatingAdd(xLast, 1));
  for (std::int64_t i = spans.firstTouching(x.first); i < past; ++i) {
    const Span& span = spans[i];
    if (span.end < x.first || span.high <= y.first || span.low >= yLast) continue;
    int left = toX(std::max(span.start, x.first));
    int right = toX(std::min(span.end, xLast));
    const bool isThin = right - left <= 1;
    if (span.start == span.end) {
      left -= instantWidth / 2;
      right = left + instantWidth;
    } else if (right <= left) {
      right = left + 1;
    }
    if (left >= width) {   // starts on the very last pixel edge
      right -= left - (width - 1);
      left = width - 1;
    }
    Rows& rows = knownRows[static_cast<std::size_t>((span.low ^ (span.low >> 7)) & (rowCache - 1))];
    if (rows.low != span.low || rows.high != span.high) rows = rowsOf(span);
    const int top = rows.top;
    const int bottom = rows.bottom;

    ++layout.shown;
    const auto style = static_cast<std::uint16_t>(std::min<int>(span.style, styleCount - 1));
    std::int32_t& thin = thinOf[static_cast<std::size_t>(top)];
    std::int32_t& wide = wideOf[static_cast<std::size_t>(top) * static_cast<std::size_t>(styleCount) + style];
    if (isThin) {
      if (DrawnSpan* shared = covering(thin, left, right, bottom)) {
        ++shared->merged;
        if (style > shared->style) {
          shared->style = style;
          shared->index = i;
        }
        continue;
      }
      if (DrawnSpan* around = covering(wide, left, right, bottom)) {
        ++around->merged;
        continue;
      }
    }
    (isThin ? thin : wide) = static_cast<std::int32_t>(layout.drawn.size());
    layout.drawn.push_back({QRect(left, top, right - left, bottom - top), i, 1, style});
  }
  return layout;
}

const DrawnSpan* hitSpan(const SpanLayout& layout, QPoint position, int slack) {
  const DrawnSpan* nearest = nullptr;
  int best = slack + 1;
  for (auto drawn = layout.drawn.rbegin(); drawn != layout.drawn.rend(); ++drawn) {
    const QRect& rect = drawn->rect;
    const int right = rect.left() + rect.width() - 1;
    const int bottom = rect.top() + rect.height() - 1;
    const int dx = std::max({rect.left() - position.x(), position.x() - right, 0});
    const int dy = std::max({rect.top() - position.y(), position.y() - bottom, 0});
    if (dx == 0 && dy == 0) return &*drawn;
    if (std::max(dx, dy) < best) {
      best = std::max(dx, dy);
      nearest = &*drawn;
    }
  }
  return nearest;
}

}  // namespace peakscope::ui
