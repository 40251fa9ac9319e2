// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pyramid: equal to a plain scan, no peak lost at any zoom, nothing flickers while panning.
#include "ui/models/max_pyramid.h"

#include <algorithm>
#include <random>

#include "tests/support/test_main.h"
#include "ui/charts/envelope_columns.h"

namespace peakscope::ui {
namespace {

/// Memory-like: ramps that fall, with noise; x advances unevenly and sometimes not at all.
MaxPyramid sawtooth(std::int64_t count, unsigned seed, std::int64_t start = 0) {
  std::mt19937 random(seed);
  MaxPyramid made;
  std::int64_t x = start;
  for (std::int64_t i = 0; i < count; ++i) {
    made.append(x, (i % 2000) * 500 + static_cast<std::int64_t>(random() % 20000));
    x += static_cast<std::int64_t>(random() % 30);
  }
  return made;
}

MaxPyramid::Node scan(const MaxPyramid& pyramid, std::int64_t first, std::int64_t last) {
  MaxPyramid::Node node;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t total = pyramid.total(i);
    if (node.indexOfMax < 0) node = {total, total, total, i};
    node.min = std::min(node.min, total);
    if (total > node.max) node.max = total, node.indexOfMax = i;
    node.last = total;
  }
  return node;
}

}  // namespace

class MaxPyramidTest : public QObject {
  Q_OBJECT
 private slots:
  void aRangeIsWhatAScanFinds() {
    const MaxPyramid pyramid = sawtooth(10000, 1);
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
      std::int64_t a = static_cast<std::int64_t>(random() % 10001);
      std::int64_t b = static_cast<std::int64_t>(random() % 10001);
      if (round % 3 == 0) b = std::min<std::int64_t>(a + static_cast<std::int64_t>(random() % 40), 10000);
      if (a > b) std::swap(a, b);
      QCOMPARE(pyramid.range(a, b), scan(pyramid, a, b));
    }
  }

  void ofEqualMaximaTheFirstCounts() {
    MaxPyramid pyramid;
    for (int i = 0; i < 5000; ++i) pyramid.append(i, 7);
    QCOMPARE(pyramid.range(3, 4990).indexOfMax, 3);
    QCOMPARE(pyramid.range(16, 4096).indexOfMax, 16);
  }

  void theSampleBeforeARangeIsStillInForce() {
    MaxPyramid pyramid;
    pyramid.append(0, 100);
    pyramid.append(10, 250);
    pyramid.append(20, 50);
    QCOMPARE(pyramid.samplesIn(5, 15), (SampleRange{0, 2}));
    QCOMPARE(pyramid.samplesIn(10, 20), (SampleRange{1, 2}));
    QCOMPARE(pyramid.samplesIn(25, 30), (SampleRange{2, 3}));
    QVERIFY(pyramid.samplesIn(-5, 0).isEmpty());
    QCOMPARE(pyramid.indexAt(-1), -1);
    QCOMPARE(pyramid.indexAt(19), 1);
  }

  void aClockThatWentBackDoesNotBreakTheSearch() {
    MaxPyramid pyramid;
    pyramid.append(10, 1);
    pyramid.append(5, 2);
    QCOMPARE(pyramid.x(1), 10);
    QCOMPARE(pyramid.indexAt(10), 1);
  }

  void aGuessedSearchFindsWhatAPlainOneFinds() {
    const MaxPyramid pyramid = sawtooth(3000, 3);
    std::mt19937 random(4);
    for (int round = 0; round < 3000; ++round) {
      const std::int64_t x = static_cast<std::int64_t>(random() % 50000) - 100;
      const std::int64_t guess = static_cast<std::int64_t>(random() % 3200) - 100;
      std::int64_t plain = 0;
      while (plain < pyramid.count() && pyramid.x(plain) < x) ++plain;
      QCOMPARE(pyramid.firstNotBefore(x, guess), plain);
    }
  }

  void oneSpikeInAMillionSurvivesEveryZoom() {
    std::mt19937_64 random(5);
    constexpr std::int64_t spikeAt = 618'034;
    constexpr std::int64_t spike = 9'000'000;
    MaxPyramid pyramid;
    std::int64_t x = 1'700'000'000'000'000'000;
    std::int64_t spikeX = 0;
    for (std::int64_t i = 0; i < 1'000'000; ++i) {
      if (i == spikeAt) spikeX = x;
      pyramid.append(x, i == spikeAt ? spike : (i % 2000) * 500);
      x += 1 + static_cast<std::int64_t>(random() % 40);
    }
    const std::int64_t first = pyramid.x(0);
    for (int zoom = 0; zoom < 200; ++zoom) {
      // Anything from one nanosecond a pixel to everything, the spike anywhere in it.
      const double widest = static_cast<double>(x - first);
      const auto width = static_cast<std::int64_t>(800 * std::pow(widest / 800, static_cast<double>(zoom) / 199));
      const std::int64_t begin = spikeX - static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width));
      const int pixels = 300 + static_cast<int>(random() % 1700);
      const EnvelopeColumns columns = columnsOf(pyramid, x, {begin, begin + width, 0, static_cast<double>(pixels)});
      std::int64_t drawn = 0;
      for (const std::int64_t index : columns.index)
        if (index >= 0) drawn = std::max(drawn, pyramid.total(index));
      QCOMPARE(drawn, spike);
    }
  }

  void aColumnNeverChangesWhilePanning() {
    const MaxPyramid pyramid = sawtooth(1'000'000, 6, 1'700'000'000'000'000'000);
    const std::int64_t end = pyramid.x(pyramid.count() - 1) + 10;
    constexpr int pixels = 811;
    constexpr std::int64_t width = 1'234'567;
    std::int64_t begin = pyramid.x(0) + 1'000'000;
    std::vector<std::int64_t> drawn;   // by column, from the first view on
    const std::int64_t base = columnsOf(pyramid, end, {begin, begin + width, 0, pixels}).sceneX;
    for (int pan = 0; pan < 500; ++pan) {
      const EnvelopeColumns columns = columnsOf(pyramid, end, {begin, begin + width, 0, pixels});
      // Without the last one: it also shows the part of a pixel that is left at the edge of the view.
      for (std::size_t column = 0; column + 1 < columns.index.size(); ++column) {
        const auto at = static_cast<std::size_t>(columns.sceneX - base) + column;
        if (at < drawn.size()) QCOMPARE(columns.index[column], drawn[at]);
        else drawn.push_back(columns.index[column]);
      }
      begin += width / pixels;
    }
    QVERIFY(drawn.size() > 1300);
  }

  void bucketsAreMultiplesOfSixteenAndNeverChange() {
    MaxPyramid pyramid = sawtooth(256, 7);
    const MaxPyramid::Node before = pyramid.bucket(1, 3);
    QCOMPARE(before, scan(pyramid, 48, 64));
    for (int i = 0; i < 5000; ++i) pyramid.append(1'000'000 + i, i);
    QCOMPARE(pyramid.bucket(1, 3), before);
    QCOMPARE(pyramid.bucket(2, 0), scan(pyramid, 0, 256));
  }

  void nothingFewAndAllAtOnceAreFinite() {
    const MaxPyramid empty;
    QCOMPARE(empty.all().indexOfMax, -1);
    QCOMPARE(columnsOf(empty, 0, {0, 10, 0, 5}).index, std::vector<std::int64_t>(5, -1));
    for (const int count : {1, 2, 1000}) {
      MaxPyramid pyramid;
      for (int i = 0; i < count; ++i) pyramid.append(42, i);
      for (const AxisMap& view : {AxisMap{42, 42, 0, 100}, AxisMap{0, 100, 0, 100}, AxisMap{42, 43, 0, 1}}) {
        const EnvelopeColumns columns = columnsOf(pyramid, 42, view);
        const std::int64_t highest = *std::max_element(columns.index.begin(), columns.index.end());
        QCOMPARE(highest, count - 1);
      }
      QVERIFY(columnsOf(pyramid, 42, {0, 100, 0, 0}).index.empty());
    }
  }
};
PEAKSCOPE_TEST(MaxPyramidTest)

}  // namespace peakscope::ui

#include "max_pyramid_test.moc"
