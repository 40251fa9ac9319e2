// SPDX-License-Identifier: Apache-2.0
//
// The layer outputs that may leave the device, and where the next one is fetched ahead. Offload moves all of
// them, the tensor cache those for which there is no room.
//
//   const OffloadCandidates candidates = offloadCandidates(workload, OffloadSet::Convolutions, schedule.isCheckpoint, schedule.isRebuilt);
//   if (candidates.producer[tensor].isValid()) ...      // an output of a convolution
#pragma once

#include <vector>

#include "memory/policy_options.h"
#include "memory/techniques/schedule.h"

namespace peakscope {

struct OffloadCandidates {
  IdVector<TensorId, OpId> producer;                    ///< the forward op that writes it; invalid: the tensor stays
  IdVector<LayerId, std::vector<TensorId>> tensorsOf;   ///< the same tensors, by the layer because of which they leave
};
/// `isCheckpoint` and `isRebuilt` as in a schedule: what is rebuilt is never moved.
[[nodiscard]] OffloadCandidates offloadCandidates(const Workload& workload, OffloadSet set, const IdVector<LayerId, char>& isCheckpoint,
                                                  const IdVector<TensorId, char>& isRebuilt);

/// The paper's prefetch: at the backward slot of an offloading layer, what left because of the next such layer in backward order.
/// Per slot, empty where nothing is triggered.
[[nodiscard]] std::vector<std::vector<TensorId>> prefetchTriggers(const Schedule& schedule, const OffloadCandidates& candidates);

/// Whether a slot's op or one of its rebuilds touches the tensor last, and where backward needs it first; -1: nowhere.
struct LaterUses {
  IdVector<TensorId, SlotIndex> firstRebuild, firstBackward, last;
};
[[nodiscard]] LaterUses laterUses(const Schedule& schedule);

/// Puts the copy of `tensor` to the host behind the op that writes it last in forward; frees of that slot need not wait for it.
void insertCopyOut(Slot& written, TensorId tensor, Cause cause);

}  // namespace peakscope
