// SPDX-License-Identifier: Apache-2.0
#include "memory/placement/time_sweep.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "memory/saturated.h"

namespace peakscope {
namespace {

/// The free bytes below the extent: gaps that touch become one, and the tightest is found by size.
class Gaps {
 public:
  void release(std::int64_t begin, std::int64_t end) {
    if (begin == end) return;   // at the largest count there is, nothing more was to be had
    auto next = m_gaps.lower_bound(begin);
    if (next != m_gaps.end() && next->first == end) {
      end = next->second;
      next = erase(next);
    }
    if (next != m_gaps.begin() && std::prev(next)->second == begin) {
      begin = std::prev(next)->first;
      erase(std::prev(next));
    }
    insert(begin, end);
  }

  std::int64_t take(std::int64_t bytes) {
    const auto tightest = m_bySize.lower_bound({bytes, 0});
    if (tightest == m_bySize.end()) return grow(bytes);
    const auto gap = m_gaps.find(tightest->second);
    const auto [begin, end] = *gap;
    erase(gap);
    if (begin + bytes < end) insert(begin + bytes, end);
    return begin;
  }

  std::int64_t extent() const { return m_extent; }

 private:
  using Map = std::map<std::int64_t, std::int64_t>;   ///< begin -> end

  /// A gap that ends at the extent grows with it.
  std::int64_t grow(std::int64_t bytes) {
    std::int64_t begin = m_extent;
    if (!m_gaps.empty() && std::prev(m_gaps.end())->second == m_extent) {
      begin = std::prev(m_gaps.end())->first;
      erase(std::prev(m_gaps.end()));
    }
    m_extent = addSaturated(begin, bytes);
    return begin;
  }
  void insert(std::int64_t begin, std::int64_t end) {
    m_gaps.emplace(begin, end);
    m_bySize.emplace(end - begin, begin);
  }
  Map::iterator erase(Map::iterator gap) {
    m_bySize.erase({gap->second - gap->first, gap->first});
    return m_gaps.erase(gap);
  }

  Map m_gaps;
  std::set<std::pair<std::int64_t, std::int64_t>> m_bySize;   ///< size, begin
  std::int64_t m_extent = 0;
};

}  // namespace

Placement sweepTime(const TimedBlocks& blocks) {
  std::vector<std::size_t> deaths(blocks.size());
  std::iota(deaths.begin(), deaths.end(), std::size_t{0});
  std::ranges::stable_sort(deaths, {}, [&](std::size_t i) { return blocks.end[i]; });
  Placement placement{std::vector<std::int64_t>(blocks.size()), 0};
  Gaps gaps;
  auto dead = deaths.begin();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (; blocks.end[*dead] <= blocks.begin[i]; ++dead)
      gaps.release(placement.offsets[*dead], addSaturated(placement.offsets[*dead], blocks.bytes[*dead]));
    placement.offsets[i] = gaps.take(blocks.bytes[i]);
  }
  placement.extent = gaps.extent();
  return placement;
}

}  // namespace peakscope
