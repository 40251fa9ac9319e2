// SPDX-License-Identifier: Apache-2.0
//
// fillSkyline: places blocks from the bottom up, for all moments at once.
//
//   std::vector<double> weights = ...;   // of two blocks that fit, the heavier goes first
//   const SkylinePlacement placement = fillSkyline(timed, weights);
//
// Note [Skyline]
//   offset                               The skyline is the height reached so far at each moment. Its lowest valley is
//     |      +------+                    filled next, with the heaviest block that lives within the valley's moments.
//     |   +--+      +-+   +---           If there is none, the valley is lifted to its lower neighbour, and the bytes
//     |---+           +---+              between are wasted there. After best-fit strip packing (Burke et al. 2004), as
//     |    \ a valley: 3 free bytes      Sekiyama et al. 2018 use it for networks. No block is compared with another:
//     +----------------------- moment    valleys wait in a heap, blocks in a tree by birth.
#pragma once

#include <span>

#include "memory/placement/timed_blocks.h"

namespace peakscope {

struct SkylinePlacement : Placement {
  /// A valley that was filled with nothing, after `placedBefore` blocks had found their place.
  struct Lift {
    std::int32_t begin, end;
    std::int64_t bytes;
    std::int32_t placedBefore;
  };
  std::vector<Lift> lifts;
  std::vector<std::int32_t> turns;   ///< per block: how many were placed before it
};

[[nodiscard]] SkylinePlacement fillSkyline(const TimedBlocks& blocks, std::span<const double> weights);

}  // namespace peakscope
