// SPDX-License-Identifier: Apache-2.0
//
// Note [Placement orders]
// Blocks are placed one after the other, each into the tightest gap between those that live at the same time; only the
// order differs. Largest first is best for mixed sizes, longest-lived first for the nested lifetimes of forward and
// backward. Looking at every placed block is quadratic: a best-fit allocator that walks the iteration once comes first,
// the other orders are tried only if it wastes something, and left out for networks with very many blocks.
#include "memory/placement.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace peakscope {
namespace {

constexpr std::size_t quadraticLimit = 12'000;
using Order = std::vector<std::size_t>;

struct Placement {
  std::vector<std::int64_t> offsets;
  std::int64_t extent = 0;
};

/// Best fit into the gaps that the blocks placed so far leave during the block's life.
Placement placeInOrder(const std::vector<Block>& blocks, const Order& order) {
  struct Placed { std::int64_t begin, end; std::int32_t birth, death; };
  Placement placement{std::vector<std::int64_t>(blocks.size()), 0};
  std::vector<Placed> placed;   // by begin
  placed.reserve(blocks.size());
  for (const std::size_t index : order) {
    const Block& block = blocks[index];
    const std::int64_t bytes = block.bytes.count();
    std::int64_t best = -1, bestGap = std::numeric_limits<std::int64_t>::max(), top = 0;
    for (const Placed& other : placed) {
      if (other.death <= block.begin || block.end <= other.birth) continue;
      const std::int64_t gap = other.begin - top;
      if (gap >= bytes && gap < bestGap) best = top, bestGap = gap;
      top = std::max(top, other.end);
    }
    const std::int64_t offset = best >= 0 ? best : top;
    placement.offsets[index] = offset;
    placement.extent = std::max(placement.extent, offset + bytes);
    const Placed entry{offset, offset + bytes, block.begin, block.end};
    placed.insert(std::ranges::upper_bound(placed, entry.begin, {}, &Placed::begin), entry);
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

}  // namespace

Bytes placeBlocks(std::vector<Block>& blocks) {
  const std::int64_t bound = largestLiveSum(blocks).count();
  Placement best = placeInTime(blocks);
  const auto consider = [&](auto key) {
    if (best.extent <= bound || blocks.size() > quadraticLimit) return;
    Placement other = placeInOrder(blocks, orderBy(blocks, key));
    if (other.extent < best.extent) best = std::move(other);
  };
  const auto life = [](const Block& block) { return std::int64_t{block.end} - block.begin; };
  consider([](const Block& block) { return -block.bytes.count(); });
  consider([&](const Block& block) { return std::pair{-life(block), -block.bytes.count()}; });
  consider([&](const Block& block) { return -static_cast<double>(block.bytes.count()) * static_cast<double>(life(block)); });
  consider([](const Block& block) { return std::pair{block.begin, -block.end}; });
  consider([](const Block& block) { return std::pair{-block.end, block.begin}; });
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
