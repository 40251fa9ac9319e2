// SPDX-License-Identifier: Apache-2.0
//
// vDNN (Rhu et al., MICRO 2016): the feature maps that layers read are offloaded when the layer has run forward and fetched
// back while an earlier layer of backward runs.
//
//   vdnn-all    the inputs of all layers, smallest workspaces                 the least memory
//   vdnn-conv   the inputs of convolutions, smallest workspaces               their compute hides the copies
//   vdnn-dyn    nothing, else conv, else all: the first that fits, with the fastest algorithms that then fit
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

namespace {

PolicyOptions moving(PolicyOptions options, OffloadSet set) {
  options.offload = set;
  options.prefetch = Prefetch::PreviousConvolution;
  options.offloadFree = OffloadFree::LastReader;
  return options;
}

}  // namespace

Result<Plan, PlanError> planVdnnAll(const PlanInput& input, const PolicyOptions& options) {
  return compose(input, moving(options, OffloadSet::All), {.liveness = true, .offload = true});
}

Result<Plan, PlanError> planVdnnConv(const PlanInput& input, const PolicyOptions& options) {
  return compose(input, moving(options, OffloadSet::ConvolutionInputs), {.liveness = true, .offload = true});
}

Result<Plan, PlanError> planVdnnDyn(const PlanInput& input, const PolicyOptions& options) {
  auto plan = compose(input, options, {.liveness = true, .workspace = true});
  for (const OffloadSet set : {OffloadSet::ConvolutionInputs, OffloadSet::All})
    if (!plan) plan = compose(input, moving(options, set), {.liveness = true, .offload = true, .workspace = true});
  return plan;
}

}  // namespace peakscope
