// SPDX-License-Identifier: Apache-2.0
//
// Offload and prefetch (the unified tensor pool's traffic): outputs of convolutions, or of all checkpoints, wait on the
// host between their last forward reader and their first backward reader.
//
// Note [Offload waits for its copy]
// A copy that runs beside compute frees device bytes only when it has ended. When that is waited for is a decision of the
// plan, never of the clock: with OffloadFree::LastReader at the end of the last forward reader; with Hidden at the first
// step by which the cost table says the copy has ended, at the latest before the tensor is fetched again.
#pragma once

#include <limits>

#include "memory/cost_table.h"
#include "memory/policy_options.h"
#include "memory/techniques/schedule.h"

namespace peakscope {

struct OffloadOptions {
  OffloadSet set = OffloadSet::Convolutions;
  Prefetch prefetch = Prefetch::PreviousConvolution;
  OffloadFree free = OffloadFree::LastReader;
  /// Hidden only: the most slots by which a free may come after the last reader. A tight budget makes it small.
  SlotIndex maxDelay = std::numeric_limits<SlotIndex>::max();
};

/// Expects a schedule with liveness; recomputation, if any, has been applied before.
void applyOffload(Schedule& schedule, const OffloadOptions& options, const CostTable& costs);

}  // namespace peakscope
