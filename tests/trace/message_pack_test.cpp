// SPDX-License-Identifier: Apache-2.0
//
// Records from a pipe that are no records: every one ends in a record or in one line.
#include <random>

#include "memory/trace/serialize.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"

using namespace peakscope;

class MessagePackTest : public QObject {
  Q_OBJECT
 private slots:
  void deepNestingIsRefused() {
    const std::vector<std::uint8_t> lists(64 << 20, 0x91);   // a list in a list in a list ...
    const auto record = decodeRecordBytes(lists);
    QVERIFY(!record.has_value());
    QVERIFY(record.error().message.find("nested too deeply") != std::string::npos);
  }

  void damagedRecordsAreRecordsOrErrors() {
    std::mt19937 random(11);
    for (const LogRecord& whole : test::tinyRecords(test::tinyWorkload()))
      for (int i = 0; i < 400; ++i) {
        auto bytes = encodeRecord(whole);
        for (auto flips = 1 + random() % 3; flips > 0; --flips) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
        if (i % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
        const auto record = decodeRecordBytes(bytes);
        if (!record) QVERIFY(record.error().message.find('\n') == std::string::npos);
      }
  }
};
PEAKSCOPE_TEST(MessagePackTest)
#include "message_pack_test.moc"
