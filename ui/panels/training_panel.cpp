// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/training_panel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/number_text.h"

namespace peakscope::ui {
namespace {

/// Share of a new value in the smoothed loss.
constexpr double smoothing = 0.05;

}  // namespace

TrainingPanel::TrainingPanel(QWidget* parent) : QWidget(parent) {
  setObjectName("trainingPanel");
  setAttribute(Qt::WA_StyledBackground);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 12, 4);
  layout->setSpacing(16);
  m_charts = {addChart(tr("Loss"), 2), addChart(tr("Accuracy, %"), 1), addChart(tr("Images/s"), 1)};
  for (Chart& chart : m_charts) {
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(chart.title);
    column->addWidget(chart.view, 1);
    layout->addLayout(column, 1);
  }
  setTheme(ChartTheme());
  clear();
}

TrainingPanel::Chart TrainingPanel::addChart(const QString& name, int curves) {
  Chart chart{new QLabel(QStringLiteral("<b>%1</b>").arg(name), this), new ChartView(this), nullptr};
  chart.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);   // three equal columns, whatever they say
  chart.view->setMargins({.left = 48, .top = 6, .right = 8, .bottom = 22});
  chart.view->setAxes({.x = AxisUnit::Plain, .y = AxisUnit::Plain});
  chart.view->setAccessible(name, tr("%1 over iterations").arg(name));
  chart.view->setMinimumHeight(90);
  chart.plot = std::make_unique<CurvePlot>(*chart.view);
  for (; curves > 0; --curves) chart.plot->addCurve({});
  return chart;
}

void TrainingPanel::setTheme(const ChartTheme& theme) {
  using report::Colour;
  const QRgb raw = theme.rgb(Colour::Axis), strong = theme.rgb(Colour::Accent);
  for (Chart& chart : m_charts) chart.view->setTheme(theme);
  m_charts[Loss].plot->setStyle(0, {.colour = raw, .name = tr("each iteration")});
  m_charts[Loss].plot->setStyle(1, {.colour = strong, .name = tr("smoothed")});
  m_charts[Accuracy].plot->setStyle(0, {.colour = strong, .hasMarkers = true, .name = tr("test set")});
  m_charts[Throughput].plot->setStyle(0, {.colour = strong, .name = tr("each iteration")});
}

void TrainingPanel::clear() {
  m_iterations = m_epochs = 0;
  for (Chart& chart : m_charts) chart.plot->clear();
  m_charts[Loss].title->setText(tr("<b>Loss</b>&nbsp; press Run"));
  m_charts[Accuracy].title->setText(tr("<b>Accuracy</b>&nbsp; after each epoch"));
  m_charts[Throughput].title->setText(tr("<b>Images/s</b>"));
}

void TrainingPanel::show(const analysis::RunHistory& history) {
  const auto& iterations = history.iterations();
  const auto& epochs = history.epochs();
  if (iterations.size() < m_iterations || epochs.size() < m_epochs) clear();
  if (iterations.size() == m_iterations && epochs.size() == m_epochs) return;
  for (; m_iterations < iterations.size(); ++m_iterations) {
    const IterationDone& done = iterations[m_iterations];
    const double loss = static_cast<double>(done.loss);
    m_smoothed = m_iterations == 0 || !std::isfinite(m_smoothed) ? loss : m_smoothed + smoothing * (loss - m_smoothed);
    m_charts[Loss].plot->append(0, done.iteration, loss);
    m_charts[Loss].plot->append(1, done.iteration, m_smoothed);
    m_charts[Throughput].plot->append(0, done.iteration, analysis::imagesPerSecond(done));
  }
  for (; m_epochs < epochs.size(); ++m_epochs)
    if (const EpochDone& epoch = epochs[m_epochs]; std::isfinite(epoch.accuracy)) m_charts[Accuracy].plot->append(0, epoch.iteration, epoch.accuracy * 100);

  const std::int64_t last = iterations.empty() ? 1 : std::max<std::int64_t>(iterations.back().iteration, 1);
  for (Chart& chart : m_charts) {
    chart.view->setLimits({0, last});
    chart.view->showAll();
    chart.plot->fitValues();
    chart.view->redraw();
  }
  if (iterations.empty()) return;
  m_charts[Loss].title->setText(std::isfinite(m_smoothed) ? tr("<b>Loss</b>&nbsp; %1, smoothed %2").arg(static_cast<double>(iterations.back().loss), 0, 'f', 4).arg(m_smoothed, 0, 'f', 4) : tr("<b>Loss</b>&nbsp; nothing is computed on the virtual backend"));
  m_charts[Throughput].title->setText(tr("<b>Images/s</b>&nbsp; %1").arg(QString::fromStdString(formatNumber(analysis::imagesPerSecond(iterations.back()), 0))));
  if (!epochs.empty() && std::isfinite(epochs.back().accuracy))
    m_charts[Accuracy].title->setText(tr("<b>Accuracy</b>&nbsp; %1 % of %2 test images").arg(epochs.back().accuracy * 100, 0, 'f', 2).arg(QString::fromStdString(formatNumber(static_cast<double>(epochs.back().testImages), 0))));
}

}  // namespace peakscope::ui
