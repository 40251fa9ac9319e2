// SPDX-License-Identifier: Apache-2.0
//
// sweepTime: an allocator that walks the iteration once and gives each block the tightest gap that is free at its birth.
// It knows nothing of what comes later, costs O(n log n), and wastes nothing where lifetimes are nested.
//
//   const Placement placement = sweepTime(timedBlocks(blocks));
#pragma once

#include "memory/placement/timed_blocks.h"

namespace peakscope {

[[nodiscard]] Placement sweepTime(const TimedBlocks& blocks);

}  // namespace peakscope
