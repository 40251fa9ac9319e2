// SPDX-License-Identifier: Apache-2.0
//
// keep-all: no technique; the baseline.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planKeepAll(const PlanInput& input, const PolicyOptions& options) {
  return compose(input, options, noTechniques);
}

}  // namespace peakscope
