// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chart with mouse and wheel, its overlay, curves, and figures on disk.
#include "ui/charts/chart_view.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QApplication>

#include "tests/support/test_main.h"
#include "ui/charts/curve_plot.h"

namespace peakscope::ui {
namespace {

using report::Colour;

struct Chart {
  ChartView view;
  Chart() {
    view.resize(500, 200);
    view.setMargins({.left = 80, .top = 10, .right = 20, .bottom = 30});
    view.setLimits({1000, 5000});
    view.showAll();
    view.setValueRange({0, 100 << 20});
    view.show();
  }
  QWidget* plot() const { return view.findChild<QWidget*>(); }
  void wheel(int x, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(QPointF(x, 80), view.mapToGlobal(QPointF(x, 80)), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot(), &event);
  }
  void move(int x, Qt::MouseButtons buttons) {
    QMouseEvent event(QEvent::MouseMove, QPointF(x, 80), plot()->mapToGlobal(QPointF(x, 80)), Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(plot(), &event);
  }
};

}  // namespace

class ChartViewTest : public QObject {
  Q_OBJECT
 private slots:
  void theMarginsAreExact() {
    const Chart chart;
    QCOMPARE(chart.view.plotRect(), QRect(80, 10, 400, 160));
    QCOMPARE(chart.view.xMap().toValue(80), 1000);
    QCOMPARE(chart.view.xMap().toValue(280), 3000);
  }

  void theWheelZoomsAtThePointer() {
    Chart chart;
    QSignalSpy changed(&chart.view, &ChartView::viewChanged);
    const std::int64_t under = chart.view.xMap().toValue(180);
    chart.wheel(180, 120);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(chart.view.view().span(), 3200.0);
    QVERIFY(std::abs(chart.view.xMap().toPixel(under) - 180) < 1);
    for (int i = 0; i < 100; ++i) chart.wheel(180, -120);
    QCOMPARE(chart.view.view(), chart.view.limits());
    for (int i = 0; i < 200; ++i) chart.wheel(180, 120);
    QVERIFY(chart.view.view().span() >= 1);
  }

  void shiftAndWheelPans() {
    Chart chart;
    chart.view.setView({2000, 3000});
    chart.wheel(180, -120, Qt::ShiftModifier);
    QCOMPARE(chart.view.view(), (ViewRange{2100, 3100}));
  }

  void aClickPinsAndADragSelects() {
    Chart chart;
    QSignalSpy clicked(&chart.view, &ChartView::clicked);
    QSignalSpy selected(&chart.view, &ChartView::rangeSelected);
    QTest::mouseClick(chart.plot(), Qt::LeftButton, {}, {180, 80});
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(clicked[0][0].toLongLong(), 2000);
    QTest::mousePress(chart.plot(), Qt::LeftButton, {}, {280, 80});
    chart.move(180, Qt::LeftButton);
    QTest::mouseRelease(chart.plot(), Qt::LeftButton, {}, {180, 80});
    QCOMPARE(selected.count(), 1);
    QCOMPARE(selected[0][0].toLongLong(), 2000);
    QCOMPARE(selected[0][1].toLongLong(), 3000);
    QTest::mouseDClick(chart.plot(), Qt::LeftButton, {}, {200, 80});
    QCOMPARE(chart.view.view(), (ViewRange{2000, 3000}));
  }

  void theMiddleButtonPansWithTheSameWidth() {
    Chart chart;
    chart.view.setView({2000, 3000});
    QTest::mousePress(chart.plot(), Qt::MiddleButton, {}, {280, 80});
    chart.move(240, Qt::MiddleButton);
    QCOMPARE(chart.view.view(), (ViewRange{2100, 3100}));
  }

  void hoveringReportsTheValueUnderThePointer() {
    Chart chart;
    QSignalSpy hovered(&chart.view, &ChartView::hovered);
    QSignalSpy left(&chart.view, &ChartView::left);
    chart.move(180, Qt::NoButton);
    QCOMPARE(hovered[0][0].toLongLong(), 2000);
    chart.move(20, Qt::NoButton);
    QCOMPARE(left.count(), 1);
  }

  void thePinnedMomentIsAnAccentLine() {
    Chart chart;
    chart.view.setPinned(2000);
    chart.view.setCrosshair(3000, 50 << 20);
    const QImage image = chart.view.image().convertToFormat(QImage::Format_RGB32);
    QCOMPARE(image.pixel(180, 100), chart.view.theme().rgb(Colour::Accent));
    int dashes = 0;
    for (int y = 10; y < 170; ++y) dashes += image.pixel(280, y) == chart.view.theme().rgb(Colour::Text) ? 1 : 0;
    QVERIFY(dashes > 40 && dashes < 130);
  }

  void farFromZeroOneNanosecondIsStillAPixel() {
    constexpr std::int64_t t0 = 1'700'000'000'000'000'000;
    Chart chart;
    chart.view.setAxes({.x = AxisUnit::Nanoseconds, .origin = t0});
    chart.view.setLimits({t0, t0 + 1'000'000'000});
    chart.view.setView({t0 + 777, t0 + 777 + 400});
    chart.view.setPinned(t0 + 777 + 100);
    QCOMPARE(chart.view.image().convertToFormat(QImage::Format_RGB32).pixel(180, 100), chart.view.theme().rgb(Colour::Accent));
  }

  void emptyLimitsAndKeysAreHarmless() {
    Chart chart;
    chart.view.setLimits({5, 5});
    chart.view.showAll();
    chart.view.zoomBy(0.5, 5);
    chart.view.zoomBy(2, 5);
    chart.view.panBy(-1000);
    chart.view.setValueRange({7, 7});
    QVERIFY(!chart.view.image().isNull());
    QVERIFY(chart.view.view().span() >= 1);
  }

  void curvesKeepTheirPlaceWhenTheOriginMoves() {
    Chart chart;
    chart.view.setAxes({.x = AxisUnit::Plain, .y = AxisUnit::Plain, .showGrid = false});
    CurvePlot loss(chart.view);
    QCOMPARE(loss.extent(), (std::pair<std::int64_t, std::int64_t>{0, 1}));
    loss.fitValues();
    const int curve = loss.addCurve({.colour = chart.view.theme().rgb(Colour::Accent)});
    const std::vector<CurveSample> flat{{0, 2.0}, {4000, 2.0}, {4100, std::nan("")}};
    loss.setPoints(curve, flat);
    QCOMPARE(loss.extent().second, 4100);
    chart.view.setLimits({2000, 6000});
    chart.view.showAll();
    loss.fitValues();
    const QImage image = chart.view.image().convertToFormat(QImage::Format_RGB32);
    const auto isDrawnAt = [&](int x) {
      for (int y = 10; y < 170; ++y)
        if (image.pixel(x, y) == chart.view.theme().rgb(Colour::Accent)) return true;
      return false;
    };
    QVERIFY(isDrawnAt(200));     // x = 3200
    QVERIFY(!isDrawnAt(400));    // x = 5200: after the last point
  }

  void figuresAreWrittenInTheLightTheme() {
    Chart chart;
    chart.view.setTheme(ChartTheme(report::Theme::Dark));
    const QTemporaryDir folder;
    QString reason;
    QVERIFY(chart.view.saveFigure(folder.filePath("a.png"), {400, 200}, &reason));
    QVERIFY(chart.view.saveFigure(folder.filePath("a.pdf"), {400, 200}, &reason));
    const QImage figure(folder.filePath("a.png"));
    QCOMPARE(figure.size(), QSize(800, 400));
    QCOMPARE(figure.pixel(2, 2) | 0xFF000000U, 0xFFFFFFFFU);
    QVERIFY(chart.view.theme().isDark());
    QVERIFY(!chart.view.saveFigure(folder.filePath("a.svg"), {400, 200}, &reason));
    QVERIFY(reason.contains(QStringLiteral("report")));
    QVERIFY(!chart.view.saveFigure(folder.filePath("no/such/a.png"), {400, 200}, &reason));
  }
};
PEAKSCOPE_TEST(ChartViewTest)

}  // namespace peakscope::ui

#include "chart_view_test.moc"
