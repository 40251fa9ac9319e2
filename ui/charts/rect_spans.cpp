// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plottable behind RectSpans: lays out, then draws in one call per colour; patterns, outlines and labels only where there
// is room for them.
#include <qcustomplot.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ui/charts/chart_view.h"
#include "ui/charts/rect_spans.h"
#include "ui/charts/span_layout.h"

namespace peakscope::ui {
namespace {

constexpr int patternFrom = 6;
constexpr int outlineFrom = 4;
constexpr int labelWidthFrom = 24;
constexpr int labelHeightFrom = 11;
constexpr int labelPadding = 3;
constexpr std::size_t cachedLabels = 20000;
constexpr int tileSize = 12;

void addFrame(QVector<QRect>& rects, const QRect& rect, int width) {
  rects.push_back(QRect(rect.left(), rect.top(), rect.width(), width));
  rects.push_back(QRect(rect.left(), rect.bottom() + 1 - width, rect.width(), width));
  rects.push_back(QRect(rect.left(), rect.top(), width, rect.height()));
  rects.push_back(QRect(rect.right() + 1 - width, rect.top(), width, rect.height()));
}

}  // namespace

class RectSpans::Plottable final : public QCPAbstractPlottable {
 public:
  explicit Plottable(ChartView& view) : QCPAbstractPlottable(&view.xAxis(), &view.yAxis()), m_view(view) {
    setSelectable(QCP::stNone);
  }

  std::vector<SpanStyle> styles;
  std::shared_ptr<const SpanStore> spans;
  std::function<QString(std::int64_t)> label;
  std::unordered_set<std::int32_t> highlighted;
  std::vector<SpanArrow> arrows;

  /// After another store or another look: labels and layout are made anew.
  void forget() {
    m_labels.clear();
    m_laidOut = {};
  }
  [[nodiscard]] const SpanLayout& layout() const { return m_layout; }

  /// What is drawn at a position of the view; laid out afresh if the view moved since the last repaint.
  [[nodiscard]] const DrawnSpan* hit(QPoint position) {
    layOut();
    return hitSpan(m_layout, position - m_view.plotRect().topLeft());
  }

  double selectTest(const QPointF& position, bool, QVariant*) const override {
    const bool isHit = hitSpan(m_layout, position.toPoint() - m_view.plotRect().topLeft()) != nullptr;
    return isHit ? mParentPlot->selectionTolerance() * 0.99 : -1;
  }
  QCPRange getKeyRange(bool& isFound, QCP::SignDomain) const override {
    isFound = spans != nullptr && spans->count() > 0;
    if (!isFound) return {};
    return {difference((*spans)[0].start, m_view.xOrigin()), difference(spans->latestEnd(), m_view.xOrigin())};
  }
  QCPRange getValueRange(bool& isFound, QCP::SignDomain, const QCPRange&) const override {
    isFound = false;   // rows are fixed by the panel
    return {};
  }

 protected:
  void draw(QCPPainter* painter) override {
    layOut();
    painter->save();
    painter->setAntialiasing(false);
    painter->setPen(Qt::NoPen);
    painter->translate(m_view.plotRect().topLeft());
    drawFills(*painter);
    drawFrames(*painter);
    drawArrows(*painter);
    drawLabels(*painter);
    painter->restore();
  }

  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

 private:
  [[nodiscard]] std::pair<AxisMap, AxisMap> maps() const {
    const QRect rect = m_view.plotRect();
    const bool isDown = m_view.axes().yDown;
    return {{m_view.view().first, m_view.view().last, 0, static_cast<double>(rect.width())},
            {m_view.valueRange().first, m_view.valueRange().last, isDown ? 0.0 : rect.height(), isDown ? rect.height() : 0.0}};
  }

  void layOut() {
    const QRect rect = m_view.plotRect();
    const LayoutKey key{spans.get(), spans == nullptr ? 0 : spans->count(), m_view.view(), m_view.valueRange(), rect.size(), styles.size()};
    if (m_laidOut == key) return;   // the pointer moves far more often than the view
    m_laidOut = key;
    m_layout.drawn.clear();
    m_layout.shown = 0;
    if (spans == nullptr || styles.empty()) return;
    const auto [x, y] = maps();
    m_layout = layoutSpans(*spans, x, y, static_cast<int>(styles.size()), std::move(m_layout));
  }

  struct LayoutKey {
    const SpanStore* spans = nullptr;
    std::int64_t count = -1;
    ViewRange view;
    ViewRange values;
    QSize size;
    std::size_t styles = 0;
    bool operator==(const LayoutKey&) const = default;
  };

  struct Batch {
    QVector<QRect> solid;
    QVector<QRect> patterned;
  };
  void drawFills(QCPPainter& painter) {
    std::vector<Batch>& batches = m_batches;   // kept, so that a frame allocates nothing
    batches.resize(styles.size());
    for (Batch& batch : batches) {
      batch.solid.clear();
      batch.patterned.clear();
    }
    for (const DrawnSpan& drawn : m_layout.drawn) {
      const Pattern pattern = styles[drawn.style].fill.pattern;
      const bool isPatterned = pattern != Pattern::Solid && pattern != Pattern::Outline &&
                               drawn.rect.width() >= patternFrom && drawn.rect.height() >= patternFrom;
      (isPatterned ? batches[drawn.style].patterned : batches[drawn.style].solid).push_back(drawn.rect);
    }
    const ViewRange view = m_view.view();
    const std::int64_t sceneX = ColumnGrid(view.first, view.last, m_view.plotRect().width()).firstColumn();
    for (std::size_t style = 0; style < styles.size(); ++style) {
      const Fill& fill = styles[style].fill;
      if (!batches[style].solid.isEmpty()) {
        painter.setBrush(QColor::fromRgb(fill.base));
        painter.drawRects(batches[style].solid);
      }
      if (!batches[style].patterned.isEmpty()) {
        QBrush brush(fillImage(fill, QSize(tileSize, tileSize)).convertToFormat(QImage::Format_RGB32));
        // Anchored to the scene, not to the view: the pattern moves with the data.
        brush.setTransform(QTransform::fromTranslate(static_cast<double>(-(sceneX % tileSize)), 0));
        painter.setBrush(brush);
        painter.drawRects(batches[style].patterned);
      }
    }
  }

  void drawFrames(QCPPainter& painter) const {
    for (std::size_t style = 0; style < styles.size(); ++style) {
      const bool isOutline = styles[style].fill.pattern == Pattern::Outline;
      if (!isOutline && !styles[style].outline) continue;
      QVector<QRect> frame;
      for (const DrawnSpan& drawn : m_layout.drawn) {
        if (drawn.style != style) continue;
        if (drawn.rect.width() >= outlineFrom && drawn.rect.height() >= outlineFrom) addFrame(frame, drawn.rect, 1);
        else if (isOutline) frame.push_back(drawn.rect);   // too thin to be hollow
      }
      painter.setBrush(QColor::fromRgb(isOutline ? styles[style].fill.ink : *styles[style].outline));
      painter.drawRects(frame);
    }
    if (highlighted.empty()) return;
    QVector<QRect> accent;
    for (const DrawnSpan& drawn : m_layout.drawn)
      if (highlighted.contains((*spans)[drawn.index].id)) addFrame(accent, drawn.rect.adjusted(-1, -1, 1, 1), 2);
    painter.setBrush(m_view.theme().colour(report::Colour::Accent));
    painter.drawRects(accent);
  }

  /// Along the row of the one, down or up at the start of the other, with a small head.
  void drawArrows(QCPPainter& painter) const {
    if (spans == nullptr || arrows.empty()) return;
    const auto [x, y] = maps();
    const QColor accent = m_view.theme().colour(report::Colour::Accent);
    const auto pixel = [](double at) { return std::clamp(at, -30000.0, 30000.0); };   // the painter's own limit
    const auto middle = [&](const Span& span) { return pixel((y.toPixel(span.low) + y.toPixel(span.high)) / 2); };
    for (const SpanArrow& arrow : arrows) {
      if (arrow.from < 0 || arrow.to < 0 || arrow.from >= spans->count() || arrow.to >= spans->count()) continue;
      const Span& from = (*spans)[arrow.from];
      const Span& to = (*spans)[arrow.to];
      const bool isBelow = middle(to) >= middle(from);
      const QPointF start(pixel(x.toPixel(from.end)), middle(from));
      const QPointF end(pixel(x.toPixel(to.start)), pixel(y.toPixel(isBelow == m_view.axes().yDown ? to.low : to.high)));
      const double head = isBelow ? -4 : 4;
      painter.setPen(QPen(accent, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawPolyline(QPolygonF{start, QPointF(end.x(), start.y()), end});
      painter.setPen(Qt::NoPen);
      painter.setBrush(accent);
      painter.drawPolygon(QPolygonF{end, end + QPointF(-3, head), end + QPointF(3, head)});
    }
  }

  void drawLabels(QCPPainter& painter) {
    if (!label) return;
    QFont font = mParentPlot->font();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    for (const DrawnSpan& drawn : m_layout.drawn) {
      if (drawn.rect.width() < labelWidthFrom || drawn.rect.height() < labelHeightFrom) continue;
      const QString& text = elided(metrics, drawn.index, drawn.rect.width() - 2 * labelPadding);
      if (text.isEmpty()) continue;
      painter.setPen(QColor::fromRgb(styles[drawn.style].label));
      painter.drawText(drawn.rect, Qt::AlignCenter, text);
    }
    painter.setPen(Qt::NoPen);
  }

  const QString& elided(const QFontMetrics& metrics, std::int64_t index, int width) {
    if (m_labels.size() > cachedLabels) m_labels.clear();
    const std::uint64_t key = (static_cast<std::uint64_t>(index) << 13) | static_cast<std::uint64_t>(std::min(width, 8191));
    const auto found = m_labels.find(key);
    if (found != m_labels.end()) return found->second;
    QString text = metrics.elidedText(label(index), Qt::ElideRight, width);
    if (text == QStringLiteral("…")) text.clear();
    return m_labels.emplace(key, std::move(text)).first->second;
  }

  ChartView& m_view;
  LayoutKey m_laidOut;
  std::vector<Batch> m_batches;
  SpanLayout m_layout;
  std::unordered_map<std::uint64_t, QString> m_labels;
};

RectSpans::RectSpans(ChartView& view) : m_plottable(new Plottable(view)), m_view(&view) {}
RectSpans::~RectSpans() = default;
RectSpans::RectSpans(RectSpans&&) noexcept = default;
RectSpans& RectSpans::operator=(RectSpans&&) noexcept = default;

void RectSpans::setStyles(std::vector<SpanStyle> styles) {
  m_plottable->styles = std::move(styles);
  m_view->redraw();
}
void RectSpans::setSpans(std::shared_ptr<const SpanStore> spans) {
  m_plottable->spans = std::move(spans);
  m_plottable->forget();
  m_view->redraw();
}
void RectSpans::setLabels(std::function<QString(std::int64_t index)> label) {
  m_plottable->label = std::move(label);
  m_plottable->forget();
  m_view->redraw();
}
void RectSpans::setHighlighted(std::vector<std::int32_t> ids) {
  m_plottable->highlighted = {ids.begin(), ids.end()};
  m_view->redraw();
}

void RectSpans::setArrows(std::vector<SpanArrow> arrows) {
  m_plottable->arrows = std::move(arrows);
  m_view->redraw();
}

std::optional<SpanHit> RectSpans::at(QPoint position) const {
  const DrawnSpan* hit = m_plottable->hit(position);
  if (hit == nullptr) return {};
  return SpanHit{hit->index, hit->merged, hit->rect.translated(m_view->plotRect().topLeft())};
}
std::int64_t RectSpans::drawnCount() const { return static_cast<std::int64_t>(m_plottable->layout().drawn.size()); }
std::int64_t RectSpans::shownCount() const { return m_plottable->layout().shown; }

}  // namespace peakscope::ui
