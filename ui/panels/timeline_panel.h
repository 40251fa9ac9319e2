// SPDX-License-Identifier: GPL-3.0-or-later
//
// TimelinePanel: the memory chart (V1) and the lanes (V4) on one x-axis, to the pixel.
//
//   panel->show(view);                         // after each iteration or plan
//   connect(panel, &TimelinePanel::pinned, ...);
#pragma once

#include <QLabel>
#include <QWidget>

#include "ui/charts/chart_view.h"
#include "ui/charts/envelope_step.h"
#include "ui/charts/rect_spans.h"
#include "ui/panels/run_view.h"

class QButtonGroup;

namespace peakscope::ui {

class TimelinePanel : public QWidget {
  Q_OBJECT

 public:
  explicit TimelinePanel(QWidget* parent = nullptr);

  /// Why there is nothing to show.
  void showNothing(const QString& reason);
  void show(const RunViewPointer& view);
  /// The plan being edited, as a dashed accent line; null: none.
  void showCandidate(const RunViewPointer& view);
  void setBudget(std::optional<Bytes> budget);
  void setTheme(const ChartTheme& theme);

  [[nodiscard]] PlanStepId pinnedStep() const { return m_pinned; }
  [[nodiscard]] XAxis axis() const { return m_axis; }
  /// The text over the chart: tests and screen readers read it.
  [[nodiscard]] QString headline() const { return m_headline->text(); }
  [[nodiscard]] ChartView& memoryView() { return *m_memoryView; }

 public slots:
  void setAxis(peakscope::ui::XAxis axis);
  void pinPeak();
  void pinStep(std::int32_t paperStep);
  void moveBy(int runs);
  void showAll();

 signals:
  void pinned(peakscope::PlanStepId step);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void buildLegend();
  void buildLanes();
  void drawMemory();
  void drawPinned();
  void pin(PlanStepId step);
  void hover(std::int64_t x, QPoint position);
  void setStyles();

  RunViewPointer m_view, m_candidate;
  std::optional<Bytes> m_budget;
  PlanStepId m_pinned;
  bool m_followsPeak = true;          ///< until a moment is pinned by hand
  XAxis m_axis = XAxis::Step;
  ChartTheme m_theme;
  QLabel* m_headline;
  QLabel* m_legend;
  QLabel* m_lanesHeadline;
  QButtonGroup* m_axisButtons;
  ChartView* m_memoryView;
  ChartView* m_lanesView;
  EnvelopeStep m_memory;
  std::shared_ptr<const SpanStore> m_spans;
  RectSpans m_lanes;
};

}  // namespace peakscope::ui
