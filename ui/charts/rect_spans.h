// SPDX-License-Identifier: GPL-3.0-or-later
//
// RectSpans: rectangles in (x, y) by the hundred thousand: lanes, address map, tensor lives. Culled by binary search, merged
// where they are thinner than a pixel (and still counted), drawn in one call per colour.
//
//   RectSpans lanes(*view);
//   lanes.setStyles({{.fill = theme.fill(Colour::ComputeStrong)}, {.fill = theme.fill(Colour::Activations, Pattern::StripesOut)}});
//   lanes.setSpans(spans);                               // std::shared_ptr<const SpanStore>, sorted
//   lanes.setLabels([](std::int64_t index) { return name(index); });
//   if (const auto hit = lanes.at(position)) show(hit->index, hit->merged);
#pragma once

#include <QPoint>
#include <QRect>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/chart_theme.h"
#include "ui/models/span_store.h"

namespace peakscope::ui {

class ChartView;

struct SpanStyle {
  Fill fill;                      ///< the pattern shows from 6 px, an outline from 4 px
  std::optional<QRgb> outline;    ///< 1 px frame
  QRgb label = 0xFF000000;
};

/// From the end of one span to the start of another, by index of the store.
struct SpanArrow {
  std::int64_t from = -1;
  std::int64_t to = -1;
};

struct SpanHit {
  std::int64_t index = -1;        ///< of the store
  std::int64_t merged = 1;        ///< how many share these pixels: "37 events"
  QRect rect;                     ///< in pixels of the view
};

class RectSpans {
 public:
  explicit RectSpans(ChartView& view);
  ~RectSpans();
  RectSpans(RectSpans&&) noexcept;
  RectSpans& operator=(RectSpans&&) noexcept;

  /// In order of importance: later ones are on top, and pixels shared by many spans have the colour of the highest.
  void setStyles(std::vector<SpanStyle> styles);
  void setSpans(std::shared_ptr<const SpanStore> spans);
  /// Text inside a span that is wide enough, elided; asked for once per span and width.
  void setLabels(std::function<QString(std::int64_t index)> label);
  /// Frame in the accent colour around these ids, on top.
  void setHighlighted(std::vector<std::int32_t> ids);

  /// In the accent colour, for the selection only: producer, offload, prefetch, consumer.
  void setArrows(std::vector<SpanArrow> arrows);

  /// What was drawn at a pixel of the view, with a slack of 2 px for thin ones.
  [[nodiscard]] std::optional<SpanHit> at(QPoint position) const;
  /// Rectangles drawn by the last repaint, and spans that they stand for.
  [[nodiscard]] std::int64_t drawnCount() const;
  [[nodiscard]] std::int64_t shownCount() const;

 private:
  class Plottable;
  Plottable* m_plottable = nullptr;   ///< owned by the plot
  ChartView* m_view = nullptr;
};

}  // namespace peakscope::ui
