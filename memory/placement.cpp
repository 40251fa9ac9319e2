// SPDX-License-Identifier: Apache-2.0
//
// Note [Placement orders]
// Blocks are placed one after the other, each into the tightest gap between those that live at the same time; only the
// order differs. Largest first is best for mixed sizes, longest-lived first for the nested lifetimes of forward and
// backward. Looking at every placed block is quadratic: a best-fit allocator that walks the iteration once comes first,
// the other orders are tried only if it wastes something, and left out for networks with very many blocks. If all of them
// waste too much, the best order is repaired: the block that sticks out on top goes first, and everything is placed again.
// The number of repairs depends on the number of blocks only, never on a clock: a plan is the same on every machine.
#include "memory/placement.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <random>

namespace peakscope {
namespace {

constexpr std::size_t quadraticLimit = 12'000;
constexpr std::size_t repairWork = 30'000'000;   ///< pairs of blocks, few of which are looked at: some ten milliseconds
constexpr std::size_t mostRepairs = 100;
constexpr std::int64_t tolerance = 200;          ///< an extent within 1/200 of the bound is good enough
using Order = std::vector<std::size_t>;

struct Placement {
  std::vector<std::int64_t> offsets;
  std::int64_t extent = 0;
};

struct Placed { std::int64_t begin, end; std::int32_t birth, death; };

/// The placed blocks by offset, for all time and for each of 8 and 64 periods: a block that lives within one period need
/// only be compared with those of that period.
class PlacedBlocks {
 public:
  explicit PlacedBlocks(std::int32_t lifetime) : m_lifetime(std::max(1, lifetime)) {
    for (std::size_t level = 0; level < periods.size(); ++level) m_levels[level].resize(periods[level]);
  }
  /// All that may live at the same time, and maybe others.
  const std::vector<Placed>& near(const Block& block) const {
    for (std::size_t level = 0;; ++level)
      if (const std::size_t first = period(level, block.begin); first == period(level, block.end - 1)) return m_levels[level][first];
  }
  void insert(const Placed& entry) {
    for (std::size_t level = 0; level < periods.size(); ++level)
      for (std::size_t i = period(level, entry.birth); i <= period(level, entry.death - 1); ++i) {
        std::vector<Placed>& blocks = m_levels[level][i];
        blocks.insert(std::ranges::upper_bound(blocks, entry.begin, {}, &Placed::begin), entry);
      }
  }

 private:
  static constexpr std::array<std::size_t, 3> periods{64, 8, 1};
  std::size_t period(std::size_t level, std::int32_t time) const {
    return static_cast<std::size_t>(time) * periods[level] / (static_cast<std::size_t>(m_lifetime) + 1);
  }
  std::int32_t m_lifetime;
  std::array<std::vector<std::vector<Placed>>, periods.size()> m_levels;
};

/// Best fit into the gaps that the blocks placed so far leave during the block's life.
Placement placeInOrder(const std::vector<Block>& blocks, const Order& order) {
  Placement placement{std::vector<std::int64_t>(blocks.size()), 0};
  std::int32_t lifetime = 0;
  for (const Block& block : blocks) lifetime = std::max(lifetime, block.end);
  PlacedBlocks placed(lifetime);
  for (const std::size_t index : order) {
    const Block& block = blocks[index];
    const std::int64_t bytes = block.bytes.count();
    std::int64_t best = -1, bestGap = std::numeric_limits<std::int64_t>::max(), top = 0;
    for (const Placed& other : placed.near(block)) {
      if (other.death <= block.begin || block.end <= other.birth) continue;
      const std::int64_t gap = other.begin - top;
      if (gap >= bytes && gap < bestGap) best = top, bestGap = gap;
      top = std::max(top, other.end);
    }
    const std::int64_t offset = best >= 0 ? best : top;
    placement.offsets[index] = offset;
    placement.extent = std::max(placement.extent, offset + bytes);
    if (block.end > block.begin) placed.insert({offset, offset + bytes, block.begin, block.end});
  }
  return placement;
}

/// The free bytes below the extent, as a coalescing list.
class Gaps {
 public:
  void release(std::int64_t begin, std::int64_t end) {
    auto next = m_gaps.lower_bound(begin);
    if (next != m_gaps.end() && next->first == end) end = next->second, next = m_gaps.erase(next);
    if (next != m_gaps.begin() && std::prev(next)->second == begin) std::prev(next)->second = end;
    else m_gaps.emplace(begin, end);
  }
  std::int64_t take(std::int64_t bytes) {
    auto best = m_gaps.end();
    for (auto gap = m_gaps.begin(); gap != m_gaps.end(); ++gap)
      if (size(gap) >= bytes && (best == m_gaps.end() || size(gap) < size(best))) best = gap;
    if (best == m_gaps.end()) {   // a gap that ends at the extent grows
      const bool growsLast = !m_gaps.empty() && std::prev(m_gaps.end())->second == m_extent;
      const std::int64_t begin = growsLast ? std::prev(m_gaps.end())->first : m_extent;
      if (growsLast) m_gaps.erase(std::prev(m_gaps.end()));
      m_extent = begin + bytes;
      return begin;
    }
    const auto [begin, end] = *best;
    m_gaps.erase(best);
    if (begin + bytes < end) m_gaps.emplace(begin + bytes, end);
    return begin;
  }
  std::int64_t extent() const { return m_extent; }

 private:
  using Map = std::map<std::int64_t, std::int64_t>;   ///< begin -> end
  static std::int64_t size(Map::const_iterator gap) { return gap->second - gap->first; }
  Map m_gaps;
  std::int64_t m_extent = 0;
};

Order orderBy(const std::vector<Block>& blocks, auto key) {
  Order order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return key(blocks[i]); });
  return order;
}

Placement placeInTime(const std::vector<Block>& blocks) {
  const Order births = orderBy(blocks, [](const Block& block) { return block.begin; });
  const Order deaths = orderBy(blocks, [](const Block& block) { return block.end; });
  Placement placement{std::vector<std::int64_t>(blocks.size()), 0};
  Gaps gaps;
  auto dead = deaths.begin();
  for (const std::size_t index : births) {
    for (; blocks[*dead].end <= blocks[index].begin; ++dead) {
      const std::int64_t begin = placement.offsets[*dead], bytes = blocks[*dead].bytes.count();
      if (bytes > 0) gaps.release(begin, begin + bytes);
    }
    if (blocks[index].bytes > Bytes{}) placement.offsets[index] = gaps.take(blocks[index].bytes.count());
  }
  placement.extent = gaps.extent();
  return placement;
}

/// Places again and again, the block on top first; every now and then also shuffles a little, to leave dead ends.
Placement repair(const std::vector<Block>& blocks, Order order, Placement best, std::int64_t goodEnough) {
  const std::size_t rounds = std::min(mostRepairs, repairWork / std::max<std::size_t>(1, blocks.size() * blocks.size()));
  std::mt19937 random(1);
  Placement current = best;
  for (std::size_t round = 0; round < rounds && best.extent > goodEnough; ++round) {
    const auto isOnTop = [&](std::size_t i) { return current.offsets[i] + blocks[i].bytes.count() == current.extent; };
    std::stable_partition(order.begin(), order.end(), isOnTop);
    if (round % 8 == 7) std::swap(order[random() % order.size()], order[random() % order.size()]);
    current = placeInOrder(blocks, order);
    if (current.extent < best.extent) best = current;
  }
  return best;
}

}  // namespace

Bytes placeBlocks(std::vector<Block>& blocks) {
  const std::int64_t bound = largestLiveSum(blocks).count();
  Placement best = placeInTime(blocks);
  Order bestOrder;
  std::int64_t bestOrdered = std::numeric_limits<std::int64_t>::max();
  const auto consider = [&](auto key) {
    if (best.extent <= bound || blocks.size() > quadraticLimit) return;
    Order order = orderBy(blocks, key);
    Placement other = placeInOrder(blocks, order);
    if (other.extent < bestOrdered) bestOrdered = other.extent, bestOrder = std::move(order);
    if (other.extent < best.extent) best = std::move(other);
  };
  const auto life = [](const Block& block) { return std::int64_t{block.end} - block.begin; };
  consider([](const Block& block) { return -block.bytes.count(); });
  consider([&](const Block& block) { return std::pair{-life(block), -block.bytes.count()}; });
  consider([&](const Block& block) { return -static_cast<double>(block.bytes.count()) * static_cast<double>(life(block)); });
  consider([](const Block& block) { return std::pair{block.begin, -block.end}; });
  consider([](const Block& block) { return std::pair{-block.end, block.begin}; });
  const std::int64_t goodEnough = bound + bound / tolerance;
  if (best.extent > goodEnough && !bestOrder.empty()) best = repair(blocks, bestOrder, std::move(best), goodEnough);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].offset = Bytes{best.offsets[i]};
  return Bytes{best.extent};
}

Bytes largestLiveSum(const std::vector<Block>& blocks) {
  std::vector<std::pair<std::int32_t, Bytes>> changes;
  for (const Block& block : blocks) {
    changes.emplace_back(block.begin, block.bytes);
    changes.emplace_back(block.end, Bytes{} - block.bytes);
  }
  // Frees sort before allocations at the same moment: `end` is not included.
  std::sort(changes.begin(), changes.end());
  Bytes live, largest;
  for (const auto& [moment, change] : changes) largest = std::max(largest, live += change);
  return largest;
}

}  // namespace peakscope
