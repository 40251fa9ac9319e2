// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory curve as pixels: bands up and down from zero, patterns, lines, hits, odd inputs, both themes.
#include "ui/charts/envelope_step.h"

#include "tests/support/test_main.h"
#include "ui/charts/chart_view.h"

namespace peakscope::ui {
namespace {

using report::Colour;
using report::Theme;

/// A plot of 400 x 200 pixels, y from -50 to 150: one pixel is one byte, row of value v is 150 - v.
struct Chart {
  ChartView view;
  EnvelopeStep memory{view};
  std::shared_ptr<EnvelopeSamples> samples = std::make_shared<EnvelopeSamples>();

  explicit Chart(Theme theme = Theme::Light) {
    view.resize(400, 200);
    view.setMargins({0, 0, 0, 0});
    view.setAxes({.showX = false, .showY = false, .showGrid = false});
    view.setTheme(ChartTheme(theme));
    view.setLimits({0, 400});
    view.showAll();
    view.setValueRange({-50, 150});
    view.show();
    memory.setSource(samples);
  }
  QRgb pixel(int x, int value) { return image().pixel(x, 149 - value); }
  QImage image() { return view.image().convertToFormat(QImage::Format_RGB32); }
  QRgb colour(Colour role) const { return view.theme().rgb(role); }
};

BandBytes bytes(std::initializer_list<std::pair<Band, std::int64_t>> entries) {
  BandBytes made;
  for (const auto& [band, count] : entries) made[band] = count;
  return made;
}

}  // namespace

class EnvelopeStepTest : public QObject {
  Q_OBJECT
 private slots:
  void kindsAreStackedUpFromZeroAndTheFloorDown_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void kindsAreStackedUpFromZeroAndTheFloorDown() {
    QFETCH(bool, dark);
    Chart chart(dark ? Theme::Dark : Theme::Light);
    chart.samples->append(100, bytes({{Band::Activation, 60}, {Band::ActivationGrad, 30}, {Band::Weights, 40}}));
    chart.samples->append(200, bytes({{Band::Activation, 20}, {Band::Weights, 40}}));
    chart.samples->setEnd(300);
    QCOMPARE(chart.pixel(150, 10), chart.colour(Colour::Activations));
    QCOMPARE(chart.pixel(150, 75), chart.colour(Colour::DataGradients));
    QCOMPARE(chart.pixel(150, 100), chart.colour(Colour::Panel));
    QCOMPARE(chart.pixel(150, -20), chart.view.theme().bandFill(Band::Weights).base);
    QCOMPARE(chart.pixel(150, -1), chart.colour(Colour::Weights));         // its edge
    QCOMPARE(chart.pixel(250, 30), chart.colour(Colour::Panel));
    QCOMPARE(chart.pixel(250, 10), chart.colour(Colour::Activations));
    QCOMPARE(chart.pixel(50, 10), chart.colour(Colour::Panel));            // before the first sample
    QCOMPARE(chart.pixel(350, 10), chart.colour(Colour::Panel));           // after the end
  }

  void aWideStepIsCrisp() {
    Chart chart;
    chart.samples->append(100, bytes({{Band::Activation, 60}}));
    chart.samples->setEnd(300);
    const QImage image = chart.image();
    for (int x = 0; x < 400; ++x)
      QCOMPARE(image.pixel(x, 149 - 30), chart.colour(x >= 100 && x < 300 ? Colour::Activations : Colour::Panel));
    QCOMPARE(chart.pixel(200, 59), chart.colour(Colour::Activations));
    QCOMPARE(chart.pixel(200, 60), chart.colour(Colour::Panel));
  }

  void aColumnShowsTheMomentOfTheGreatestTotal() {
    // Each moment has one kind: maxima per kind would stack to 140.
    Chart chart;
    for (int i = 0; i < 40000; ++i)
      chart.samples->append(i / 100, i % 2 == 0 ? bytes({{Band::Activation, 80}}) : bytes({{Band::ActivationGrad, 60}}));
    chart.samples->setEnd(400);
    QCOMPARE(chart.pixel(200, 79), chart.colour(Colour::Activations));
    QCOMPARE(chart.pixel(200, 81), chart.colour(Colour::Panel));
    QCOMPARE(chart.memory.at({200, 100})->total, 80);
  }

  void recomputedBytesAreDottedAndBytesOnTheirWayStriped() {
    Chart chart;
    chart.samples->append(0, bytes({{Band::CopyingOut, 40}, {Band::Recomputed, 40}}));
    chart.samples->setEnd(400);
    const QImage image = chart.image();
    const auto has = [&](QRgb colour, int low, int high) {
      for (int value = low; value < high; ++value)
        for (int x = 100; x < 112; ++x)
          if (image.pixel(x, 149 - value) == colour) return true;
      return false;
    };
    QVERIFY(has(chart.view.theme().bandFill(Band::CopyingOut).ink, 10, 22));
    QVERIFY(has(chart.colour(Colour::Activations), 10, 22));
    QVERIFY(has(chart.colour(Colour::Dots), 50, 62));
    QVERIFY(has(chart.colour(Colour::Recomputed), 50, 62));
  }

  void patternsMoveWithTheData() {
    Chart chart;
    chart.samples->append(0, bytes({{Band::CopyingOut, 100}}));
    chart.samples->setEnd(1000);
    chart.view.setLimits({0, 1000});
    chart.view.setView({0, 400});
    const QImage before = chart.image();
    chart.view.panBy(5);
    const QImage after = chart.image();
    for (int x = 0; x < 300; ++x) QCOMPARE(after.pixel(x, 149 - 50), before.pixel(x + 5, 149 - 50));
  }

  void aHiddenKindTakesNoRoom() {
    Chart chart;
    chart.samples->append(0, bytes({{Band::Activation, 40}, {Band::ActivationGrad, 40}}));
    chart.samples->setEnd(400);
    chart.memory.setVisible(Band::Activation, false);
    QCOMPARE(chart.pixel(200, 10), chart.colour(Colour::DataGradients));
    QCOMPARE(chart.pixel(200, 45), chart.colour(Colour::Panel));
  }

  void linesAreDrawnOverTheBands() {
    Chart chart;
    const auto line = [](std::int64_t total) {
      auto curve = std::make_shared<MaxPyramid>();
      curve->append(0, total);
      return StepLine{curve, 400};
    };
    chart.memory.setGhosts({line(120)});
    chart.memory.setPredicted(line(60));
    chart.memory.setReserve(line(90));
    chart.memory.setBudget(100);
    const QImage image = chart.image();
    const auto count = [&](QRgb colour, int value) {
      int found = 0;
      for (int row = 149 - value - 2; row <= 149 - value + 2; ++row)
        for (int x = 0; x < 400; ++x) found += image.pixel(x, row) == colour ? 1 : 0;
      return found;
    };
    QCOMPARE(count(chart.colour(Colour::Axis), 120), 400);
    QCOMPARE(image.pixel(200, 149 - 110), chart.view.theme().ghostFill());
    QCOMPARE(count(chart.colour(Colour::MutedText), 90), 400);
    const int budget = count(chart.colour(Colour::Budget), 100);
    QVERIFY2(budget > 400 && budget < 800, qPrintable(QString::number(budget)));            // dashed, 2 px
    const int predicted = count(chart.colour(Colour::Text), 60);
    QVERIFY2(predicted > 300 && predicted < 500, qPrintable(QString::number(predicted)));   // dotted, 2 px
    QVERIFY(count(chart.colour(Colour::Panel), 60) > 800);                                  // its halo
  }

  void theBandUnderThePointerIsFoundWithExactBytes() {
    Chart chart;
    chart.samples->append(0, bytes({{Band::Activation, 60}, {Band::Workspace, 30}, {Band::Input, 20}}));
    chart.samples->append(200, bytes({{Band::Activation, 61}}));
    chart.samples->setEnd(300);
    const auto at = [&](int x, int value) { return chart.memory.at({x, 149 - value}); };
    QCOMPARE(at(50, 10)->band, Band::Activation);
    QCOMPARE(at(50, 70)->band, Band::Workspace);
    QCOMPARE(at(50, -10)->band, Band::Input);
    QVERIFY(!at(50, 120)->band);
    QCOMPARE(at(50, 120)->index, 0);
    QCOMPARE(at(250, 10)->bands[Band::Activation], 61);
    QVERIFY(!at(350, 10));
    QVERIFY(!chart.memory.at({-5, 10}));
  }

  void oddInputsDrawWithoutHarm() {
    Chart chart;
    QCOMPARE(chart.pixel(200, 10), chart.colour(Colour::Panel));     // nothing
    chart.samples->append(200, bytes({{Band::Activation, 60}}));
    QCOMPARE(chart.pixel(200, 10), chart.colour(Colour::Activations));   // one sample of no duration keeps a pixel
    chart.samples->append(200, bytes({{Band::Activation, 80}}));
    QCOMPARE(chart.pixel(200, 70), chart.colour(Colour::Activations));
    chart.view.setLimits({200, 200});
    chart.view.showAll();
    QVERIFY(!chart.image().isNull());
    chart.memory.setSource(nullptr);
    QVERIFY(!chart.image().isNull());
    QVERIFY(!chart.memory.at({10, 10}));
  }

  void theExtentHoldsFloorLinesAndBudget() {
    Chart chart;
    chart.samples->append(0, bytes({{Band::Activation, 60}, {Band::Weights, 40}}));
    QCOMPARE(chart.memory.valueExtent().first, -40);
    QVERIFY(chart.memory.valueExtent().second >= 60);
    chart.memory.setBudget(1000);
    QVERIFY(chart.memory.valueExtent().second >= 1000);
  }
};
PEAKSCOPE_TEST(EnvelopeStepTest)

}  // namespace peakscope::ui

#include "envelope_step_test.moc"
