// SPDX-License-Identifier: Apache-2.0
//
// Memory-efficient DenseNet (Pleiss et al., 2017): what convolutions write is kept; concatenations, batch norms and ReLUs are
// rebuilt just before backward needs them and dropped at once. The shared buffers of that report come by themselves: what
// never lives at the same time gets the same bytes.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planDensenetEfficient(const PlanInput& input, const PolicyOptions& options) {
  PolicyOptions own = options;
  own.checkpointRule = CheckpointRule::Convolutions;
  own.recompute = RecomputeMode::Memory;
  return compose(input, own, {.liveness = true, .recompute = true});
}

}  // namespace peakscope
