// SPDX-License-Identifier: GPL-3.0-or-later
//
// Crosshair, pinned moment, marks and selection: a handful of items on the buffered layer "overlay", so that moving the
// pointer never redraws the data.
#include <qcustomplot.h>

#include <algorithm>

#include "ui/charts/chart_view.h"
#include "ui/charts/chart_view_state.h"

namespace peakscope::ui {

using report::Colour;

void ChartOverlay::create(QCustomPlot& plot) {
  layer = plot.layer(QStringLiteral("overlay"));
  const auto line = [&](bool isVertical) {
    auto* item = new QCPItemLine(&plot);
    item->setLayer(layer);
    item->setAntialiased(false);
    item->setSelectable(false);
    for (QCPItemPosition* position : {item->start, item->end}) {
      position->setTypeX(isVertical ? QCPItemPosition::ptPlotCoords : QCPItemPosition::ptAxisRectRatio);
      position->setTypeY(isVertical ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptPlotCoords);
    }
    item->setVisible(false);
    return item;
  };
  const auto text = [&] {
    auto* item = new QCPItemText(&plot);
    item->setLayer(layer);
    item->setSelectable(false);
    item->setPadding(QMargins(6, 2, 6, 2));
    item->position->setTypeX(QCPItemPosition::ptPlotCoords);
    item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    QFont font = plot.font();
    font.setPixelSize(11);
    font.setBold(true);
    item->setFont(font);
    item->setVisible(false);
    return item;
  };
  selected = new QCPItemRect(&plot);
  selected->setLayer(layer);
  selected->setSelectable(false);
  selected->setAntialiased(false);
  selected->setBrush(Qt::NoBrush);
  for (QCPItemPosition* position : {selected->topLeft, selected->bottomRight}) {
    position->setTypeX(QCPItemPosition::ptPlotCoords);
    position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  selected->setVisible(false);
  markA = line(true);
  markB = line(true);
  pinned = line(true);
  crossX = line(true);
  crossY = line(false);
  nameA = text();
  nameB = text();
  flag = text();
  nameA->setText(QStringLiteral("A"));
  nameB->setText(QStringLiteral("B"));
}

void ChartOverlay::applyTheme(const ChartTheme& theme) {
  QPen dashed(theme.colour(Colour::Text), 1);
  dashed.setDashPattern({3, 3});
  crossX->setPen(dashed);
  crossY->setPen(dashed);
  pinned->setPen(QPen(theme.colour(Colour::Accent), 2));
  for (QCPItemLine* mark : {markA, markB}) mark->setPen(QPen(theme.colour(Colour::MutedText), 1));
  selected->setPen(QPen(theme.colour(Colour::Accent), 1));
  for (QCPItemText* item : {flag, nameA, nameB}) {
    item->setBrush(QBrush(theme.colour(item == flag ? Colour::Accent : Colour::MutedText)));
    item->setColor(theme.colour(item == flag ? Colour::TextOnAccent : Colour::Panel));
  }
}

void ChartOverlay::place(const ChartView::State& state) {
  const auto coordinate = [&](std::int64_t x) { return difference(x, state.xOrigin); };
  const auto vertical = [&](QCPItemLine* item, const std::optional<std::int64_t>& x) {
    item->setVisible(x.has_value());
    if (!x) return;
    item->start->setCoords(coordinate(*x), 0);
    item->end->setCoords(coordinate(*x), 1);
  };
  vertical(crossX, atCrossX);
  vertical(pinned, atPinned);
  vertical(markA, atA);
  vertical(markB, atB);
  crossY->setVisible(atCrossY.has_value());
  if (atCrossY) {
    crossY->start->setCoords(0, static_cast<double>(*atCrossY));
    crossY->end->setCoords(1, static_cast<double>(*atCrossY));
  }
  selected->setVisible(atSelected.has_value());
  if (atSelected) {
    selected->topLeft->setCoords(coordinate(atSelected->first), 0);
    selected->bottomRight->setCoords(coordinate(atSelected->last), 1);
  }
  const auto name = [&](QCPItemText* item, const std::optional<std::int64_t>& x, double row) {
    item->setVisible(x.has_value() && !item->text().isEmpty());
    if (!x) return;
    // The label stays on the side with room.
    const bool isLeft = difference(*x, state.view.first) * 2 > state.view.span();
    item->setPositionAlignment((isLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    item->position->setCoords(coordinate(*x), row);
  };
  name(flag, atPinned, 0.02);
  name(nameA, atA, 0);
  name(nameB, atB, 0);
}

void ChartOverlay::replot(const ChartView::State& state) {
  place(state);
  if (hasBuffer) layer->replot();
}

void ChartView::setCrosshair(std::optional<std::int64_t> x, std::optional<std::int64_t> y) {
  m_state->overlay.atCrossX = x;
  m_state->overlay.atCrossY = y;
  m_state->overlay.replot(*m_state);
}

void ChartView::setPinned(std::optional<std::int64_t> x, const QString& flag) {
  m_state->overlay.atPinned = x;
  m_state->overlay.flag->setText(flag);
  m_state->overlay.replot(*m_state);
}

void ChartView::setMarks(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  m_state->overlay.atA = a;
  m_state->overlay.atB = b;
  m_state->overlay.replot(*m_state);
}

void ChartView::setSelection(std::optional<ViewRange> range) {
  if (range && range->last < range->first) std::swap(range->first, range->last);
  m_state->overlay.atSelected = range;
  m_state->overlay.replot(*m_state);
}

}  // namespace peakscope::ui
