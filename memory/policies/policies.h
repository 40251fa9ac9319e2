// SPDX-License-Identifier: Apache-2.0
//
// The entry points of the policies, one file each; table.cpp lists them. To add one: write a file, add a line there.
#pragma once

#include "memory/policy.h"

namespace peakscope {

[[nodiscard]] Result<Plan, PlanError> planKeepAll(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planLiveness(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planSuperneurons(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planVdnnAll(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planVdnnConv(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planVdnnDyn(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planChenSqrt(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planDensenetEfficient(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planCaffeLike(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planTorchLike(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planMxnetLike(const PlanInput& input, const PolicyOptions& options);
[[nodiscard]] Result<Plan, PlanError> planTensorflowLike(const PlanInput& input, const PolicyOptions& options);

}  // namespace peakscope
