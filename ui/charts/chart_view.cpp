// SPDX-License-Identifier: GPL-3.0-or-later
//
// ChartView: ranges, theme, figures. Axes, mouse and overlay are in chart_view_{axes,input,overlay}.cpp.
#include <qcustomplot.h>

#include "ui/charts/chart_view.h"
#include "ui/charts/chart_view_state.h"

namespace peakscope::ui {

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
  connect(m_state->plot, &QCustomPlot::afterReplot, this, [this] { m_state->overlay.hasBuffer = true; });
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
