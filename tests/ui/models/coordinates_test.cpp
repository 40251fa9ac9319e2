// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coordinates at one nanosecond a pixel and t = 1.7e18, at the ends of int64, in degenerate ranges; ticks.
#include "ui/models/coordinates.h"

#include <cmath>
#include <limits>

#include "tests/support/test_main.h"

namespace peakscope::ui {
namespace {

constexpr std::int64_t t0 = 1'700'000'000'000'000'000;
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> labels(const TickRequest& request) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks(request)) result.push_back(tick.label);
  return result;
}

}  // namespace

class CoordinatesTest : public QObject {
  Q_OBJECT
 private slots:
  void oneNanosecondIsOnePixelFarFromZero() {
    const AxisMap map{t0, t0 + 800, 88, 888};
    for (int ns = 0; ns <= 800; ++ns) {
      QCOMPARE(map.toPixel(t0 + ns), 88.0 + ns);
      QCOMPARE(map.toValue(88.0 + ns), t0 + ns);
      QCOMPARE(map.toValue(88.5 + ns), t0 + ns);
    }
  }

  void anUpwardAxisIsReadBack() {
    const AxisMap map{-1000, 3000, 400, 0};
    QCOMPARE(map.toPixel(0), 300.0);
    QCOMPARE(map.toValue(300), 0);
    QCOMPARE(map.toValue(0), 3000);
  }

  void degenerateRangesAreFinite() {
    for (const AxisMap& map : {AxisMap{5, 5, 0, 100}, AxisMap{5, 4, 0, 100}, AxisMap{0, 10, 7, 7}, AxisMap{lowest, highest, 0, 1},
                               AxisMap{highest, highest, 0, 800}}) {
      for (const std::int64_t value : {lowest, std::int64_t{0}, std::int64_t{5}, highest}) QVERIFY(std::isfinite(map.toPixel(value)));
      QVERIFY(std::isfinite(map.unitsPerPixel()) && map.unitsPerPixel() > 0);
      for (const double pixel : {-1e300, -1.0, 0.0, 50.0, 1e300, std::nan("")}) (void)map.toValue(pixel);
    }
    QCOMPARE((AxisMap{lowest, highest, 0, 1}.toValue(1)), highest);
  }

  void columnsCoverTheViewWithoutGaps() {
    const ColumnGrid grid(t0 + 13, t0 + 13 + 12'345, 811);
    QVERIFY(grid.begin(0) <= t0 + 13);
    for (int column = 0; column < 811; ++column) QCOMPARE(grid.end(column), grid.begin(column + 1));
    QVERIFY(grid.end(811) >= t0 + 13 + 12'345);
  }

  void theValueUnderThePointerStaysThere() {
    const ViewRange before{t0, t0 + 1'000'000};
    const ViewRange after = zoomed(before, t0 + 250'000, 0.5);
    QCOMPARE(after.last - after.first, 500'000);
    QCOMPARE(after.first, t0 + 125'000);
    QCOMPARE(zoomed({0, 100}, 50, 1e-9).span(), 16.0);
    QVERIFY(std::isfinite(zoomed({lowest, highest}, 0, 1e30).span()));
    QCOMPARE(zoomed(before, t0, std::nan("")), before);
  }

  void panningKeepsTheWidthExactly() {
    QCOMPARE(panned({t0, t0 + 7}, -1000), (ViewRange{t0 - 1000, t0 - 993}));
    QCOMPARE(panned({highest - 10, highest - 3}, 100), (ViewRange{highest - 7, highest}));
    QCOMPARE(clamped({-5, 5}, {0, 100}), (ViewRange{0, 10}));
    QCOMPARE(clamped({95, 105}, {0, 100}), (ViewRange{90, 100}));
    QCOMPARE(clamped({-500, 500}, {0, 100}), (ViewRange{0, 100}));
    QCOMPARE(clamped({3, 3}, {5, 5}), (ViewRange{5, 6}));
  }

  void megabytesHaveRoundTicks() {
    constexpr std::int64_t mib = 1 << 20;
    QCOMPARE(labels({.unit = AxisUnit::MiB, .first = 0, .last = 2200 * mib, .wanted = 5}),
             (std::vector<std::string>{"0", "500", "1,000", "1,500", "2,000"}));
    const auto below = ticks({.unit = AxisUnit::MiB, .first = -832 * mib, .last = 0, .wanted = 3});
    QCOMPARE(below.front().label, std::string("\u2212500"));
    QCOMPARE(below.front().value, -500 * mib);
  }

  void timeIsInTheUnitThatFitsAndKeepsItsLastDigit() {
    const TickRequest wide{.unit = AxisUnit::Nanoseconds, .first = t0, .last = t0 + 53'400'000, .origin = t0, .wanted = 6};
    QCOMPARE(tickUnit(wide), std::string("ms"));
    QCOMPARE(labels(wide), (std::vector<std::string>{"0", "10", "20", "30", "40", "50"}));
    const TickRequest narrow{.unit = AxisUnit::Nanoseconds, .first = t0, .last = t0 + 8, .origin = t0 - 1'000, .wanted = 10};
    QCOMPARE(tickUnit(narrow), std::string("ns"));
    QCOMPARE(ticks(narrow).size(), std::size_t{9});
    QCOMPARE(ticks(narrow)[3].value, t0 + 3);
    QCOMPARE(ticks(narrow)[3].label, std::string("1,003"));
  }

  void stepsAreWholeAndInTheMiddleOfTheirSlot() {
    const auto few = ticks({.unit = AxisUnit::Steps, .first = 0, .last = stepPosition(3), .wanted = 50});
    QCOMPARE(few.size(), std::size_t{3});
    QCOMPARE(few[1].label, std::string("1"));
    QCOMPARE(few[1].value, stepPosition(1) + unitsPerStep / 2);
    QCOMPARE(labels({.unit = AxisUnit::Steps, .first = stepPosition(1), .last = stepPosition(48), .wanted = 10}),
             (std::vector<std::string>{"5", "10", "15", "20", "25", "30", "35", "40", "45"}));
    QCOMPARE(stepAt(stepPosition(7) + 5), 7);
    QCOMPARE(stepAt(-1), -1);
  }

  void ticksOfDegenerateRangesAreFew() {
    for (const AxisUnit unit : {AxisUnit::MiB, AxisUnit::Nanoseconds, AxisUnit::Steps, AxisUnit::Plain})
      for (const auto& [first, last] : std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {5, 4}, {lowest, highest}, {t0, t0}})
        QVERIFY(ticks({.unit = unit, .first = first, .last = last}).size() < 30);
  }

  void numbersHaveCommasAndARealMinus() {
    QCOMPARE(formatNumber(1489.355, 3), std::string("1,489.355"));
    QCOMPARE(formatNumber(-1234567, 0), std::string("\u22121,234,567"));
    QCOMPARE(formatNumber(-0.0001, 2), std::string("0.00"));
    QCOMPARE(formatNumber(std::nan(""), 2), std::string("–"));
  }
};
PEAKSCOPE_TEST(CoordinatesTest)

}  // namespace peakscope::ui

#include "coordinates_test.moc"
