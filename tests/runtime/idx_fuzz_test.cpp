// SPDX-License-Identifier: Apache-2.0
//
// The IDX fuzz target on seeded mutations of a small file: every one ends in an array or an error.
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/test_main.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

class IdxFuzzTest : public QObject {
  Q_OBJECT
 private slots:
  void damagedFilesNeverCrashTheReader() {
    const std::vector<std::uint8_t> whole{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8};
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
      auto bytes = whole;
      for (std::uint32_t flips = random() % 4; flips > 0; --flips) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      if (i % 3 == 0) bytes.resize(random() % (bytes.size() + 1));
      QCOMPARE(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
    }
  }
};
PEAKSCOPE_TEST(IdxFuzzTest)
#include "idx_fuzz_test.moc"
