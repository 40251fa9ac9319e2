// SPDX-License-Identifier: Apache-2.0
//
// Placement as plain arithmetic: blocks with lifetimes, no tensors.
#include "memory/placement.h"

#include <limits>
#include <random>

#include "tests/support/test_main.h"

using namespace peakscope;

namespace {

std::vector<Block> randomBlocks(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Block> blocks(1 + random() % 150);
  for (Block& block : blocks) {
    block.begin = static_cast<std::int32_t>(random() % 300);
    block.end = block.begin + 1 + static_cast<std::int32_t>(random() % (random() % 2 == 0 ? 5 : 200));
    block.bytes = Bytes{static_cast<std::int64_t>(random() % 50) * 256};
  }
  return blocks;
}

}  // namespace

class PlacementTest : public QObject {
  Q_OBJECT
 private slots:
  void blocksThatLiveAtTheSameTimeNeverOverlap() {
    for (unsigned seed = 1; seed <= 100; ++seed) {
      std::vector<Block> blocks = randomBlocks(seed);
      const Bytes extent = placeBlocks(blocks);
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& a = blocks[i];
        QVERIFY(a.offset >= Bytes{} && a.offset + a.bytes <= extent);
        for (std::size_t j = 0; j < i; ++j) {
          const Block& b = blocks[j];
          const bool meet = a.begin < b.end && b.begin < a.end;
          QVERIFY(!meet || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
        }
      }
      QVERIFY(extent >= largestLiveSum(blocks));
    }
  }

  void theExtentIsWhatTheOffsetsReach() {
    for (unsigned seed = 1; seed <= 100; ++seed) {
      std::vector<Block> blocks = randomBlocks(seed);
      const Bytes extent = placeBlocks(blocks);
      Bytes reached;
      for (const Block& block : blocks) reached = std::max(reached, block.offset + block.bytes);
      QCOMPARE(extent.count(), reached.count());
    }
  }

  void theSameBlocksAreAlwaysPlacedAlike() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      std::vector<Block> first = randomBlocks(seed), second = randomBlocks(seed);
      QCOMPARE(placeBlocks(first).count(), placeBlocks(second).count());
      for (std::size_t i = 0; i < first.size(); ++i) QCOMPARE(first[i].offset.count(), second[i].offset.count());
    }
  }

  void nestedLifetimesWasteNothing() {
    std::vector<Block> blocks;
    for (std::int32_t depth = 0; depth < 1000; ++depth)
      blocks.push_back({.begin = depth, .end = 3000 - depth, .bytes = Bytes{256 * (1 + (depth * 7919) % 97)}});
    QCOMPARE(placeBlocks(blocks).count(), largestLiveSum(blocks).count());
  }

  /// A sweep leaves 0..1 and 2..3 free when the last one is born, in two pieces; the longest-lived must not lie between.
  void aBlockThatNeedsTwoGapsFindsThemTogether() {
    std::vector<Block> blocks{{.begin = 0, .end = 2, .bytes = Bytes{256}},
                              {.begin = 0, .end = 4, .bytes = Bytes{256}},
                              {.begin = 0, .end = 2, .bytes = Bytes{256}},
                              {.begin = 2, .end = 4, .bytes = Bytes{512}}};
    QCOMPARE(placeBlocks(blocks).count(), 768);
  }

  void aBlockThatLivesForNoTimeIsInsideTheExtent() {
    std::vector<Block> blocks{{.begin = 3, .end = 3, .bytes = Bytes{512}}, {.begin = 0, .end = 5, .bytes = Bytes{256}}};
    QCOMPARE(placeBlocks(blocks).count(), 512);
  }

  void sizesBeyondAllCountingStayAtTheLargestCount() {
    const Bytes huge{std::numeric_limits<std::int64_t>::max()};
    std::vector<Block> blocks{{.begin = 0, .end = 3, .bytes = huge}, {.begin = 1, .end = 4, .bytes = huge}, {.begin = 2, .end = 5, .bytes = Bytes{256}}};
    QCOMPARE(placeBlocks(blocks).count(), huge.count());
  }

  void randomBlocksWasteLittle() {
    double waste = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
      std::vector<Block> blocks = randomBlocks(seed);
      waste += static_cast<double>(placeBlocks(blocks).count()) / static_cast<double>(std::max<std::int64_t>(1, largestLiveSum(blocks).count()));
    }
    QVERIFY2(waste / 100 < 1.02, std::to_string(waste / 100).c_str());
  }

  void aBlockTakesTheBytesOfOneThatHasJustEnded() {
    std::vector<Block> blocks{{.begin = 0, .end = 3, .bytes = Bytes{512}}, {.begin = 3, .end = 5, .bytes = Bytes{512}}};
    QCOMPARE(placeBlocks(blocks).count(), 512);
    QCOMPARE(blocks[1].offset.count(), 0);
  }

  void noBlocksTakeNothing() {
    std::vector<Block> none;
    QCOMPARE(placeBlocks(none).count(), 0);
  }
};

PEAKSCOPE_TEST(PlacementTest)
#include "placement_test.moc"
