// SPDX-License-Identifier: Apache-2.0
//
// Host homes: parameters and optimizer state that live on the host (Tensor::livesOnHost) come to the device for their uses
// only, through the same lanes as offloaded tensors, and go back when they were changed.
//
//   applyHostHomes(schedule, {.prefetch = Prefetch::PreviousConvolution});
//
//   conv1.weights     fetch | conv1 F | free  ...  fetch | conv1 B | update | write back | free
//
// A tensor stays while its next use is in the next slot. With Prefetch::PreviousConvolution it is fetched one slot ahead, so
// that the copy runs beside compute; OnDemand fetches at the slot itself, which takes the least memory.
#pragma once

#include "memory/policy_options.h"
#include "memory/techniques/schedule.h"

namespace peakscope {

struct HostHomeOptions {
  Prefetch prefetch = Prefetch::PreviousConvolution;
  OffloadFree free = OffloadFree::LastReader;   ///< Hidden: the bytes of what is written back become free a slot later
};

/// Recomputation and eager offload have been applied before; the tensor cache comes after.
void applyHostHomes(Schedule& schedule, const HostHomeOptions& options);

}  // namespace peakscope
