// SPDX-License-Identifier: Apache-2.0
#include "memory/placement/skyline.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "memory/placement/waiting_blocks.h"
#include "memory/saturated.h"

namespace peakscope {
namespace {

constexpr std::int32_t none = -1;

/// The heights as a linked list of stretches, each named by its first moment.
class Heights {
 public:
  explicit Heights(std::int32_t momentCount) : m_stretches(static_cast<std::size_t>(momentCount)), m_end(momentCount - 1) {
    m_stretches.front() = {.height = 0, .end = m_end, .isThere = true};
    m_lowest.push({0, 0});
  }

  /// The first moment of the lowest stretch; of the lowest ones, the earliest.
  std::int32_t lowest() {
    for (;;) {
      const auto [height, begin] = m_lowest.top();
      if (at(begin).isThere && at(begin).height == height) return begin;
      m_lowest.pop();   // has been raised since, or merged
    }
  }
  std::int32_t endOf(std::int32_t begin) const { return at(begin).end; }
  std::int64_t heightOf(std::int32_t begin) const { return at(begin).height; }
  std::int64_t lowerNeighbour(std::int32_t begin) const {
    const Stretch& stretch = at(begin);
    std::int64_t height = std::numeric_limits<std::int64_t>::max();
    if (stretch.previous != none) height = at(stretch.previous).height;
    if (stretch.end != m_end) height = std::min(height, at(stretch.end).height);
    return height;
  }

  /// Raises [begin, end) of the stretch that begins at `stretch`.
  void raise(std::int32_t stretch, std::int32_t begin, std::int32_t end, std::int64_t height) {
    if (begin > stretch) split(stretch, begin);
    if (end < at(begin).end) split(begin, end);
    at(begin).height = height;
    if (at(begin).end != m_end && at(at(begin).end).height == height) mergeWithNext(begin);
    const std::int32_t previous = at(begin).previous;
    if (previous != none && at(previous).height == height) mergeWithNext(previous);   // is in the heap already
    else m_lowest.push({height, begin});
  }

 private:
  struct Stretch {
    std::int64_t height = 0;
    std::int32_t end = 0;              ///< where the next one begins
    std::int32_t previous = none;
    bool isThere = false;
  };
  using Low = std::pair<std::int64_t, std::int32_t>;   ///< height, first moment

  Stretch& at(std::int32_t begin) { return m_stretches[static_cast<std::size_t>(begin)]; }
  const Stretch& at(std::int32_t begin) const { return m_stretches[static_cast<std::size_t>(begin)]; }

  void split(std::int32_t stretch, std::int32_t moment) {
    at(moment) = {.height = at(stretch).height, .end = at(stretch).end, .previous = stretch, .isThere = true};
    if (at(moment).end != m_end) at(at(moment).end).previous = moment;
    at(stretch).end = moment;
    m_lowest.push({at(moment).height, moment});
  }
  void mergeWithNext(std::int32_t stretch) {
    Stretch& next = at(at(stretch).end);
    next.isThere = false;
    at(stretch).end = next.end;
    if (next.end != m_end) at(next.end).previous = stretch;
  }

  std::vector<Stretch> m_stretches;    ///< by first moment
  std::int32_t m_end;
  std::priority_queue<Low, std::vector<Low>, std::greater<>> m_lowest;   ///< some of them outdated
};

}  // namespace

SkylinePlacement fillSkyline(const TimedBlocks& blocks, std::span<const double> weights) {
  SkylinePlacement placement;
  placement.offsets.resize(blocks.size());
  placement.turns.resize(blocks.size());
  if (blocks.size() == 0) return placement;
  WaitingBlocks waiting(blocks, weights);
  Heights heights(blocks.momentCount());
  for (std::int32_t placed = 0; placed < static_cast<std::int32_t>(blocks.size());) {
    const std::int32_t valley = heights.lowest(), end = heights.endOf(valley);
    const std::int64_t height = heights.heightOf(valley);
    if (const auto block = waiting.heaviestWithin(valley, end)) {
      const std::int64_t top = addSaturated(height, blocks.bytes[*block]);
      placement.offsets[*block] = height;
      placement.turns[*block] = placed++;
      placement.extent = std::max(placement.extent, top);
      waiting.remove(*block);
      heights.raise(valley, blocks.begin[*block], blocks.end[*block], top);
    } else {
      const std::int64_t neighbour = heights.lowerNeighbour(valley);
      placement.lifts.push_back({valley, end, neighbour - height, placed});
      heights.raise(valley, valley, end, neighbour);
    }
  }
  return placement;
}

}  // namespace peakscope
