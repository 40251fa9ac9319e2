// SPDX-License-Identifier: Apache-2.0
#include "engine/cost_model.h"
#include "engine/graph/network_file.h"
#include "engine/planning/reproduction/gather.h"

namespace peakscope::engine::reproduction {

Result<Lowered> lowered(const ReproduceInput& input, const std::string& net, std::int64_t batch) {
  const auto graph = findNetwork(net, input.networksDir);
  if (!graph) return fail(graph.error());
  IdealLibrary library;
  Lowering lowering = lower(*graph, batch, LoweringOptions::paper(), library);
  CostTable costs = modelCosts(lowering, input.device);
  return Lowered{std::move(lowering), std::move(costs)};
}

Result<Plan> planned(const ReproduceInput& input, const Lowered& net, const PolicyOptions& options) {
  auto plan = net.plan(input.device, options);
  if (!plan) return fail(errorOf(plan.error()));
  return std::move(*plan);
}

}  // namespace peakscope::engine::reproduction
