// SPDX-License-Identifier: Apache-2.0
//
// As MXNet's memory planner is documented: liveness over the symbolic graph, with storage shared between tensors that never
// live at the same time, decided one request after the other; recomputation ("mirroring") is off by default. cuDNN's
// fastest algorithm is chosen under what is left.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planMxnetLike(const PlanInput& input, const PolicyOptions& options) {
  PolicyOptions own = options;
  own.placement = PlacementRule::Pool;
  return compose(input, own, {.liveness = true, .workspace = true});
}

}  // namespace peakscope
