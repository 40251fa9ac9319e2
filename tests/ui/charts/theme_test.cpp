// SPDX-License-Identifier: GPL-3.0-or-later
//
// Both themes: palette colours, blends, pattern pixels, and that nothing in a plot stays white in the dark.
#include "ui/charts/chart_theme.h"

#include <set>

#include "tests/support/test_main.h"
#include "ui/charts/chart_view.h"

namespace peakscope::ui {

using report::Colour;
using report::Theme;

class ThemeTest : public QObject {
  Q_OBJECT
 private slots:
  void bandsHaveTheColoursOfTheirKinds() {
    QCOMPARE(ChartTheme(Theme::Light).bandFill(Band::Activation).base, 0xFF0B5FB0U);
    QCOMPARE(ChartTheme(Theme::Dark).bandFill(Band::Activation).base, 0xFF2A80DAU);
    QCOMPARE(ChartTheme(Theme::Light).bandFill(Band::Recomputed).ink, 0xFF0B4F88U);
    QCOMPARE(ChartTheme(Theme::Light).bandFill(Band::CopyingOut).pattern, Pattern::StripesOut);
  }

  void theFloorRecedes() {
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
      const ChartTheme colours(theme);
      QVERIFY(colours.bandFill(Band::Weights).base != colours.bandColour(Band::Weights));
    }
    QCOMPARE(blend(0xFF000000U, 0xFFFFFFFFU, 0.5), 0xFF808080U);
  }

  void patternsRepeatInTheSceneAndSlantBothWays() {
    const ChartTheme theme(Theme::Light);
    const Fill out = theme.fill(Colour::Activations, Pattern::StripesOut);
    const Fill in = theme.fill(Colour::Activations, Pattern::StripesIn);
    for (int x = -20; x < 20; ++x) {
      for (int y = -20; y < 20; ++y) {
        QCOMPARE(pixelOf(out, x, y), pixelOf(out, x + 1, y - 1));
        QCOMPARE(pixelOf(in, x, y), pixelOf(in, x + 1, y + 1));
        QCOMPARE(pixelOf(out, x, y), pixelOf(out, x + 12, y + 12));
      }
    }
    std::set<QRgb> dots;
    for (int x = 0; x < 4; ++x)
      for (int y = 0; y < 4; ++y) dots.insert(pixelOf(theme.bandFill(Band::Recomputed), x, y));
    QVERIFY(dots.contains(theme.rgb(Colour::Recomputed)) && dots.contains(theme.rgb(Colour::Dots)));
  }

  void aPlotHasNothingWhiteInTheDark() {
    ChartView view;
    view.resize(400, 200);
    view.setTheme(ChartTheme(Theme::Dark));
    view.setLimits({0, stepPosition(10)});
    view.showAll();
    view.setValueRange({0, 1000 << 20});
    view.setPinned(stepPosition(5), QStringLiteral("peak"));
    view.show();
    const QImage image = view.image().convertToFormat(QImage::Format_RGB32);
    QCOMPARE(image.pixel(view.plotRect().center() + QPoint(30, 3)), view.theme().rgb(Colour::Panel));
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) QVERIFY(qGray(image.pixel(x, y)) < 250);
  }

  void theApplicationsPaletteFollows() {
    QCOMPARE(widgetPalette(ChartTheme(Theme::Dark)).color(QPalette::Window), QColor(0x14, 0x17, 0x1B));
    QCOMPARE(widgetPalette(ChartTheme(Theme::Light)).color(QPalette::Base), QColor(Qt::white));
  }
};
PEAKSCOPE_TEST(ThemeTest)

}  // namespace peakscope::ui

#include "theme_test.moc"
