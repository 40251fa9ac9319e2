// SPDX-License-Identifier: Apache-2.0
#include <QLocale>
#include <clocale>
#include <cmath>

#include "memory/report/cairo_figure.h"
#include "memory/report/svg.h"
#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

DisplayList sample() {
  DisplayList figure;
  figure.width = 100;
  figure.height = 50;
  figure.title = "a <title> & \"more\"";
  figure.rect({0, 0, 100, 50}, Fill{Colour::Panel});
  figure.rect({10, 10, 20, 20}, Fill{Colour::Recomputed, Pattern::Dots, Cover::Full}, 2);
  figure.polygon({{40, 10}, {60, 10}, {60, 30}}, Fill{Colour::Activations, Pattern::StripesOut, Cover::Full});
  figure.clip({0, 0, 50, 50});
  figure.line({0, 40}, {100, 40}, Stroke{Colour::Budget, 1.5, {7, 4}});
  figure.endClip();
  figure.circle({80, 20}, 4, Fill{Colour::Panel}, Stroke{Colour::Accent, 2, {}});
  figure.frame({1, 1, 98, 48}, Stroke{Colour::Border, 1, {}});
  figure.text({5, 48}, "\xFFname<&>\x01", Font{});
  figure.hint({0, 0, 10, 10}, "hint");
  return figure;
}

}  // namespace

class FigureTest : public QObject {
  Q_OBJECT
 private slots:
  void svgEscapesEveryText() {
    const std::string svg = svgDocument(sample());
    QVERIFY(svg.find("\xEF\xBF\xBDname&lt;&amp;&gt;\xEF\xBF\xBD") != std::string::npos);
    QVERIFY(svg.find("aria-label=\"a &lt;title&gt; &amp; &quot;more&quot;\"") != std::string::npos);
  }
  void svgIsTheSameTwice() {
    QCOMPARE(svgDocument(sample()), svgDocument(sample()));
    QVERIFY(svgDocument(sample()) != svgDocument(sample(), {.theme = Theme::Dark}));
  }
  void svgDoesNotDependOnTheLocale() {
    const std::string before = svgDocument(sample());
    QLocale::setDefault(QLocale{QLocale::German});
    const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
    const std::string after = svgDocument(sample());
    std::setlocale(LC_ALL, "C");
    QLocale::setDefault(QLocale::c());
    QCOMPARE(after, before);
    if (set == nullptr) qInfo("no German locale on this machine: only Qt's default was changed");
  }
  void inlinePicturesFollowThePage() {
    const std::string svg = svgInline(sample(), "x");
    QVERIFY(svg.find('#') == svg.find("#x-"));   // no colour but by class, ids are prefixed
    QVERIFY(svgStyle().find("prefers-color-scheme:dark") != std::string::npos);
  }
  void coordinatesThatAreNotNumbersDoNotReachTheFile() {
    DisplayList figure = sample();
    figure.line({std::nan(""), 1}, {INFINITY, 2}, Stroke{});
    const std::string svg = svgDocument(figure);
    QVERIFY(svg.find("nan") == std::string::npos);
    QVERIFY(svg.find("inf") == std::string::npos);
  }
  void aPngIsAsLargeAsItsScaleSays() {
    const auto png = pngImage(sample(), {.scale = 2});
    QVERIFY(png.has_value());
    QVERIFY(png->starts_with("\x89PNG"));
    const auto number = [&](std::size_t at) {   // big endian, in the header chunk
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>((*png)[at + i]);
      return value;
    };
    QCOMPARE(number(16), 200u);
    QCOMPARE(number(20), 100u);
  }
  void aPdfCarriesTheDateOfTheRun() {
    const auto pdf = pdfDocument(sample(), {.title = "T", .createdUnixNs = 1'772'368'205'000'000'000});
    QVERIFY(pdf.has_value());
    QVERIFY(pdf->starts_with("%PDF-"));
    QVERIFY(pdf->find("20260301123005Z") != std::string::npos);
    QCOMPARE(*pdf, *pdfDocument(sample(), {.title = "T", .createdUnixNs = 1'772'368'205'000'000'000}));
  }
};
PEAKSCOPE_TEST(FigureTest)

}  // namespace peakscope::report

#include "figure_test.moc"
