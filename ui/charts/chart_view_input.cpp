// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mouse of a ChartView: wheel zooms at the pointer (Ctrl fine, Shift pans), drag selects a range, middle drag pans, double
// click zooms to the selected range. Keys belong to the window's actions, which call zoomBy and panBy.
#include <qcustomplot.h>

#include <cmath>

#include "ui/charts/chart_view.h"
#include "ui/charts/chart_view_state.h"

namespace peakscope::ui {
namespace {

constexpr int dragThreshold = 4;

bool onWheel(ChartView& view, const QWheelEvent& event) {
  const int turned = event.angleDelta().y() != 0 ? event.angleDelta().y() : event.angleDelta().x();
  if (turned == 0) return false;
  const double notches = turned / 120.0;
  if (event.modifiers().testFlag(Qt::ShiftModifier)) {
    view.panBy(saturatingAdd(0, std::round(-notches * view.view().span() / 10)));
  } else {
    const double perNotch = event.modifiers().testFlag(Qt::ControlModifier) ? 1.05 : 1.25;
    view.zoomBy(std::pow(perNotch, -notches), view.xMap().toValue(event.position().x()));
  }
  return true;
}

bool onPress(ChartView& view, ChartView::State& state, const QMouseEvent& event) {
  if (!view.plotRect().contains(event.pos())) return false;
  state.button = event.button();
  state.pressedAt = event.pos();
  state.viewAtPress = state.view;
  state.isDragging = false;
  view.setFocus(Qt::MouseFocusReason);
  return true;
}

ViewRange draggedRange(const ChartView& view, const ChartView::State& state, QPoint to) {
  const QRect rect = view.plotRect();
  const AxisMap map = view.xMap();
  const auto valueAt = [&](int x) { return map.toValue(std::clamp(x, rect.left(), rect.left() + rect.width())); };
  const std::int64_t a = valueAt(state.pressedAt.x());
  const std::int64_t b = valueAt(to.x());
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

bool ChartView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_state->plot) return QWidget::eventFilter(watched, event);
  State& state = *m_state;
  switch (event->type()) {
    case QEvent::Wheel: return onWheel(*this, *static_cast<QWheelEvent*>(event));
    case QEvent::Leave: emit left(); return false;
    case QEvent::MouseButtonPress: return onPress(*this, state, *static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick: {
      const auto& mouse = *static_cast<QMouseEvent*>(event);
      const std::int64_t x = xMap().toValue(mouse.position().x());
      const auto selected = state.overlay.atSelected;
      state.button = Qt::NoButton;
      if (selected && x >= selected->first && x <= selected->last) {
        setView(*selected);
        emit rangeActivated(selected->first, selected->last);
      }
      return true;
    }
    case QEvent::MouseMove: {
      const QPoint at = static_cast<QMouseEvent*>(event)->pos();
      if (state.button != Qt::NoButton && (at - state.pressedAt).manhattanLength() >= dragThreshold) state.isDragging = true;
      if (state.isDragging && state.button == Qt::MiddleButton) {
        setView(panned(state.viewAtPress, saturatingAdd(0, std::round((state.pressedAt.x() - at.x()) * xMap().unitsPerPixel()))));
      } else if (state.isDragging && state.button == Qt::LeftButton) {
        setSelection(draggedRange(*this, state, at));
      } else if (plotRect().contains(at)) {
        emit hovered(xMap().toValue(at.x()), at);
      } else {
        emit left();
      }
      return true;
    }
    case QEvent::MouseButtonRelease: {
      const auto& mouse = *static_cast<QMouseEvent*>(event);
      if (state.button != mouse.button()) return true;
      state.button = Qt::NoButton;
      if (mouse.button() != Qt::LeftButton) return true;
      if (state.isDragging) {
        const ViewRange range = draggedRange(*this, state, mouse.pos());
        setSelection(range);
        emit rangeSelected(range.first, range.last);
      } else {
        emit clicked(xMap().toValue(mouse.pos().x()), mouse.pos());
      }
      state.isDragging = false;
      return true;
    }
    default: return QWidget::eventFilter(watched, event);
  }
}

}  // namespace peakscope::ui
