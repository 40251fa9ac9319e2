// SPDX-License-Identifier: Apache-2.0
#include "memory/placement_rules.h"

#include <algorithm>
#include <numeric>

namespace peakscope {
namespace {

/// One request after the other, in the order of the plan, as a pool that knows nothing of the future serves them.
Bytes placeInPool(std::vector<Block>& blocks, Bytes unit) {
  std::vector<std::size_t> births(blocks.size());
  std::iota(births.begin(), births.end(), std::size_t{0});
  std::vector<std::size_t> deaths = births;
  std::ranges::stable_sort(births, {}, [&](std::size_t i) { return blocks[i].begin; });
  std::ranges::stable_sort(deaths, {}, [&](std::size_t i) { return blocks[i].end; });
  PaperPool pool(unit);
  Bytes reached;   // the last block of the pool may end behind it
  auto dead = deaths.begin();
  for (const std::size_t index : births) {
    for (; blocks[*dead].end <= blocks[index].begin; ++dead) pool.free(static_cast<std::int64_t>(*dead));
    blocks[index].offset = pool.allocate(static_cast<std::int64_t>(index), blocks[index].bytes);
    reached = std::max(reached, blocks[index].offset + blocks[index].bytes);
  }
  return reached;
}

}  // namespace

Bytes placeBlocks(std::vector<Block>& blocks, PlacementRule rule) {
  switch (rule) {
    case PlacementRule::Packed: return placeBlocks(blocks);
    case PlacementRule::Pool: return placeInPool(blocks, poolBlockBytes);
    case PlacementRule::Native: return placeInPool(blocks, nativeGranularity);
  }
  return {};
}

}  // namespace peakscope
