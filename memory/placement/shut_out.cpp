// SPDX-License-Identifier: Apache-2.0
#include "memory/placement/shut_out.h"

#include <algorithm>

namespace peakscope {
namespace {

constexpr std::size_t mostMoments = 4;

/// The births of blocks that reach beyond the limit, the highest first; none while an earlier one's block lives.
std::vector<std::int32_t> momentsBeyond(const TimedBlocks& blocks, const Placement& placement, std::int64_t limit) {
  std::vector<std::size_t> beyond;
  const auto top = [&](std::size_t i) { return placement.offsets[i] + blocks.bytes[i]; };
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (top(i) > limit) beyond.push_back(i);
  std::ranges::stable_sort(beyond, std::greater{}, top);
  std::vector<std::int32_t> moments;
  for (const std::size_t i : beyond) {
    if (moments.size() == mostMoments) break;
    const auto isAlive = [&](std::int32_t moment) { return blocks.begin[i] <= moment && moment < blocks.end[i]; };
    if (std::ranges::none_of(moments, isAlive)) moments.push_back(blocks.begin[i]);
  }
  return moments;
}

/// The turn at which the bytes wasted at this moment left too little for the blocks that live then.
std::int32_t turnTooLate(const TimedBlocks& blocks, const SkylinePlacement& placement, std::int32_t moment, std::int64_t limit) {
  std::int64_t wasted = 0;
  for (const auto& lift : placement.lifts) {
    if (moment < lift.begin || lift.end <= moment) continue;
    wasted += lift.bytes;
    if (blocks.live[static_cast<std::size_t>(moment)] + wasted > limit) return lift.placedBefore;
  }
  return static_cast<std::int32_t>(blocks.size());
}

}  // namespace

std::vector<std::size_t> blocksShutOut(const TimedBlocks& blocks, const SkylinePlacement& placement, std::int64_t limit) {
  std::vector<bool> isShutOut(blocks.size());
  for (const std::int32_t moment : momentsBeyond(blocks, placement, limit)) {
    const std::int32_t turn = turnTooLate(blocks, placement, moment, limit);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (blocks.begin[i] <= moment && moment < blocks.end[i] && placement.turns[i] >= turn) isShutOut[i] = true;
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (isShutOut[i]) result.push_back(i);
  return result;
}

}  // namespace peakscope
