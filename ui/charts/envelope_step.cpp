// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plottable behind EnvelopeStep: chooses columns, lets envelope_columns.cpp write the pixels, draws one image.
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "ui/charts/chart_view.h"
#include "ui/charts/envelope_columns.h"
#include "ui/charts/envelope_step.h"

namespace peakscope::ui {

using report::Colour;

class EnvelopeStep::Plottable final : public QCPAbstractPlottable {
 public:
  explicit Plottable(ChartView& view) : QCPAbstractPlottable(&view.xAxis(), &view.yAxis()), m_view(view) {
    setSelectable(QCP::stNone);
    isVisible.fill(true);
  }

  std::shared_ptr<const EnvelopeSource> source;
  std::optional<StepLine> predicted;
  std::optional<StepLine> candidate;
  std::optional<StepLine> reserve;
  std::vector<StepLine> ghosts;
  std::optional<std::int64_t> budget;
  BandFilter isVisible;

  [[nodiscard]] std::int64_t sampleAt(QPoint position) const {
    const AxisMap x = m_view.xMap();
    const int column = static_cast<int>(std::floor(position.x() - x.pixelFirst));
    const auto width = static_cast<int>(std::lround(x.pixelLast - x.pixelFirst));
    if (source == nullptr || column < 0 || column >= width) return -1;
    const AxisMap columnsOfView{x.first, x.last, 0, static_cast<double>(width)};
    return columnsOf(source->pyramid(), source->end(), columnsOfView).index[static_cast<std::size_t>(column)];
  }

  double selectTest(const QPointF& position, bool, QVariant*) const override {
    return sampleAt(position.toPoint()) < 0 ? -1 : mParentPlot->selectionTolerance() * 0.99;
  }

  QCPRange getKeyRange(bool& isFound, QCP::SignDomain) const override {
    isFound = source != nullptr && source->count() > 0;
    if (!isFound) return {};
    return {difference(source->x(0), m_view.xOrigin()), difference(source->end(), m_view.xOrigin())};
  }
  QCPRange getValueRange(bool& isFound, QCP::SignDomain, const QCPRange&) const override {
    isFound = source != nullptr && source->count() > 0;
    if (!isFound) return {};
    return {0, static_cast<double>(source->pyramid().all().max)};
  }

 protected:
  void draw(QCPPainter* painter) override {
    const QRect rect = m_view.plotRect();
    if (rect.isEmpty()) return;
    // Device pixels, so that a column is a column on a fine screen too; three to a point in a PDF.
    const double scale = painter->modes().testFlag(QCPPainter::pmVectorized) ? 3.0 : painter->device()->devicePixelRatioF();
    const QSize size(static_cast<int>(std::lround(rect.width() * scale)), static_cast<int>(std::lround(rect.height() * scale)));
    if (m_image.size() != size) m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    m_image.fill(Qt::transparent);
    drawOnto(m_image, scale);
    m_image.setDevicePixelRatio(scale);
    painter->drawImage(rect.topLeft(), m_image);
  }

  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}   // legends are widgets of the panel: they filter

 private:
  void drawOnto(QImage& image, double scale) const {
    image.setDevicePixelRatio(1);
    const ChartTheme& theme = m_view.theme();
    const AxisMap x{m_view.view().first, m_view.view().last, 0, static_cast<double>(image.width())};
    const bool isDown = m_view.axes().yDown;
    const AxisMap y{m_view.valueRange().first, m_view.valueRange().last,
                    isDown ? 0.0 : static_cast<double>(image.height()), isDown ? static_cast<double>(image.height()) : 0.0};
    const auto pixels = [&](double points) { return std::max(1, static_cast<int>(std::lround(points * scale))); };
    const auto columns = [&](const StepLine& line) { return columnsOf(*line.curve, line.end, x); };
    const auto isThere = [](const std::optional<StepLine>& line) { return line && line->curve != nullptr; };

    std::vector<EnvelopeColumns> ghostColumns;
    for (const StepLine& ghost : ghosts) ghostColumns.push_back(columns(ghost));
    for (std::size_t i = 0; i < ghosts.size(); ++i)
      fillUnderLine(image, *ghosts[i].curve, ghostColumns[i], y, theme.ghostFill());
    if (source != nullptr) drawBands(image, *source, columnsOf(source->pyramid(), source->end(), x), y, theme, isVisible);
    for (std::size_t i = 0; i < ghosts.size(); ++i)
      drawStepLine(image, *ghosts[i].curve, ghostColumns[i], y, {.colour = theme.rgb(Colour::Axis), .width = pixels(1)});
    if (isThere(reserve))
      drawStepLine(image, *reserve->curve, columns(*reserve), y, {.colour = theme.rgb(Colour::MutedText), .width = pixels(1)});
    if (isThere(candidate))
      drawStepLine(image, *candidate->curve, columns(*candidate), y,
                   {.colour = theme.rgb(Colour::Accent), .width = pixels(2), .on = pixels(10), .off = pixels(4)});
    if (isThere(predicted))
      drawStepLine(image, *predicted->curve, columns(*predicted), y,
                   {.colour = theme.rgb(Colour::Text), .halo = theme.rgb(Colour::Panel), .width = pixels(1.6),
                    .on = pixels(1.6), .off = pixels(2.4)});
    if (budget)
      drawLevel(image, *budget, y, 0, {.colour = theme.rgb(Colour::Budget), .width = pixels(1.5), .on = pixels(7), .off = pixels(4)});
  }

  ChartView& m_view;
  QImage m_image;
};

EnvelopeStep::EnvelopeStep(ChartView& view) : m_plottable(new Plottable(view)), m_view(&view) {}
EnvelopeStep::~EnvelopeStep() = default;
EnvelopeStep::EnvelopeStep(EnvelopeStep&&) noexcept = default;
EnvelopeStep& EnvelopeStep::operator=(EnvelopeStep&&) noexcept = default;

void EnvelopeStep::setSource(std::shared_ptr<const EnvelopeSource> source) {
  m_plottable->source = std::move(source);
  m_view->redraw();
}
void EnvelopeStep::setPredicted(std::optional<StepLine> line) {
  m_plottable->predicted = std::move(line);
  m_view->redraw();
}
void EnvelopeStep::setGhosts(std::vector<StepLine> lines) {
  std::erase_if(lines, [](const StepLine& line) { return line.curve == nullptr; });
  m_plottable->ghosts = std::move(lines);
  m_view->redraw();
}
void EnvelopeStep::setCandidate(std::optional<StepLine> line) {
  m_plottable->candidate = std::move(line);
  m_view->redraw();
}
void EnvelopeStep::setReserve(std::optional<StepLine> line) {
  m_plottable->reserve = std::move(line);
  m_view->redraw();
}
void EnvelopeStep::setBudget(std::optional<std::int64_t> bytes) {
  m_plottable->budget = bytes;
  m_view->redraw();
}
void EnvelopeStep::setVisible(Band band, bool isVisible) {
  m_plottable->isVisible[static_cast<std::size_t>(band)] = isVisible;
  m_view->redraw();
}
bool EnvelopeStep::isVisible(Band band) const { return m_plottable->isVisible[static_cast<std::size_t>(band)]; }

std::optional<EnvelopeHit> EnvelopeStep::at(QPoint position) const {
  const std::int64_t index = m_plottable->sampleAt(position);
  if (index < 0) return {};
  const EnvelopeSource& source = *m_plottable->source;
  EnvelopeHit hit{index, source.x(index), source.total(index), source.bands(index), {}};
  const std::int64_t value = m_view->yMap().toValue(position.y());
  std::int64_t up = 0;
  std::int64_t down = 0;
  for (int i = 0; i < bandCount && !hit.band; ++i) {
    const Band band = static_cast<Band>(i);
    if (!isVisible(band) || hit.bands[band] <= 0) continue;
    std::int64_t& edge = isFloor(band) ? down : up;
    edge += hit.bands[band];
    if (isFloor(band) ? value < 0 && value >= -edge : value >= 0 && value < edge) hit.band = band;
  }
  return hit;
}

std::pair<std::int64_t, std::int64_t> EnvelopeStep::valueExtent() const {
  std::int64_t low = 0;
  std::int64_t high = 1;
  const Plottable& p = *m_plottable;
  if (p.source != nullptr && p.source->count() > 0) {
    const BandBytes peak = p.source->bands(p.source->pyramid().all().indexOfMax);
    low = -p.source->deepestFloor();
    high = std::max(high, peak.up());
  }
  const auto include = [&](const std::optional<StepLine>& line) {
    if (line && line->curve != nullptr && !line->curve->isEmpty()) high = std::max(high, line->curve->all().max);
  };
  include(p.predicted);
  include(p.candidate);
  include(p.reserve);
  for (const StepLine& ghost : p.ghosts) include(ghost);
  if (p.budget) high = std::max(high, *p.budget);
  return {low, saturatingAdd(high, static_cast<double>(high) * 0.06)};
}

}  // namespace peakscope::ui
