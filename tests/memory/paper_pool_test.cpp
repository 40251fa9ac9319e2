// SPDX-License-Identifier: Apache-2.0
//
// The paper's pool: blocks of 1 KiB, first fit, neighbours joined; and the rules of placement that go request by request.
#include <map>
#include <random>

#include "memory/paper_pool.h"
#include "memory/placement_rules.h"
#include "tests/support/test_main.h"

using namespace peakscope;

class PaperPoolTest : public QObject {
  Q_OBJECT
 private slots:
  void aRequestTakesWholeBlocksOfOneKibibyte() {
    PaperPool pool;
    QCOMPARE(pool.allocate(1, Bytes{1}).count(), 0);
    QCOMPARE(pool.allocate(2, Bytes{1025}).count(), 1024);
    QCOMPARE(pool.extent().count(), 3 * 1024);
    QCOMPARE(pool.allocated().count(), 3 * 1024);
  }

  void theFirstHoleThatIsLargeEnoughIsTakenNotTheBest() {
    PaperPool pool;
    for (int id = 0; id < 6; ++id) std::ignore = pool.allocate(id, Bytes{id == 1 ? 4096 : 1024});
    pool.free(1);
    pool.free(3);   // a hole of exactly one block, behind one of four
    QCOMPARE(pool.allocate(7, Bytes{1024}).count(), 1024);
  }

  void neighboursAreJoinedWhenTheyAreFreed() {
    PaperPool pool;
    for (int id = 0; id < 4; ++id) std::ignore = pool.allocate(id, Bytes{1024});
    pool.free(0);
    pool.free(2);
    QCOMPARE(pool.largestEmpty().count(), 1024);
    pool.free(1);
    QCOMPARE(pool.largestEmpty().count(), 3 * 1024);
    QCOMPARE(pool.allocate(9, Bytes{3 * 1024}).count(), 0);
  }

  void theLastHoleGrowsInsteadOfLeavingAGap() {
    PaperPool pool;
    std::ignore = pool.allocate(0, Bytes{1024});
    std::ignore = pool.allocate(1, Bytes{1024});
    pool.free(1);
    QCOMPARE(pool.allocate(2, Bytes{2048}).count(), 1024);
    QCOMPARE(pool.extent().count(), 3 * 1024);
  }

  void nothingOverlapsAndEveryByteIsCounted() {
    std::mt19937 random(7);
    PaperPool pool;
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> live;   // begin -> end, id
    Bytes sum;
    for (std::int64_t id = 0; id < 3000; ++id) {
      if (!live.empty() && random() % 2 == 0) {
        auto victim = live.begin();
        std::advance(victim, static_cast<std::ptrdiff_t>(random() % live.size()));
        sum -= Bytes{victim->second.first - victim->first};
        pool.free(victim->second.second);
        live.erase(victim);
      } else {
        const Bytes bytes{1 + static_cast<std::int64_t>(random() % 20000)};
        const std::int64_t begin = pool.allocate(id, bytes).count(), end = begin + roundUp(bytes, poolBlockBytes).count();
        const auto next = live.lower_bound(begin);
        QVERIFY(next == live.end() || next->first >= end);
        QVERIFY(next == live.begin() || std::prev(next)->second.first <= begin);
        live[begin] = {end, id};
        sum += Bytes{end - begin};
        QVERIFY(pool.extent().count() >= end);
      }
      QCOMPARE(pool.allocated().count(), sum.count());
    }
  }

  void everyRuleKeepsBlocksThatLiveTogetherApart() {
    for (const PlacementRule rule : {PlacementRule::Packed, PlacementRule::Pool, PlacementRule::Native}) {
      std::mt19937 random(3);
      std::vector<Block> blocks(120);
      for (Block& block : blocks) {
        block.begin = static_cast<std::int32_t>(random() % 100);
        block.end = block.begin + 1 + static_cast<std::int32_t>(random() % 30);
        block.bytes = roundUp(Bytes{1 + static_cast<std::int64_t>(random() % 5000)}, Bytes{1024});
      }
      const Bytes extent = placeBlocks(blocks, rule);
      QVERIFY(extent >= largestLiveSum(blocks));
      Bytes reached;
      for (const Block& a : blocks) {
        reached = std::max(reached, a.offset + a.bytes);
        for (const Block& b : blocks)
          QVERIFY(&a == &b || a.end <= b.begin || b.end <= a.begin || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
      }
      QCOMPARE(reached.count(), extent.count());
    }
  }
};

PEAKSCOPE_TEST(PaperPoolTest)
#include "paper_pool_test.moc"
