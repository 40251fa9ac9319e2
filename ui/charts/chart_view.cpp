// SPDX-License-Identifier: GPL-3.0-or-later
//
// ChartView: axes, ranges and theme. Mouse and overlay are in chart_view_input.cpp and chart_view_overlay.cpp.
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
  UnitTicker(AxisUnit unit, std::int64_t origin, std::int64_t labelledZero, int wanted)
      : m_unit(unit), m_origin(origin), m_zero(labelledZero), m_wanted(wanted) {}

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
      ticksOut.push_back(difference(tick.value, m_origin));
      if (labels != nullptr) labels->push_back(QString::fromStdString(tick.label));
    }
  }

 private:
  AxisUnit m_unit;
  std::int64_t m_origin;
  std::int64_t m_zero;
  int m_wanted;
};

/// The y-axis of a curve: real numbers.
QSharedPointer<QCPAxisTicker> realTicker(int wanted) {
  auto ticker = QSharedPointer<QCPAxisTicker>::create();
  ticker->setTickCount(wanted);
  return ticker;
}

QSharedPointer<QCPAxisTicker> tickerFor(AxisUnit unit, std::int64_t origin, std::int64_t zero, int wanted) {
  return QSharedPointer<UnitTicker>::create(unit, origin, zero, wanted);
}

void showAxis(QCPAxis& axis, bool labels) {
  axis.setVisible(true);
  axis.setTickLabels(labels);
  axis.setTicks(labels);
  axis.setSubTicks(false);
}

}  // namespace

ChartView::ChartView(QWidget* parent) : QWidget(parent), m_state(std::make_unique<State>()) {
  m_state->plot = new QCustomPlot(this);
  m_state->plot->setNoAntialiasingOnDrag(true);
  m_state->plot->setNotAntialiasedElements(QCP::aeAll);
  m_state->plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
  m_state->plot->axisRect()->setAutoMargins(QCP::msNone);
  m_state->plot->axisRect()->setMinimumMargins(QMargins());
  m_state->plot->plotLayout()->setMargins(QMargins());
  m_state->plot->setMouseTracking(true);
  m_state->plot->installEventFilter(this);
  m_state->overlay.create(*m_state->plot);
  m_state->createUnits();
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMargins({});
  setAxes({});
  setTheme(ChartTheme{});
}

ChartView::~ChartView() { m_state->plot->removeEventFilter(this); }

void ChartView::setTheme(const ChartTheme& theme) {
  m_state->theme = theme;
  applyTheme(*m_state->plot, theme);
  m_state->styleAxes();
  m_state->overlay.applyTheme(theme);
  emit themeChanged();
  redraw();
}

const ChartTheme& ChartView::theme() const { return m_state->theme; }

void ChartView::setMargins(const ChartMargins& margins) {
  m_state->plot->axisRect()->setMargins(QMargins(margins.left, margins.top, margins.right, margins.bottom));
  m_state->updateTickers();
  redraw();
}

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
  for (QCPItemText* unit : {xUnit, yUnit}) {
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
}

void ChartView::State::nameUnits() {
  constexpr int textHeight = 16;
  const QMargins margins = plot->axisRect()->margins();
  xUnit->setText(QString::fromStdString(tickUnit({.unit = axes.x, .first = view.first, .last = view.last})));
  yUnit->setText(QString::fromStdString(tickUnit({.unit = axes.y, .first = values.first, .last = values.last})));
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
  if (!hasRowNames) plot->yAxis->setTicker(axes.y == AxisUnit::Plain ? realTicker(rows) : tickerFor(axes.y, 0, 0, rows));
  plot->yAxis2->setTicker(tickerFor(axes.y, 0, -axes.rightOffset, std::max(2, rows / 2)));
  nameUnits();
}

const ChartAxes& ChartView::axes() const { return m_state->axes; }

void ChartView::setAccessible(const QString& name, const QString& description) {
  setAccessibleName(name);
  setAccessibleDescription(description);
  m_state->plot->setAccessibleName(name);
  m_state->plot->setAccessibleDescription(description);
}

void ChartView::setLimits(ViewRange limits) {
  if (limits.last <= limits.first) limits.last = saturatingAdd(limits.first, 1);
  const bool originMoves = limits.first != m_state->xOrigin;
  m_state->limits = limits;
  if (originMoves) {
    m_state->xOrigin = limits.first;
    m_state->updateTickers();
    m_state->overlay.place(*m_state);
    emit originMoved();
  }
  m_state->view = clamped(m_state->view, limits);
  m_state->applyView();
  redraw();
}

ViewRange ChartView::limits() const { return m_state->limits; }
ViewRange ChartView::view() const { return m_state->view; }
std::int64_t ChartView::xOrigin() const { return m_state->xOrigin; }

void ChartView::State::applyView() {
  plot->xAxis->setRange(difference(view.first, xOrigin), difference(view.last, xOrigin));
  nameUnits();
}

void ChartView::setView(ViewRange range) {
  range = clamped(range, m_state->limits);
  if (range == m_state->view) return;
  m_state->view = range;
  m_state->applyView();
  redraw();
  emit viewChanged(range);
}

void ChartView::showAll() { setView(m_state->limits); }

void ChartView::zoomBy(double factor, std::int64_t centre) { setView(zoomed(m_state->view, centre, factor)); }

void ChartView::panBy(std::int64_t units) { setView(panned(m_state->view, units)); }

void ChartView::setValueRange(ViewRange range) {
  if (range.last <= range.first) range.last = saturatingAdd(range.first, 1);
  m_state->values = range;
  m_state->plot->yAxis->setRange(static_cast<double>(range.first), static_cast<double>(range.last));
  m_state->plot->yAxis2->setRange(m_state->plot->yAxis->range());
  redraw();
}

ViewRange ChartView::valueRange() const { return m_state->values; }

void ChartView::setRowNames(const std::vector<std::pair<std::int64_t, QString>>& names) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const auto& [value, name] : names) ticker->addTick(static_cast<double>(value), name);
  m_state->hasRowNames = true;
  m_state->plot->yAxis->setTicker(ticker);
  m_state->plot->yAxis->setTickLength(0);
  m_state->plot->yAxis->grid()->setVisible(false);
  redraw();
}

QRect ChartView::plotRect() const { return m_state->plot->axisRect()->rect(); }

AxisMap ChartView::xMap() const {
  const QRect rect = plotRect();
  return {m_state->view.first, m_state->view.last, static_cast<double>(rect.left()),
          static_cast<double>(rect.left() + rect.width())};
}

AxisMap ChartView::yMap() const {
  const QRect rect = plotRect();
  const double top = rect.top();
  const double bottom = rect.top() + rect.height();
  return {m_state->values.first, m_state->values.last, m_state->axes.yDown ? top : bottom,
          m_state->axes.yDown ? bottom : top};
}

bool ChartView::saveFigure(const QString& path, QSize size, QString* reason) {
  const ChartTheme shown = m_state->theme;
  const QString suffix = QFileInfo(path).suffix().toLower();
  const auto fail = [&](const QString& why) {
    if (reason != nullptr) *reason = why;
    return false;
  };
  if (suffix != QLatin1String("png") && suffix != QLatin1String("pdf"))
    return fail(tr("%1: a figure of the window is .png or .pdf; .svg is written by the report").arg(path));
  setTheme(ChartTheme(report::Theme::Light));
  const bool isSaved = suffix == QLatin1String("png") ? m_state->plot->savePng(path, size.width(), size.height(), 2.0)
                                                      : m_state->plot->savePdf(path, size.width(), size.height());
  setTheme(shown);
  return isSaved ? true : fail(tr("%1 cannot be written; choose another folder").arg(path));
}

QImage ChartView::image() { return m_state->plot->toPixmap().toImage(); }

QCustomPlot& ChartView::plot() { return *m_state->plot; }
QCPAxis& ChartView::xAxis() { return *m_state->plot->xAxis; }
QCPAxis& ChartView::yAxis() { return *m_state->plot->yAxis; }

void ChartView::redraw() { m_state->plot->replot(QCustomPlot::rpQueuedReplot); }

void ChartView::resizeEvent(QResizeEvent*) {
  m_state->plot->setGeometry(rect());
  m_state->updateTickers();
}

}  // namespace peakscope::ui
