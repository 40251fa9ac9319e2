// SPDX-License-Identifier: Apache-2.0
//
// compose: the passes in their order, then placement, then the budgets. Every policy ends here.
#pragma once

#include "memory/policy.h"
#include "memory/techniques/liveness.h"

namespace peakscope {

/// A plan with just these techniques, or the step that does not fit. `scope` matters where no technique
/// but liveness is on.
[[nodiscard]] Result<Plan, PlanError> compose(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques, LivenessScope scope = LivenessScope::Everything);

}  // namespace peakscope
