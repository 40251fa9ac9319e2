// SPDX-License-Identifier: Apache-2.0
//
// Prepared: everything on the spine up to the plan, for commands that predict. The same steps in the same order as a
// session takes them; `plan`, `simulate` and the techniques' contributions all come from here.
//
//   Result<Prepared> prepared = prepare(request, paths);
//   Result<Plan> plan = planOf(*prepared, request.options);
#pragma once

#include <memory>

#include "app/cli/request.h"
#include "app/paths.h"
#include "engine/lowering.h"
#include "memory/cost_table.h"
#include "memory/device_spec.h"
#include "memory/plan.h"

namespace peakscope::cli {

struct Prepared {
  engine::Graph graph;
  std::unique_ptr<engine::OpLibrary> library;
  engine::Lowering lowering;
  DeviceSpec device;
  CostTable costs;
};

[[nodiscard]] Result<Prepared> prepare(const Request& request, const app::Paths& paths);
[[nodiscard]] Result<Plan> planOf(const Prepared& prepared, const PolicyOptions& options);

}  // namespace peakscope::cli
