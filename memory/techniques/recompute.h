// SPDX-License-Identifier: Apache-2.0
//
// Recomputation: outputs of cheap layers are dropped after their last forward reader and rebuilt from the checkpoint in
// front of them when backward touches them.
//
//   speed        rebuild a segment once and keep it:            O(N) extra forwards
//   memory       keep only what the running layer needs:        up to O(N^2) extra forwards, least memory
//   cost-aware   per segment: memory if its cost > l_peak, else speed
//
// Note [Rebuild before the gradients]
// The rebuild runs before the step's new gradients are allocated; the other way round AlexNet's cost-aware peak would be no
// better than the speed-centric one.
#pragma once

#include "memory/techniques/schedule.h"

namespace peakscope {

/// Expects a schedule with liveness. Fills segments and extraForwards.
void applyRecompute(Schedule& schedule, RecomputeMode mode, const LayerPeak& lPeak);

}  // namespace peakscope
