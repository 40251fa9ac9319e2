// SPDX-License-Identifier: Apache-2.0
//
// As Caffe's documentation describes its blobs: each has data and diff, allocated when the net is set up and kept; what is
// not computed in place has bytes of its own. Convolutions run with the smallest workspace.
#include "memory/policies/policies.h"
#include "memory/techniques/compose.h"

namespace peakscope {

Result<Plan, PlanError> planCaffeLike(const PlanInput& input, const PolicyOptions& options) { return compose(input, options, noTechniques); }

}  // namespace peakscope
