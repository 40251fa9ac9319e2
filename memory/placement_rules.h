// SPDX-License-Identifier: Apache-2.0
//
// The placement rules that a user can choose between (PlacementRule): one interface, so that plans differ in nothing else.
//
//   Bytes extent = placeBlocks(blocks, PlacementRule::Pool);
//
// Note [Native allocation]
// cudaMalloc gives every tensor memory of its own in units of 512 bytes. Offsets and extent are those of a driver that takes
// the first hole that is large enough; one that maps pages can do with what is live at once, which is shown beside it. What
// native allocation costs above all is time: see DeviceSpec::nativeAllocNanoseconds.
#pragma once

#include <vector>

#include "memory/paper_pool.h"
#include "memory/placement.h"
#include "memory/policy_options.h"

namespace peakscope {

inline constexpr Bytes nativeGranularity{512};

/// Fills Block::offset and returns the extent. The rules round to their own units inside; what is left over is waste that
/// the lower bound shows.
[[nodiscard]] Bytes placeBlocks(std::vector<Block>& blocks, PlacementRule rule);

}  // namespace peakscope
