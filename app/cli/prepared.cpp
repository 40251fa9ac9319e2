// SPDX-License-Identifier: Apache-2.0
#include "app/cli/prepared.h"

#include <fmt/format.h>

#include "app/backends.h"
#include "engine/cost_model.h"
#include "engine/graph/device_file.h"
#include "engine/graph/network_file.h"
#include "memory/policy.h"

namespace peakscope::cli {

Result<Prepared> prepare(const Request& request, const app::Paths& paths) {
  auto graph = engine::findNetwork(request.net, paths.samples / "networks");
  if (!graph) return fail(graph.error());
  if (request.inputHeight > 0) {
    graph = engine::withInputSize(std::move(*graph), request.inputHeight, request.inputWidth);
    if (!graph) return fail(graph.error());
  }
  const auto options = engine::LoweringOptions::parse(request.lowering);
  if (!options) return fail(options.error());
  auto device = engine::readDevice(request.device.empty() ? app::defaultDevice : request.device, paths.devices);
  if (!device) return fail(device.error());
  auto library = app::makeLibrary(request.backend.empty() ? "ideal" : request.backend, request.threads);
  if (!library) return fail(library.error());

  const std::int64_t batch = request.batch > 0 ? request.batch : graph->defaultBatch;
  engine::Lowering lowering = engine::lower(*graph, batch, *options, **library);
  CostTable costs = engine::modelCosts(lowering, *device, request.linkBytesPerSecond);
  return Prepared{std::move(*graph), std::move(*library), std::move(lowering), std::move(*device), std::move(costs)};
}

Result<Plan> planOf(const Prepared& prepared, const PolicyOptions& options) {
  auto plan = makePlan({prepared.lowering.workload, prepared.device, prepared.costs}, options);
  if (!plan) return fail(errorOf(plan.error()));
  return std::move(*plan);
}

}  // namespace peakscope::cli
