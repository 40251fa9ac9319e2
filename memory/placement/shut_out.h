// SPDX-License-Identifier: Apache-2.0
//
// blocksShutOut: why a skyline is too high. Where it passes the limit, too many bytes were wasted below: valleys were lifted
// because the blocks that still waited for a place at that moment live beyond them. Those blocks came too late; the next
// attempt should prefer them.
//
//   for (const std::size_t block : blocksShutOut(timed, placement, limit)) weights[block] *= 1.3;
#pragma once

#include "memory/placement/skyline.h"

namespace peakscope {

/// Looks at the highest places first, at a few moments only: curing one often cures the others.
[[nodiscard]] std::vector<std::size_t> blocksShutOut(const TimedBlocks& blocks, const SkylinePlacement& placement, std::int64_t limit);

}  // namespace peakscope
