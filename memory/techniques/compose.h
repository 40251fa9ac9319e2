// SPDX-License-Identifier: Apache-2.0
//
// compose: the passes in their order, then placement, then the budgets. Every policy ends here.
#pragma once

#include "memory/policy.h"

namespace peakscope {

/// A plan with just these techniques, or the step that does not fit.
[[nodiscard]] Result<Plan, PlanError> compose(const PlanInput& input, const PolicyOptions& options, const Techniques& techniques);

}  // namespace peakscope
