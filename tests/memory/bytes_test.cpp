// SPDX-License-Identifier: Apache-2.0
//
// Bytes never wrap, and are written the same everywhere.
#include <limits>

#include "memory/bytes.h"
#include "tests/support/test_main.h"

using namespace peakscope;

class BytesTest : public QObject {
  Q_OBJECT
 private slots:
  void sumsStopAtTheEndOfTheRange() {
    constexpr Bytes most{std::numeric_limits<std::int64_t>::max()}, least{std::numeric_limits<std::int64_t>::min()};
    QCOMPARE(most + Bytes{1}, most);
    QCOMPARE(least - Bytes{1}, least);
    QCOMPARE(Bytes{-5} - most - most, least);
    QCOMPARE(most * 2, most);
    QCOMPARE(most * -2, least);
    QCOMPARE(roundUp(most, Bytes{256}).count() % 256, std::int64_t{0});
    Bytes sum{1};
    sum += Bytes{2};
    QCOMPARE(sum, Bytes{3});
  }

  void textsAreExact() {
    QCOMPARE(formatMiB(Bytes{bytesPerMiB * 3 / 2}), std::string("1.500"));
    QCOMPARE(formatMiB(Bytes{0}, 1), std::string("0.0"));
    QCOMPARE(formatBytes(Bytes{912}), std::string("912 B"));
  }
};
PEAKSCOPE_TEST(BytesTest)
#include "bytes_test.moc"
