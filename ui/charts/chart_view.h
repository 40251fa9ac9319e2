// SPDX-License-Identifier: GPL-3.0-or-later
//
// ChartView: one plot with an x-axis (steps or time) and a y-axis, themed, with wheel zoom, panning, range selection and a
// crosshair on its own layer. Charts that share an x-axis have the same margins and follow each other's viewChanged.
// The only widget that panels need; QCustomPlot stays inside this room.
//
//   auto* view = new ChartView(this);
//   view->setMargins({.left = 88, .right = 40});
//   view->setAxes({.x = AxisUnit::Steps, .y = AxisUnit::MiB});
//   EnvelopeStep memory(*view);                      // or RectSpans, or CurvePlot
//   memory.setSource(samples);
//   view->setLimits({0, stepPosition(47)});  view->showAll();
//   connect(view, &ChartView::hovered, this, &Panel::showMoment);
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/charts/chart_theme.h"
#include "ui/models/coordinates.h"

class QCPAxis;

namespace peakscope::ui {

struct ChartMargins {
  int left = 64;
  int top = 8;
  int right = 16;
  int bottom = 24;
};

struct ChartAxes {
  AxisUnit x = AxisUnit::Steps;
  AxisUnit y = AxisUnit::MiB;
  std::int64_t origin = 0;       ///< the x that is labelled 0 (time axis)
  bool showX = true;             ///< labels under the axis
  bool showY = true;
  bool showGrid = true;
  bool yDown = false;            ///< first row on top: lanes
  std::int64_t rightOffset = 0;  ///< value labelled 0 on the right axis is at y = -rightOffset
  bool showRight = false;        ///< right axis in the same unit, shifted by rightOffset (total device bytes);
                                 ///< the left one then has no labels below zero: the floor is read on the right
};

class ChartView : public QWidget {
  Q_OBJECT

 public:
  struct State;   ///< private to this room

  explicit ChartView(QWidget* parent = nullptr);
  ~ChartView() override;

  void setTheme(const ChartTheme& theme);
  [[nodiscard]] const ChartTheme& theme() const;
  void setMargins(const ChartMargins& margins);
  void setAxes(const ChartAxes& axes);
  [[nodiscard]] const ChartAxes& axes() const;
  /// Name and description for screen readers; the plot itself exposes nothing.
  void setAccessible(const QString& name, const QString& description);

  /// What can be scrolled to; showAll() shows it all. Zoom and pan stay inside.
  void setLimits(ViewRange limits);
  [[nodiscard]] ViewRange limits() const;
  [[nodiscard]] ViewRange view() const;
  void setValueRange(ViewRange range);
  [[nodiscard]] ViewRange valueRange() const;

  /// Hover: thin dashed cross; `y` only if given. Redraws the overlay alone.
  void setCrosshair(std::optional<std::int64_t> x, std::optional<std::int64_t> y = {});
  /// The pinned moment: accent solid line, with a flag at the top if `flag` is not empty.
  void setPinned(std::optional<std::int64_t> x, const QString& flag = {});
  /// Marks A and B and a selected range.
  void setMarks(std::optional<std::int64_t> a, std::optional<std::int64_t> b);
  void setSelection(std::optional<ViewRange> range);
  /// Text at a value of the y-axis, left of it: row names of lanes. Replaces the ticks of y.
  void setRowNames(const std::vector<std::pair<std::int64_t, QString>>& names);

  /// For mapping outside: pixels are of this widget.
  [[nodiscard]] AxisMap xMap() const;
  [[nodiscard]] AxisMap yMap() const;
  [[nodiscard]] QRect plotRect() const;

  /// Writes .png or .pdf by suffix, always with the light theme. False with a one-line reason. (SVG is the report's.)
  [[nodiscard]] bool saveFigure(const QString& path, QSize size, QString* reason);
  /// As drawn now, for tests and "copy figure".
  [[nodiscard]] QImage image();

  [[nodiscard]] QCustomPlot& plot();
  [[nodiscard]] QCPAxis& xAxis();
  [[nodiscard]] QCPAxis& yAxis();
  /// The int64 that axis coordinate 0 stands for: axes of QCustomPlot are doubles.
  [[nodiscard]] std::int64_t xOrigin() const;

 public slots:
  void setView(ViewRange range);
  void showAll();
  void zoomBy(double factor, std::int64_t centre);
  void panBy(std::int64_t units);
  /// Coalesced: any number of calls make one repaint.
  void redraw();

 signals:
  void viewChanged(peakscope::ui::ViewRange range);
  void hovered(std::int64_t x, QPoint position);
  void left();
  void clicked(std::int64_t x, QPoint position);
  void rangeSelected(std::int64_t first, std::int64_t last);
  void rangeActivated(std::int64_t first, std::int64_t last);   ///< double click
  void themeChanged();
  void originMoved();                                           ///< coordinates of axes mean other values now

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::unique_ptr<State> m_state;
};

}  // namespace peakscope::ui

Q_DECLARE_METATYPE(peakscope::ui::ViewRange)
