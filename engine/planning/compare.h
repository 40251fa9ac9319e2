// SPDX-License-Identifier: Apache-2.0
//
// Policies side by side: each one's plan for the same workload and budget, run once on a backend, which is the virtual one
// wherever a person waits for the answer.
//
//   for (const PolicyInfo& policy : policies()) {
//     VirtualBackend backend(device, costsOf);   // it refers to the plan, which ends with the row
//     rows.push_back(compared(backend, {lowering, device, costs}, {.policy = policy.name}));
//   }
#pragma once

#include <cstdint>
#include <string>

#include "engine/backend.h"
#include "engine/lowering.h"
#include "memory/cost_table.h"
#include "memory/device_spec.h"
#include "memory/policy.h"

namespace peakscope::engine {

struct CompareInput {
  const Lowering& lowering;
  const DeviceSpec& device;
  const CostTable& costs;
};

/// One policy's row. Times are the backend's.
struct ComparedPolicy {
  PolicyOptions options;
  std::string refused;                 ///< why there is no plan; then only smallestBudget means something
  Bytes smallestBudget;                ///< with which the policy would plan, if it was refused for its bytes
  Bytes scheduledPeak, totalPeak, arena, arenaBound, host, copiedOut, copiedIn;
  std::int32_t extraForwards = 0;
  std::int64_t timeNs = 0, stallNs = 0, recomputeNs = 0;
  double overlap = 0;                  ///< share of copy time beside compute

  [[nodiscard]] bool fits() const { return refused.empty(); }
  [[nodiscard]] double imagesPerSecond(std::int64_t batch) const { return timeNs > 0 ? static_cast<double>(batch) * 1e9 / static_cast<double>(timeNs) : 0; }
};
[[nodiscard]] ComparedPolicy compared(Backend& backend, const CompareInput& input, const PolicyOptions& options);

}  // namespace peakscope::engine
