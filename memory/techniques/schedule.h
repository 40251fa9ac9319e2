// SPDX-License-Identifier: Apache-2.0
//
// Schedule: a plan in the making. One slot per op of the route, with what happens before and after it; no addresses yet.
// A technique is one pass over it; placement then turns it into a Plan.
//
//   Schedule schedule = keepEverything(workload);     // the flat curve
//   applyLiveness(schedule);
//   applyRecompute(schedule, RecomputeMode::CostAware);
//   applyOffload(schedule, {.set = OffloadSet::Convolutions, ...});
//   Plan plan = place(schedule, device, options);
#pragma once

#include <string>
#include <vector>

#include "memory/plan.h"
#include "memory/workload.h"

namespace peakscope {

enum class ActionKind : std::uint8_t { Alloc, Free, Rebuild, CopyOut, CopyIn };

/// What a slot does besides running its op. Rebuild names an op, the others a tensor.
struct Action {
  ActionKind kind = ActionKind::Alloc;
  TensorId tensor;
  OpId op;
  Cause cause;
};

struct Slot {
  OpId op;
  std::vector<Action> before;
  std::vector<Action> after;
};

struct Schedule {
  const Workload* workload = nullptr;
  IdVector<LayerId, char> isCheckpoint;   ///< per layer: its output is never rebuilt, see memory/techniques/checkpoints.h
  IdVector<TensorId, char> isRebuilt;     ///< dropped after forward and re-run in backward
  std::vector<Slot> slots;            ///< same index as workload.route
  std::vector<Segment> segments;
  std::int32_t extraForwards = 0;
};

/// Position of a slot; -1: none.
using SlotIndex = std::int32_t;

/// Where the route touches a transient tensor.
struct TensorUses {
  SlotIndex first = -1;
  SlotIndex lastForward = -1;         ///< last forward op that touches it
  SlotIndex lastForwardWriter = -1;
  SlotIndex last = -1;
};
[[nodiscard]] IdVector<TensorId, TensorUses> usesOnRoute(const Workload& workload);

[[nodiscard]] bool isForward(Phase phase);
/// Removes the actions of one kind on one tensor from a slot's `after` list.
void removeFree(Slot& slot, TensorId tensor);

/// Every transient tensor is allocated before the first op and freed after the last one.
[[nodiscard]] Schedule keepEverything(const Workload& workload);

}  // namespace peakscope
