// SPDX-License-Identifier: Apache-2.0
//
// The tensor cache (paper, section 3.3.2): tensors stay on the device while they fit and leave only under pressure. The
// order of accesses is known, so the cache is simulated while planning: every hit, miss and eviction is a decision of the
// plan, and nothing is copied if everything fits.
//
//   const bool fits = applyTensorCache(schedule, {.set = ..., .capacity = budget, .alignment = device.alignment});
//
// Note [How the cache decides]
//   an op touches a cached tensor      hit: it moves to the front of the list; miss: room is made, it is fetched
//   something needs room               tensors are given up from the tail of the list until it fits; Belady's rule gives up
//                                      the one whose next use is farthest away instead
//   locked                             what the running op (or the re-run that comes next) touches is never given up
// An evicted tensor's copy to the host is queued when its content is complete, for the plan knows by then that it will be
// evicted: the eviction itself seldom waits. A tensor that comes back keeps its host copy and is never copied out twice.
#pragma once

#include "memory/policy_options.h"
#include "memory/techniques/schedule.h"

namespace peakscope {

struct CacheOptions {
  OffloadSet set = OffloadSet::Convolutions;     ///< what may be evicted
  Prefetch prefetch = Prefetch::PreviousConvolution;   ///< previous-conv: only into room that is free anyway
  Eviction rule = Eviction::LeastRecentlyUsed;
  Bytes capacity;                                ///< of persistent and transient slots together
  Bytes alignment{256};                          ///< of a slot
};

/// Expects a schedule with liveness; recomputation, if any, has been applied before. Returns false if more than `capacity`
/// is live at some step although everything that may leave has left.
[[nodiscard]] bool applyTensorCache(Schedule& schedule, const CacheOptions& options);

}  // namespace peakscope
