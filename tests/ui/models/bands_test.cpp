// SPDX-License-Identifier: GPL-3.0-or-later
//
// Samples as differences give back what went in, in little memory.
#include "ui/models/bands.h"

#include <random>

#include "tests/support/test_main.h"

namespace peakscope::ui {

class BandsTest : public QObject {
  Q_OBJECT
 private slots:
  void everySampleIsReadBackExactly() {
    std::mt19937_64 random(1);
    EnvelopeSamples samples;
    std::vector<BandBytes> expected;
    BandBytes now;
    for (int i = 0; i < 1000; ++i) {
      for (std::uint64_t changes = random() % 4; changes > 0; --changes)
        now.bytes[random() % bandCount] = static_cast<std::int64_t>(random() % (std::uint64_t{1} << 45));
      samples.append(i, now);
      expected.push_back(now);
    }
    for (int i = 0; i < 1000; ++i) {
      QVERIFY(samples.bands(i) == expected[static_cast<std::size_t>(i)]);
      QCOMPARE(samples.total(i), expected[static_cast<std::size_t>(i)].total());
    }
  }

  void anEventTakesLessThanSixtyBytes() {
    EnvelopeSamples samples;
    samples.reserve(100'000);
    BandBytes now;
    for (int i = 0; i < 100'000; ++i) {
      now[i % 3 == 0 ? Band::Workspace : Band::Activation] += i % 2 == 0 ? 4096 : -4000;
      samples.append(i, now);
    }
    QVERIFY(samples.memoryBytes() < 60 * 100'000);
  }

  void bytesOnTheirWayArePartOfTheActivations() {
    analysis::KindBytes kinds{};
    kinds[static_cast<std::size_t>(analysis::ChartKind::Activation)] = Bytes{100};
    kinds[static_cast<std::size_t>(analysis::ChartKind::OptimizerState)] = Bytes{30};
    kinds[static_cast<std::size_t>(analysis::ChartKind::WeightGrad)] = Bytes{12};
    const BandBytes bands = bandsOf(kinds, 60, 70);
    QCOMPARE(bands[Band::CopyingOut], 60);
    QCOMPARE(bands[Band::CopyingIn], 40);
    QCOMPARE(bands[Band::Activation], 0);
    QCOMPARE(bands[Band::Gradients], 42);
    QCOMPARE(bands.up(), 100);
    QCOMPARE(bands.floor(), 42);
  }

  void anUnfinishedRunEndsAtItsLastSample() {
    EnvelopeSamples samples;
    QCOMPARE(samples.end(), 0);
    samples.append(7, {});
    QCOMPARE(samples.end(), 7);
    samples.setEnd(9);
    QCOMPARE(samples.end(), 9);
  }
};
PEAKSCOPE_TEST(BandsTest)

}  // namespace peakscope::ui

#include "bands_test.moc"
