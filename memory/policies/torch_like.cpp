// SPDX-License-Identifier: Apache-2.0
//
// As Torch7 works with gradInput sharing (fb.resnet.torch): every module keeps its output for the whole iteration; gradients
// share buffers once their consumer has run.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planTorchLike(const PlanInput& input, const PolicyOptions& options) {
  return compose(input, options, {.liveness = true}, LivenessScope::GradientsOnly);
}

}  // namespace peakscope
