// SPDX-License-Identifier: Apache-2.0
//
// As TensorFlow 1 is documented: tensors are counted references, freed after their last reader; its memory optimizer may swap
// what convolutions read to the host when the device is too small. Requests are served one after the other from one pool.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planTensorflowLike(const PlanInput& input, const PolicyOptions& options) {
  PolicyOptions own = options;
  own.placement = PlacementRule::Pool;
  own.offload = OffloadSet::ConvolutionInputs;
  own.prefetch = Prefetch::OnDemand;
  return compose(input, own, {.liveness = true, .offload = true, .cache = true, .workspace = true});
}

}  // namespace peakscope
