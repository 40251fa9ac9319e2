// SPDX-License-Identifier: Apache-2.0
//
// Training deep nets with sublinear memory cost (Chen et al., 2016): about sqrt(N) layers keep their outputs; the segment
// between two of them is rebuilt once, when backward enters it. Convolutions are rebuilt too; nothing is offloaded.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planChenSqrt(const PlanInput& input, const PolicyOptions& options) {
  PolicyOptions own = options;
  own.checkpointRule = CheckpointRule::SquareRoot;
  own.recompute = RecomputeMode::Speed;
  return compose(input, own, {.liveness = true, .recompute = true});
}

}  // namespace peakscope
