// SPDX-License-Identifier: GPL-3.0-or-later
//
// LivePanel (V2): the tensors that are resident at the pinned step. Its sum is compared with the curve, and says so.
#pragma once

#include <QLabel>
#include <QWidget>

#include "ui/charts/chart_theme.h"
#include "ui/models/live_model.h"
#include "ui/panels/run_view.h"

class QLineEdit;
class QTableView;

namespace peakscope::ui {

class LivePanel : public QWidget {
  Q_OBJECT

 public:
  explicit LivePanel(QWidget* parent = nullptr);

  void show(const RunViewPointer& view, PlanStepId step);
  void setTheme(const ChartTheme& theme);
  [[nodiscard]] const LiveModel& model() const { return m_model; }
  [[nodiscard]] QString sumText() const { return m_sum->text(); }

 signals:
  void titleChanged(const QString& title);

 private:
  class Swatches;

  LiveModel m_model;
  ChartTheme m_theme;
  QLineEdit* m_filter;
  QTableView* m_table;
  QLabel* m_sum;
};

}  // namespace peakscope::ui
