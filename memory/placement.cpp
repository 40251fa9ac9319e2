// SPDX-License-Identifier: Apache-2.0
#include "memory/placement.h"

#include <algorithm>
#include <numeric>

namespace peakscope {
namespace {

using Order = std::vector<std::size_t>;

bool overlaps(const Block& a, const Block& b) { return a.begin < b.end && b.begin < a.end; }

/// Lowest gap that is wide enough among the placed blocks that live at the same time.
Bytes firstFit(const std::vector<Block>& blocks, const Order& order, std::vector<Bytes>& offsets) {
  offsets.assign(blocks.size(), Bytes{});
  std::vector<std::size_t> placed, neighbours;
  Bytes extent;
  for (const std::size_t i : order) {
    neighbours.clear();
    for (const std::size_t j : placed)
      if (overlaps(blocks[i], blocks[j])) neighbours.push_back(j);
    Bytes offset;
    for (const std::size_t j : neighbours) {       // `placed` is sorted by offset
      if (offset + blocks[i].bytes <= offsets[j]) break;
      offset = std::max(offset, offsets[j] + blocks[j].bytes);
    }
    offsets[i] = offset;
    extent = std::max(extent, offset + blocks[i].bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i, [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; }), i);
  }
  return extent;
}

Order sorted(const std::vector<Block>& blocks, auto isBefore) {
  Order order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return isBefore(blocks[a], blocks[b]); });
  return order;
}

}  // namespace

Bytes placeBlocks(std::vector<Block>& blocks) {
  const auto span = [](const Block& block) { return static_cast<std::int64_t>(block.end) - block.begin; };
  const Order orders[] = {
      sorted(blocks, [](const Block& a, const Block& b) { return a.bytes > b.bytes; }),
      sorted(blocks, [&](const Block& a, const Block& b) { return span(a) > span(b); }),
      sorted(blocks, [&](const Block& a, const Block& b) {
        return static_cast<double>(a.bytes.count()) * static_cast<double>(span(a)) > static_cast<double>(b.bytes.count()) * static_cast<double>(span(b));
      }),
      sorted(blocks, [](const Block& a, const Block& b) { return a.begin < b.begin; }),
      sorted(blocks, [](const Block& a, const Block& b) { return a.end > b.end; }),
  };
  const Bytes bound = largestLiveSum(blocks);
  std::vector<Bytes> best, offsets;
  Bytes extent{INT64_MAX};
  for (const Order& order : orders) {
    const Bytes tried = firstFit(blocks, order, offsets);
    if (tried >= extent) continue;
    extent = tried;
    best = offsets;
    if (extent <= bound) break;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].offset = best[i];
  return blocks.empty() ? Bytes{} : extent;
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
