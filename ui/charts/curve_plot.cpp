// SPDX-License-Identifier: GPL-3.0-or-later
//
// Graphs without fill: QCustomPlot's adaptive sampling is good for these. The points are kept as integers beside it, because
// its doubles are relative to the origin of the view, which may move.
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/chart_view.h"
#include "ui/charts/curve_plot.h"

namespace peakscope::ui {

struct CurvePlot::State {
  struct Curve {
    QCPGraph* graph = nullptr;   // owned by the plot
    std::vector<CurveSample> samples;
  };
  explicit State(ChartView& chart) : view(chart) {}

  ChartView& view;
  QObject context;               // its end disconnects
  std::vector<Curve> curves;

  [[nodiscard]] QCPGraphData dataOf(const CurveSample& sample) const {
    return {difference(sample.x, view.xOrigin()), std::isfinite(sample.y) ? sample.y : std::numeric_limits<double>::quiet_NaN()};
  }
  void rebuild(Curve& curve) const {
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(curve.samples.size()));
    for (const CurveSample& sample : curve.samples) data.push_back(dataOf(sample));
    curve.graph->data()->set(data);
  }
  Curve& at(int curve) { return curves[static_cast<std::size_t>(curve)]; }
};

CurvePlot::CurvePlot(ChartView& view) : m_state(std::make_unique<State>(view)) {
  State* state = m_state.get();
  QObject::connect(&view, &ChartView::originMoved, &state->context, [state] {
    for (auto& curve : state->curves) state->rebuild(curve);
  });
}
CurvePlot::~CurvePlot() = default;
CurvePlot::CurvePlot(CurvePlot&&) noexcept = default;
CurvePlot& CurvePlot::operator=(CurvePlot&&) noexcept = default;

int CurvePlot::addCurve(const CurveStyle& style) {
  QCPGraph* graph = m_state->view.plot().addGraph(&m_state->view.xAxis(), &m_state->view.yAxis());
  graph->setAdaptiveSampling(true);
  graph->setAntialiased(false);
  graph->setSelectable(QCP::stNone);
  m_state->curves.push_back({graph, {}});
  const int number = static_cast<int>(m_state->curves.size()) - 1;
  setStyle(number, style);
  return number;
}

void CurvePlot::setStyle(int curve, const CurveStyle& style) {
  QCPGraph& graph = *m_state->at(curve).graph;
  QPen pen(QColor::fromRgb(style.colour), 1);
  pen.setCosmetic(true);
  if (style.isDashed) pen.setDashPattern({4, 3});
  graph.setPen(pen);
  graph.setName(style.name);
  const QBrush inside(m_state->view.theme().colour(report::Colour::Panel));
  graph.setScatterStyle(style.hasMarkers ? QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(pen.color(), 1), inside, 6)
                                         : QCPScatterStyle());
  m_state->view.redraw();
}

void CurvePlot::append(int curve, std::int64_t x, double y) {
  State::Curve& to = m_state->at(curve);
  to.samples.push_back({x, y});
  to.graph->data()->add(m_state->dataOf(to.samples.back()));
  m_state->view.redraw();
}

std::size_t CurvePlot::sampleCount(int curve) const { return m_state->at(curve).samples.size(); }

void CurvePlot::setPoints(int curve, std::span<const CurveSample> points) {
  State::Curve& to = m_state->at(curve);
  to.samples.assign(points.begin(), points.end());
  m_state->rebuild(to);
  m_state->view.redraw();
}

void CurvePlot::clear() {
  for (int curve = 0; curve < static_cast<int>(m_state->curves.size()); ++curve) setPoints(curve, {});
}

void CurvePlot::fitValues(double margin) {
  const ViewRange view = m_state->view.view();
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const State::Curve& curve : m_state->curves) {
    for (const CurveSample& sample : curve.samples) {
      if (sample.x < view.first || sample.x > view.last || !std::isfinite(sample.y)) continue;
      low = std::min(low, sample.y);
      high = std::max(high, sample.y);
    }
  }
  if (!(low <= high)) low = 0, high = 1;
  const double room = high > low ? (high - low) * margin : std::max(std::abs(high) * 0.05, 0.5);
  m_state->view.yAxis().setRange(low - room, high + room);
  m_state->view.redraw();
}

std::pair<std::int64_t, std::int64_t> CurvePlot::extent() const {
  bool isFound = false;
  std::pair<std::int64_t, std::int64_t> range{0, 1};
  for (const State::Curve& curve : m_state->curves) {
    for (const CurveSample& sample : curve.samples) {
      range = isFound ? std::pair{std::min(range.first, sample.x), std::max(range.second, sample.x)} : std::pair{sample.x, sample.x};
      isFound = true;
    }
  }
  if (range.first == range.second) range.second = saturatingAdd(range.first, 1);
  return range;
}

}  // namespace peakscope::ui
