// SPDX-License-Identifier: Apache-2.0
//
// Which layers are checkpoints, by the rule that the options name.
//
//   schedule.isCheckpoint = checkpointsOf(workload, options);
//   if (const auto unknown = unknownCheckpoint(workload, options)) refuse(*unknown);
#pragma once

#include <optional>
#include <string>

#include "memory/policy_options.h"
#include "memory/workload.h"

namespace peakscope {

/// Per layer. Data and loss are checkpoints under every rule.
[[nodiscard]] IdVector<LayerId, char> checkpointsOf(const Workload& workload, const PolicyOptions& options);
/// The first listed name that is no layer.
[[nodiscard]] std::optional<std::string> unknownCheckpoint(const Workload& workload, const PolicyOptions& options);

}  // namespace peakscope
