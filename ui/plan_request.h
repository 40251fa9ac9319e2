// SPDX-License-Identifier: GPL-3.0-or-later
//
// PlanRequest: what the window asks of those who plan in the background; and what every such service does first, which is to
// turn it into something to plan.
//
//   Planning planning(findNetwork, makeBackend, session);      // of one thread
//   const auto prepared = planning.prepare(request);
//   if (prepared) makePlan(prepared->input(), request.options);
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/planning/compare.h"
#include "engine/runtime/session.h"
#include "memory/policy.h"

namespace peakscope::ui {

struct PlanRequest {
  std::string net = "minivgg";
  std::int64_t batch = 0;               ///< 0: the network's own
  std::int64_t inputHeight = 0, inputWidth = 0;   ///< 0: the network's own
  std::string lowering = "lean";
  std::string backend = "cpu";
  PolicyOptions options;
  std::int64_t number = 0;              ///< counts requests; the answer carries it back
};

/// A network with the layouts, the device and the costs of the backend that would run it.
struct PreparedNetwork {
  engine::Graph graph;
  engine::Lowering lowering;
  DeviceSpec device;
  CostTable costs;

  [[nodiscard]] PlanInput input() const { return {lowering.workload, device, costs}; }
};
/// The policy's plan, run once on the modelled lanes of `device`: forecasts have one source of times.
[[nodiscard]] engine::ComparedPolicy forecast(const PreparedNetwork& prepared, const DeviceSpec& device, const PolicyOptions& options);

using FindNetwork = std::function<Result<engine::Graph>(const std::string& net)>;

/// Used by one thread: libraries keep their answers between requests.
class Planning {
 public:
  /// `session`: what every session has in common (threads, folders).
  Planning(FindNetwork findNetwork, engine::BackendFactory makeBackend, engine::SessionConfig session);

  [[nodiscard]] Result<PreparedNetwork> prepare(const PlanRequest& request);

 private:
  FindNetwork m_findNetwork;
  engine::BackendFactory m_makeBackend;
  engine::SessionConfig m_session;
  std::map<std::string, std::unique_ptr<engine::Backend>> m_backends;
};

}  // namespace peakscope::ui
