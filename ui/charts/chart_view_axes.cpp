// SPDX-License-Identifier: GPL-3.0-or-later
//
// Axes of a ChartView: ticks in the unit of the data, unit names, row names, lines.
#include <qcustomplot.h>

#include <algorithm>

#include "ui/charts/chart_view.h"
#include "ui/charts/chart_view_state.h"

namespace peakscope::ui {
namespace {

using report::Colour;

/// Ticks of ui/models/coordinates.h on an axis whose doubles are differences to an origin.
class UnitTicker final : public QCPAxisTicker {
 public:
  UnitTicker(AxisUnit unit, std::int64_t origin, std::int64_t labelledZero, int wanted, bool hidesNegative = false)
      : m_unit(unit), m_origin(origin), m_zero(labelledZero), m_wanted(wanted), m_hidesNegative(hidesNegative) {}

  void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticksOut, QVector<double>* subTicks,
                QVector<QString>* labels) override {
    const TickRequest request{.unit = m_unit,
                              .first = saturatingAdd(m_origin, std::ceil(range.lower)),
                              .last = saturatingAdd(m_origin, std::floor(range.upper)),
                              .origin = m_zero,
                              .wanted = m_wanted};
    ticksOut.clear();
    if (labels != nullptr) labels->clear();
    if (subTicks != nullptr) subTicks->clear();
    for (const Tick& tick : ticks(request)) {
      if (m_hidesNegative && tick.value < m_zero) continue;
      ticksOut.push_back(difference(tick.value, m_origin));
      if (labels != nullptr) labels->push_back(QString::fromStdString(tick.label));
    }
  }

 private:
  AxisUnit m_unit;
  std::int64_t m_origin;
  std::int64_t m_zero;
  int m_wanted;
  bool m_hidesNegative;
};

/// The y-axis of a curve: real numbers.
QSharedPointer<QCPAxisTicker> realTicker(int wanted) {
  auto ticker = QSharedPointer<QCPAxisTicker>::create();
  ticker->setTickCount(wanted);
  return ticker;
}

QSharedPointer<QCPAxisTicker> tickerFor(AxisUnit unit, std::int64_t origin, std::int64_t zero, int wanted,
                                         bool hidesNegative = false) {
  return QSharedPointer<UnitTicker>::create(unit, origin, zero, wanted, hidesNegative);
}

void showAxis(QCPAxis& axis, bool labels) {
  axis.setVisible(true);
  axis.setTickLabels(labels);
  axis.setTicks(labels);
  axis.setSubTicks(false);
}

}  // namespace

void ChartView::setAxes(const ChartAxes& axes) {
  m_state->axes = axes;
  QCustomPlot& p = *m_state->plot;
  showAxis(*p.xAxis, axes.showX);
  showAxis(*p.yAxis, axes.showY);
  p.yAxis->setRangeReversed(axes.yDown);
  p.yAxis2->setRangeReversed(axes.yDown);
  p.xAxis->grid()->setVisible(false);
  p.yAxis->grid()->setVisible(axes.showGrid);
  if (axes.showRight) showAxis(*p.yAxis2, true);
  else p.yAxis2->setVisible(false);
  m_state->updateTickers();
  m_state->styleAxes();
  redraw();
}

// The plot has no box: rows and values are read from the grid, only a labelled x-axis and the right axis have lines.
void ChartView::State::styleAxes() {
  plot->yAxis->setBasePen(Qt::NoPen);
  plot->yAxis->setTickPen(Qt::NoPen);
  plot->yAxis2->setBasePen(Qt::NoPen);
  if (!axes.showX) plot->xAxis->setBasePen(Qt::NoPen);
  else plot->xAxis->setBasePen(QPen(theme.colour(Colour::Axis), 1));
  for (QCPItemText* unit : {xUnit, yUnit, rightUnit}) {
    unit->setColor(theme.colour(Colour::MutedText));
    unit->setFont(plot->xAxis->tickLabelFont());
  }
}

void ChartView::State::createUnits() {
  const auto text = [&](double row, Qt::Alignment alignment) {
    auto* item = new QCPItemText(plot);
    item->setLayer(QStringLiteral("axes"));
    item->setSelectable(false);
    item->setClipToAxisRect(false);
    item->position->setType(QCPItemPosition::ptAxisRectRatio);
    item->position->setCoords(0, row);
    item->setPositionAlignment(alignment);
    item->setPadding(QMargins(0, 5, 8, 2));
    return item;
  };
  xUnit = text(1, Qt::AlignRight | Qt::AlignTop);
  yUnit = text(0, Qt::AlignRight | Qt::AlignBottom);
  rightUnit = text(0, Qt::AlignLeft | Qt::AlignBottom);
  rightUnit->position->setCoords(1, 0);
}

void ChartView::State::nameUnits() {
  constexpr int textHeight = 16;
  const QMargins margins = plot->axisRect()->margins();
  xUnit->setText(QString::fromStdString(tickUnit({.unit = axes.x, .first = view.first, .last = view.last})));
  yUnit->setText(QString::fromStdString(tickUnit({.unit = axes.y, .first = values.first, .last = values.last})));
  rightUnit->setText(QStringLiteral(" total"));   // in the unit of the left axis
  rightUnit->setVisible(axes.showRight && margins.top() >= textHeight);
  xUnit->setVisible(axes.showX && !xUnit->text().isEmpty() && margins.bottom() >= textHeight);
  yUnit->setVisible(axes.showY && !hasRowNames && !yUnit->text().isEmpty() && margins.top() >= textHeight);
}

void ChartView::State::updateTickers() {
  const QMargins margins = plot->axisRect()->margins();
  const int width = plot->width() - margins.left() - margins.right();
  const int height = plot->height() - margins.top() - margins.bottom();
  const int rows = std::clamp(height / 40, 2, 20);
  const std::int64_t zero = axes.x == AxisUnit::Nanoseconds ? axes.origin : 0;
  plot->xAxis->setTicker(tickerFor(axes.x, xOrigin, zero, std::clamp(width / 72, 2, 40)));
  if (!hasRowNames) plot->yAxis->setTicker(axes.y == AxisUnit::Plain ? realTicker(rows) : tickerFor(axes.y, 0, 0, rows, axes.showRight));
  plot->yAxis2->setTicker(tickerFor(axes.y, 0, -axes.rightOffset, std::max(2, rows * 2 / 3)));
  nameUnits();
}

void ChartView::setRowNames(const std::vector<std::pair<std::int64_t, QString>>& names) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const auto& [value, name] : names) ticker->addTick(static_cast<double>(value), name);
  m_state->hasRowNames = true;
  m_state->plot->yAxis->setTicker(ticker);
  m_state->plot->yAxis->setTickLength(0);
  m_state->plot->yAxis->grid()->setVisible(false);
  redraw();
}

}  // namespace peakscope::ui
