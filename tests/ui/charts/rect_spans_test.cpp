// SPDX-License-Identifier: GPL-3.0-or-later
//
// Spans as pixels: culling, merging with counts, instants, patterns, outlines, hits.
#include "ui/charts/rect_spans.h"

#include <random>

#include "tests/support/test_main.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/span_layout.h"

namespace peakscope::ui {
namespace {

using report::Colour;

constexpr std::int64_t t0 = 1'700'000'000'000'000'000;

/// 400 x 100 pixels, one unit a pixel, row 0 on top.
struct Chart {
  ChartView view;
  RectSpans rects{view};
  std::shared_ptr<SpanStore> spans = std::make_shared<SpanStore>();

  Chart() {
    view.resize(400, 100);
    view.setMargins({0, 0, 0, 0});
    view.setAxes({.showX = false, .showY = false, .showGrid = false, .yDown = true});
    view.setLimits({t0, t0 + 400});
    view.showAll();
    view.setValueRange({0, 100});
    view.show();
    const ChartTheme& theme = view.theme();
    rects.setStyles({{.fill = theme.fill(Colour::ComputeStrong)},
                     {.fill = theme.fill(Colour::Activations, Pattern::StripesOut)},
                     {.fill = theme.fill(Colour::Activations, Pattern::Outline)},
                     {.fill = theme.fill(Colour::Segment), .outline = theme.rgb(Colour::Budget)}});
    rects.setSpans(spans);
  }
  void add(std::int64_t start, std::int64_t end, std::int64_t low, std::int64_t high, std::uint16_t style = 0) {
    spans->add({t0 + start, t0 + end, low, high, static_cast<std::int32_t>(spans->count()), style});
    spans->sort();
  }
  QImage image() { return view.image().convertToFormat(QImage::Format_RGB32); }
  QRgb colour(Colour role) const { return view.theme().rgb(role); }
};

}  // namespace

class RectSpansTest : public QObject {
  Q_OBJECT
 private slots:
  void aSpanCoversItsPixels() {
    Chart chart;
    chart.add(100, 150, 20, 34);
    const QImage image = chart.image();
    for (int x = 90; x < 160; ++x)
      QCOMPARE(image.pixel(x, 27), chart.colour(x >= 100 && x < 150 ? Colour::ComputeStrong : Colour::Panel));
    QCOMPARE(image.pixel(120, 19), chart.colour(Colour::Panel));
    QCOMPARE(image.pixel(120, 20), chart.colour(Colour::ComputeStrong));
    QCOMPARE(image.pixel(120, 34), chart.colour(Colour::Panel));
  }

  void patternsShowWhereThereIsRoom() {
    Chart chart;
    chart.add(100, 150, 20, 34, 1);
    chart.add(200, 204, 20, 34, 1);
    const QImage image = chart.image();
    const QRgb ink = chart.view.theme().fill(Colour::Activations, Pattern::StripesOut).ink;
    int wide = 0;
    int thin = 0;
    for (int x = 0; x < 400; ++x) (x < 180 ? wide : thin) += image.pixel(x, 27) == ink ? 1 : 0;
    QVERIFY(wide > 10 && wide < 25);
    QCOMPARE(thin, 0);
  }

  void outlinesAreHollowAndFramesAreFilled() {
    Chart chart;
    chart.add(100, 150, 20, 34, 2);
    chart.add(200, 250, 20, 34, 3);
    const QImage image = chart.image();
    QCOMPARE(image.pixel(100, 27), chart.colour(Colour::Activations));
    QCOMPARE(image.pixel(125, 27), chart.colour(Colour::Panel));
    QCOMPARE(image.pixel(249, 27), chart.colour(Colour::Budget));
    QCOMPARE(image.pixel(225, 27), chart.colour(Colour::Segment));
  }

  void anInstantIsThreePixelsWideAndCanBeHit() {
    Chart chart;
    chart.add(100, 100, 20, 34);
    chart.add(0, 0, 40, 54);        // on the edge
    chart.add(400, 400, 40, 54);
    const QImage image = chart.image();
    for (int x = 97; x < 104; ++x)
      QCOMPARE(image.pixel(x, 27), chart.colour(x >= 99 && x < 102 ? Colour::ComputeStrong : Colour::Panel));
    QCOMPARE(chart.rects.at({101, 27})->index, 1);
    QVERIFY(chart.rects.at({0, 45}) && chart.rects.at({399, 45}));
  }

  void spansUnderAPixelAreMergedAndCounted() {
    SpanStore spans;
    for (int i = 0; i < 40'000; ++i) spans.add({i, i + 1, 0, 14, i, 0});
    const SpanLayout layout = layoutSpans(spans, {0, 40'000, 0, 400}, {0, 20, 0, 20}, 1);
    QCOMPARE(layout.shown, 40'000);
    QVERIFY(layout.drawn.size() <= 401);
    std::int64_t merged = 0;
    for (const DrawnSpan& drawn : layout.drawn) merged += drawn.merged;
    QCOMPARE(merged, 40'000);
    QVERIFY(hitSpan(layout, {200, 7})->merged >= 99);
  }

  void aSharedPixelShowsTheMostImportantStyle() {
    SpanStore spans;
    for (int i = 0; i < 1000; ++i) spans.add({i, i + 1, 0, 14, i, static_cast<std::uint16_t>(i == 777 ? 1 : 0)});
    const SpanLayout layout = layoutSpans(spans, {0, 1000, 0, 10}, {0, 20, 0, 20}, 2);
    std::int64_t merged = 0;
    for (const DrawnSpan& drawn : layout.drawn) {
      merged += drawn.merged;
      QCOMPARE(drawn.style == 1, drawn.index == 777);
    }
    QCOMPARE(merged, 1000);
    QCOMPARE(hitSpan(layout, {8, 5})->index, 777);
  }

  void cullingFindsWhatAScanFinds() {
    std::mt19937 random(1);
    SpanStore spans;
    for (int i = 0; i < 3000; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 10'000);
      const auto length = static_cast<std::int64_t>(random() % (i % 50 == 0 ? 9000 : 20));
      spans.add({start, start + length, 0, 1, i, 0});
    }
    spans.sort();
    for (int round = 0; round < 200; ++round) {
      const auto first = static_cast<std::int64_t>(random() % 10'000);
      const std::int64_t last = first + 1 + static_cast<std::int64_t>(random() % 500);
      std::int64_t touching = 0;
      for (const Span& span : spans.all()) touching += span.start <= last && span.end >= first ? 1 : 0;
      QCOMPARE(layoutSpans(spans, {first, last, 0, 100}, {0, 1, 0, 10}, 1).shown, touching);
    }
  }

  void theTopmostSpanIsHitAndThinOnesHaveSlack() {
    Chart chart;
    chart.add(100, 200, 20, 34);
    chart.add(150, 160, 20, 34, 3);
    chart.add(300, 301, 20, 34);
    QCOMPARE(chart.rects.at({155, 27})->index, 1);
    QCOMPARE(chart.rects.at({120, 27})->index, 0);
    QCOMPARE(chart.rects.at({302, 27})->index, 2);
    QVERIFY(!chart.rects.at({320, 27}));
    QVERIFY(!chart.rects.at({120, 60}));
  }

  void labelsAreAskedForOnceAndOnlyWithRoom() {
    Chart chart;
    chart.add(0, 100, 20, 34);
    chart.add(200, 210, 20, 34);
    int asked = 0;
    chart.rects.setLabels([&](std::int64_t) { ++asked; return QStringLiteral("conv1"); });
    (void)chart.image();
    (void)chart.image();
    QCOMPARE(asked, 1);
  }

  void highlightedSpansAreFramedInAccent() {
    Chart chart;
    chart.add(100, 150, 20, 34);
    chart.rects.setHighlighted({0});
    QCOMPARE(chart.image().pixel(125, 19), chart.colour(Colour::Accent));
  }

  void anArrowGoesFromTheEndOfOneToTheStartOfTheOther() {
    Chart chart;
    chart.add(100, 150, 20, 34);
    chart.add(200, 250, 60, 74);
    chart.rects.setArrows({{0, 1}, {0, 99}});
    const QImage image = chart.image();
    QCOMPARE(image.pixel(175, 27), chart.colour(Colour::Accent));
    QCOMPARE(image.pixel(200, 45), chart.colour(Colour::Accent));
    QCOMPARE(image.pixel(175, 45), chart.colour(Colour::Panel));
  }

  void nothingAndDegenerateViewsAreHarmless() {
    SpanStore spans;
    QVERIFY(layoutSpans(spans, {0, 1, 0, 100}, {0, 1, 0, 10}, 1).drawn.empty());
    spans.add({INT64_MIN, INT64_MAX, 0, 0, 0, 9});
    for (const AxisMap& x : {AxisMap{0, 0, 0, 100}, AxisMap{t0, t0 + 1, 0, 100}, AxisMap{INT64_MAX - 1, INT64_MAX, 0, 3}}) {
      const SpanLayout layout = layoutSpans(spans, x, {-1, 1, 10, 0}, 1);
      QCOMPARE(layout.drawn.size(), std::size_t{1});
      QVERIFY(layout.drawn[0].rect.height() >= 1);
    }
    QVERIFY(layoutSpans(spans, {0, 1, 0, 0}, {0, 1, 0, 10}, 1).drawn.empty());
  }
};
PEAKSCOPE_TEST(RectSpansTest)

}  // namespace peakscope::ui

#include "rect_spans_test.moc"
