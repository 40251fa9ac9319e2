// SPDX-License-Identifier: Apache-2.0
#include "memory/report/text.h"

#include "tests/support/test_main.h"

namespace peakscope::report {

class TextTest : public QObject {
  Q_OBJECT
 private slots:
  void aShellWordIsQuotedWhereItMust() {
    QCOMPARE(report::shellWord("samples/lenet.json"), std::string("samples/lenet.json"));
    QCOMPARE(report::shellWord("my net.json"), std::string("'my net.json'"));
    QCOMPARE(report::shellWord("it's"), std::string("'it'\\''s'"));
    QCOMPARE(report::shellWord(""), std::string("''"));
  }

  void invalidBytesBecomeTheReplacementCharacter_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("clean");
    const QByteArray r{"\xEF\xBF\xBD"};
    QTest::newRow("plain") << QByteArray{"conv1.out"} << QByteArray{"conv1.out"};
    QTest::newRow("umlaut") << QByteArray{"Gr\xC3\xB6\xC3\x9F" "e"} << QByteArray{"Gr\xC3\xB6\xC3\x9F" "e"};
    QTest::newRow("lone continuation") << QByteArray{"a\x80" "b"} << "a" + r + "b";
    QTest::newRow("cut off at the end") << QByteArray{"a\xE2\x82"} << "a" + r;
    QTest::newRow("overlong slash") << QByteArray{"\xC0\xAF"} << r + r;
    QTest::newRow("surrogate") << QByteArray{"\xED\xA0\x80"} << r + r + r;
    QTest::newRow("beyond unicode") << QByteArray{"\xF4\x90\x80\x80"} << r + r + r + r;
    QTest::newRow("bell, escape, delete") << QByteArray{"\x07\x1B\x7F"} << r + r + r;
    QTest::newRow("nul") << QByteArray{"a\0b", 3} << "a" + r + "b";
    QTest::newRow("line breaks") << QByteArray{"a\r\nb\tc"} << QByteArray{"a  b c"};
    QTest::newRow("turns the direction") << QByteArray{"\xE2\x80\xAE" "txt"} << r + "txt";
  }
  void invalidBytesBecomeTheReplacementCharacter() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, clean);
    QCOMPARE(QByteArray::fromStdString(cleanText(bytes.toStdString())), clean);
  }
  void markupIsEscaped() { QCOMPARE(escapeMarkup("<a href=\"x\">'&'"), std::string{"&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;"}); }
  void longNamesKeepBothEnds() {
    QCOMPARE(shorten("abcdefghij", 10), std::string{"abcdefghij"});
    QCOMPARE(shorten("abcdefghijk", 5), std::string{"ab…jk"});
    QCOMPARE(shorten("äöüäöü", 3), std::string{"ä…ü"});
  }
  void numbersHaveSeparatorsAndARealMinus() {
    QCOMPARE(grouped(1234567), std::string{"1,234,567"});
    QCOMPARE(grouped(-1000), std::string{"−1,000"});
    QCOMPARE(grouped(999), std::string{"999"});
    QCOMPARE(groupedMiB(Bytes{bytesPerMiB * 1489 + bytesPerMiB / 2}), std::string{"1,489.500"});
  }
  void coordinatesAreShortAndNeverOddNumbers() {
    QCOMPARE(shortNumber(1.50), std::string{"1.5"});
    QCOMPARE(shortNumber(-0.0001), std::string{"0"});
    QCOMPARE(shortNumber(100), std::string{"100"});
    QCOMPARE(shortNumber(std::numeric_limits<double>::quiet_NaN()), std::string{"0"});
    QCOMPARE(shortNumber(std::numeric_limits<double>::infinity()), std::string{"0"});
  }
  void durationsHaveFittingUnits() {
    QCOMPARE(formatDuration(0), std::string{"0 ns"});
    QCOMPARE(formatDuration(1'234'000), std::string{"1.23 ms"});
    QCOMPARE(formatDuration(999'600), std::string{"1.00 ms"});
    QCOMPARE(formatDuration(61'000'000'000), std::string{"61.0 s"});
  }
  void datesAreInUniversalTime() {
    QCOMPARE(formatDate(1'772'368'205'000'000'000), std::string{"2026-03-01 12:30:05 UTC"});
    QCOMPARE(isoDate(1'772'368'205'000'000'000), std::string{"2026-03-01T12:30:05Z"});
    QCOMPARE(formatDate(0), std::string{});
  }
};
PEAKSCOPE_TEST(TextTest)

}  // namespace peakscope::report

#include "text_test.moc"
