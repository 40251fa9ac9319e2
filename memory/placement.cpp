// SPDX-License-Identifier: Apache-2.0
//
// Note [Placement]
// A sweep through time comes first: it costs next to nothing, and lifetimes of forward and backward are nearly nested. If it
// wastes too much, a skyline is filled from the bottom (see Note [Skyline]), with the largest blocks first, then with those
// first that take the most bytes for the longest time. If these waste too much as well, the better one is repaired: the
// blocks for which its wasted bytes left no room get more weight, and it is filled again, and again; then, for the few that
// still waste more than a hundredth, the other one.
// The number of repairs depends on the number of blocks only, never on a clock, and weights are only ever multiplied, which
// rounds alike everywhere: a plan is the same on every machine.
#include "memory/placement.h"

#include <algorithm>

#include "memory/placement/shut_out.h"
#include "memory/placement/skyline.h"
#include "memory/placement/time_sweep.h"

namespace peakscope {
namespace {

constexpr std::int64_t tolerance = 200;        ///< an extent within 1/200 of the bound is good enough
constexpr std::size_t repairWork = 30'000;     ///< blocks placed while repairing: some ten milliseconds
constexpr std::size_t mostRepairs = 50;
constexpr std::int64_t promised = 100;         ///< within 1/100 of the bound is what placement promises:
constexpr std::size_t patience = 3;            ///< so many times the work is spent on what is still beyond that
constexpr double preference = 1.3;             ///< how much more weight a block gets that came too late

void repair(const TimedBlocks& blocks, std::vector<double> weights, std::int64_t bound, Placement& best) {
  const std::int64_t goodEnough = bound + bound / tolerance, acceptable = bound + bound / promised;
  const std::size_t rounds = std::min(mostRepairs, repairWork / blocks.size());
  for (std::size_t round = 0; round < patience * rounds && best.extent > (round < rounds ? goodEnough : acceptable); ++round) {
    SkylinePlacement placement = fillSkyline(blocks, weights);
    for (const std::size_t block : blocksShutOut(blocks, placement, goodEnough)) weights[block] *= preference;
    if (placement.extent < best.extent) best = std::move(placement);
  }
}

Placement bestPlacement(const TimedBlocks& blocks, std::int64_t bound) {
  const std::int64_t goodEnough = bound + bound / tolerance;
  Placement best = sweepTime(blocks);
  if (best.extent <= goodEnough) return best;
  std::vector<std::pair<std::int64_t, std::vector<double>>> tried;   // extent and weights of each skyline: the sweep has none to repair
  const auto consider = [&](auto weight) {
    if (best.extent <= goodEnough) return;
    std::vector<double> weights(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) weights[i] = weight(i);
    SkylinePlacement placement = fillSkyline(blocks, weights);
    tried.emplace_back(placement.extent, std::move(weights));
    if (placement.extent < best.extent) best = std::move(placement);
  };
  const auto bytes = [&](std::size_t i) { return static_cast<double>(blocks.bytes[i]); };
  const auto life = [&](std::size_t i) { return static_cast<double>(blocks.end[i] - blocks.begin[i]); };
  consider(bytes);
  consider([&](std::size_t i) { return bytes(i) * life(i); });
  std::ranges::stable_sort(tried, {}, &std::pair<std::int64_t, std::vector<double>>::first);
  for (std::size_t i = 0; i < tried.size(); ++i)   // the second only for what is still beyond the promise
    if (best.extent > (i == 0 ? goodEnough : bound + bound / promised)) repair(blocks, std::move(tried[i].second), bound, best);
  return best;
}

}  // namespace

Bytes placeBlocks(std::vector<Block>& blocks) {
  const TimedBlocks timed = timedBlocks(blocks);
  const std::int64_t bound = largestLiveSum(blocks).count();
  const Placement placement = bestPlacement(timed, bound);
  Bytes extent{placement.extent};
  for (Block& block : blocks) {
    block.offset = Bytes{};
    extent = std::max(extent, block.bytes);   // also of those that live for no time
  }
  for (std::size_t i = 0; i < timed.size(); ++i) blocks[timed.index[i]].offset = Bytes{placement.offsets[i]};
  return extent;
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
