// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan_request.h"

#include "engine/backends/virtual/virtual_backend.h"
#include "engine/graph/network_file.h"

namespace peakscope::ui {

engine::ComparedPolicy forecast(const PreparedNetwork& prepared, const DeviceSpec& device, const PolicyOptions& options) {
  engine::VirtualBackend lanes(device, [&](const engine::Lowering&) { return prepared.costs; });
  return engine::compared(lanes, {prepared.lowering, device, prepared.costs}, options);
}

Planning::Planning(FindNetwork findNetwork, engine::BackendFactory makeBackend, engine::SessionConfig session)
    : m_findNetwork(std::move(findNetwork)), m_makeBackend(std::move(makeBackend)), m_session(std::move(session)) {}

Result<PreparedNetwork> Planning::prepare(const PlanRequest& request) {
  auto graph = m_findNetwork(request.net);
  if (graph && request.inputHeight > 0) graph = engine::withInputSize(std::move(*graph), request.inputHeight, request.inputWidth);
  if (!graph) return fail(graph.error());
  const auto lowering = engine::LoweringOptions::parse(request.lowering);
  if (!lowering) return fail(lowering.error());
  // The CPU does not know all layers of a model that it will not train.
  const std::string name = graph->planOnly.empty() ? request.backend : "virtual";
  auto& backend = m_backends[name];
  if (!backend) {
    m_session.backend = name;
    auto made = m_makeBackend(m_session);
    if (!made) return fail(made.error());
    backend = std::move(*made);
  }
  const std::int64_t batch = request.batch > 0 ? request.batch : graph->defaultBatch;
  engine::Lowering lowered = engine::lower(*graph, batch, *lowering, backend->library());
  CostTable costs = backend->costs(lowered);
  return PreparedNetwork{std::move(*graph), std::move(lowered), backend->device(), std::move(costs)};
}

}  // namespace peakscope::ui
