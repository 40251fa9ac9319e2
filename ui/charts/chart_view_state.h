// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a ChartView holds; private to the room.
#pragma once

#include <optional>

#include "ui/charts/chart_view.h"

class QCPItemLine;
class QCPItemText;
class QCPItemRect;
class QCPLayer;

namespace peakscope::ui {

/// The few items on the layer "overlay", which repaints alone.
struct ChartOverlay {
  QCPItemLine* crossX = nullptr;
  QCPItemLine* crossY = nullptr;
  QCPItemLine* pinned = nullptr;
  QCPItemText* flag = nullptr;
  QCPItemLine* markA = nullptr;
  QCPItemLine* markB = nullptr;
  QCPItemText* nameA = nullptr;
  QCPItemText* nameB = nullptr;
  QCPItemRect* selected = nullptr;    ///< a frame, no fill
  QCPLayer* layer = nullptr;
  bool hasBuffer = false;             ///< after the first full repaint; before it there is nothing to repaint alone

  std::optional<std::int64_t> atCrossX, atCrossY, atPinned, atA, atB;
  std::optional<ViewRange> atSelected;

  void create(QCustomPlot& plot);
  void applyTheme(const ChartTheme& theme);
  /// Moves the items to where the at... say.
  void place(const ChartView::State& state);
  void replot(const ChartView::State& state);
};

struct ChartView::State {
  QCustomPlot* plot = nullptr;
  ChartTheme theme;
  ChartAxes axes;
  ViewRange limits{0, 1};
  ViewRange view{0, 1};
  ViewRange values{0, 1};
  std::int64_t xOrigin = 0;
  bool hasRowNames = false;
  ChartOverlay overlay;

  // Dragging
  Qt::MouseButton button = Qt::NoButton;
  QPoint pressedAt;
  ViewRange viewAtPress;
  bool isDragging = false;

  QCPItemText* xUnit = nullptr;      ///< "step", left of the labels
  QCPItemText* rightUnit = nullptr;  ///< "total", above the right axis
  QCPItemText* yUnit = nullptr;      ///< "MiB", above them, where the margin has room

  void createUnits();
  void nameUnits();
  void styleAxes();
  void updateTickers();
  void applyView();
};

}  // namespace peakscope::ui
