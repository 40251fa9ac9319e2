// SPDX-License-Identifier: Apache-2.0
//
// liveness: what every framework does at least.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planLiveness(const PlanInput& input, const PolicyOptions& options) {
  return compose(input, options, {.liveness = true});
}

}  // namespace peakscope
