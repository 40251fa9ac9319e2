// SPDX-License-Identifier: Apache-2.0
//
// The pieces of `reproduce`, one per result of the paper: each plans what it needs and fills its part of the values.
#pragma once

#include <span>

#include "engine/lowering.h"
#include "engine/planning/reproduction.h"
#include "memory/cost_table.h"
#include "memory/policy.h"

namespace peakscope::engine::reproduction {

using report::Reproduction;

[[nodiscard]] Result<void> stepCurves(const ReproduceInput& input, Reproduction& found);       ///< Fig. 10
[[nodiscard]] Result<void> recomputeModes(const ReproduceInput& input, Reproduction& found);   ///< Table 1
[[nodiscard]] Result<void> largestBatches(const ReproduceInput& input, Reproduction& found);
[[nodiscard]] Result<void> deepestNet(const ReproduceInput& input, Reproduction& found);
[[nodiscard]] Result<void> traffic(const ReproduceInput& input, Reproduction& found);
[[nodiscard]] Result<void> workspaces(const ReproduceInput& input, Reproduction& found);
[[nodiscard]] Result<void> poolSpeeds(const ReproduceInput& input, Reproduction& found);

/// A network lowered as the paper counts, with modelled costs: what every piece plans.
struct Lowered {
  Lowering lowering;
  CostTable costs;

  [[nodiscard]] Result<Plan, PlanError> plan(const DeviceSpec& device, const PolicyOptions& options) const {
    return makePlan({lowering.workload, device, costs}, options);
  }
};
[[nodiscard]] Result<Lowered> lowered(const ReproduceInput& input, const std::string& net, std::int64_t batch);
/// A plan that must be there: a refusal is an error of the whole command.
[[nodiscard]] Result<Plan> planned(const ReproduceInput& input, const Lowered& net, const PolicyOptions& options);

}  // namespace peakscope::engine::reproduction
