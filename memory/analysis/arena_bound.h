// SPDX-License-Identifier: Apache-2.0
//
// The lower bound of every placement: what is live at once, in whole slots. An arena that is larger has holes.
//
//   const double waste = double(plan.arenaBytes.count()) / double(arenaLowerBound(workload, plan).count());   // 1: none
#pragma once

#include "memory/plan.h"

namespace peakscope::analysis {

/// Persistent region, and the most bytes of slots (workspaces included) that the plan's steps hold at once.
[[nodiscard]] Bytes arenaLowerBound(const Workload& workload, const Plan& plan);

}  // namespace peakscope::analysis
