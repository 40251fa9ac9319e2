// SPDX-License-Identifier: GPL-3.0-or-later
//
// TrainingPanel: loss, accuracy and throughput of the run.
#pragma once

#include <QLabel>
#include <QWidget>
#include <array>

#include "memory/analysis/run_history.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/curve_plot.h"

namespace peakscope::ui {

class TrainingPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TrainingPanel(QWidget* parent = nullptr);

  /// Appends what is new; another run begins anew.
  void show(const analysis::RunHistory& history);
  void clear();
  [[nodiscard]] std::size_t lossCurveLength() const { return m_charts[Loss].plot->sampleCount(0); }
  void setTheme(const ChartTheme& theme);

 private:
  enum ChartIndex : std::size_t { Loss, Accuracy, Throughput };
  struct Chart {
    QLabel* title = nullptr;
    ChartView* view = nullptr;
    std::unique_ptr<CurvePlot> plot;
  };
  Chart addChart(const QString& name, int curves);

  std::array<Chart, 3> m_charts;       ///< by ChartIndex
  std::size_t m_iterations = 0, m_epochs = 0;
  double m_smoothed = 0;
};

}  // namespace peakscope::ui
