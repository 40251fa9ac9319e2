// SPDX-License-Identifier: Apache-2.0
//
// superneurons: the paper's composition, each technique switchable.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planSuperneurons(const PlanInput& input, const PolicyOptions& options) {
  return compose(input, options, options.techniques);
}

}  // namespace peakscope
