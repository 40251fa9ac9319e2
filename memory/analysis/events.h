// SPDX-License-Identifier: Apache-2.0
//
// Event: one row of the event table, the CSV and the lanes; a plan step of one iteration with its times and its cause.
//
//   for (const Event& e : expand(workload, plan, iteration, times)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "memory/log_record.h"
#include "memory/plan.h"

namespace peakscope::analysis {

enum class EventKind : std::uint8_t { Alloc, Free, Run, Rebuild, Load, CopyOut, CopyIn, Stall };
[[nodiscard]] const char* toString(EventKind kind);

struct Event {
  std::int64_t beginNs = 0;      ///< since the session's time 0
  std::int64_t endNs = 0;        ///< equal to beginNs for Alloc and Free
  std::int64_t iteration = 0;
  PlanStepId planStep;
  PaperStep paperStep = 0;
  EventKind kind = EventKind::Run;
  Lane lane = Lane::Compute;     ///< a Stall: the lane that waited
  TensorId tensor;               ///< Alloc, Free, copies; a Stall: the tensor whose copy it waited for, if any
  OpId op;                       ///< Run, Rebuild, Load
  Bytes bytes;                   ///< of the tensor or the workspace
  Cause cause;

  friend bool operator==(const Event&, const Event&) = default;
};

/// The events of plan steps first, first+1, ... whose times are given. A Wait of the compute lane becomes a Stall if it
/// lasted at all; copy lanes wait as a matter of course.
[[nodiscard]] std::vector<Event> expand(const Workload& workload, const Plan& plan, std::int64_t iteration, PlanStepId first,
                                        std::span<const StepTime> times);

}  // namespace peakscope::analysis
