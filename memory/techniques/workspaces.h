// SPDX-License-Identifier: Apache-2.0
//
// Dynamic workspaces (paper, section 3.5): tensors come first, workspaces get what is left. Free bytes differ from step to
// step, so every op of every step gets the fastest algorithm whose workspace fits the bytes free at that step.
//
//   chooseWorkspaces(plan, workload, costs, limit);
//
// Note [A workspace never is the reason for running out]
// The plan arrives complete, each op with its smallest workspace. A larger one is taken only where a gap between the placed
// tensors holds it below `limit`; no tensor moves, and with the plan's own extent as limit the arena does not grow.
//
// Note [A re-run takes the algorithm of the first run]
// Another algorithm rounds differently, and what is rebuilt must equal what was dropped to the bit: so the fastest algorithm
// that fits at the forward run and at all of its re-runs is taken for all of them.
#pragma once

#include "memory/cost_table.h"
#include "memory/plan.h"

namespace peakscope {

/// `limit`: the arena offset that workspaces may reach; at least plan.arenaBytes. Updates the candidates, their offsets and
/// arenaBytes.
void chooseWorkspaces(Plan& plan, const Workload& workload, const CostTable& costs, Bytes limit);

}  // namespace peakscope
