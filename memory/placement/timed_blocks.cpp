// SPDX-License-Identifier: Apache-2.0
#include "memory/placement/timed_blocks.h"

#include <algorithm>

#include "memory/saturated.h"

namespace peakscope {

TimedBlocks timedBlocks(const std::vector<Block>& blocks) {
  TimedBlocks timed;
  std::vector<std::int32_t> moments;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].bytes <= Bytes{} || blocks[i].end <= blocks[i].begin) continue;
    timed.index.push_back(i);
    moments.push_back(blocks[i].begin);
    moments.push_back(blocks[i].end);
  }
  std::ranges::sort(moments);
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  std::ranges::stable_sort(timed.index, {}, [&](std::size_t i) { return blocks[i].begin; });

  const auto number = [&](std::int32_t moment) { return static_cast<std::int32_t>(std::ranges::lower_bound(moments, moment) - moments.begin()); };
  timed.live.resize(moments.size());
  for (const std::size_t i : timed.index) {
    timed.begin.push_back(number(blocks[i].begin));
    timed.end.push_back(number(blocks[i].end));
    timed.bytes.push_back(blocks[i].bytes.count());
    std::int64_t& born = timed.live[static_cast<std::size_t>(timed.begin.back())];
    std::int64_t& gone = timed.live[static_cast<std::size_t>(timed.end.back())];
    born = addSaturated(born, timed.bytes.back());
    gone = subtractSaturated(gone, timed.bytes.back());
  }
  for (std::size_t moment = 1; moment < timed.live.size(); ++moment) timed.live[moment] = addSaturated(timed.live[moment], timed.live[moment - 1]);
  return timed;
}

}  // namespace peakscope
