// SPDX-License-Identifier: Apache-2.0
//
// All policies, one line each.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "memory/policies/policies.h"

namespace peakscope {
namespace {

constexpr std::array table{
    PolicyInfo{"keep-all", "Everything is allocated for the whole iteration: the flat curve that the others are compared with.", planKeepAll},
    PolicyInfo{"liveness", "A tensor is allocated by the first op that touches it and freed after the last one.", planLiveness},
    PolicyInfo{"superneurons", "Liveness, offload with prefetch, and recomputation as in the paper; each can be switched with --techniques.", planSuperneurons},
};

}  // namespace

std::span<const PolicyInfo> policies() { return table; }

Result<Plan, PlanError> makePlan(const PlanInput& input, const PolicyOptions& options) {
  const auto policy = std::find_if(table.begin(), table.end(), [&](const PolicyInfo& info) { return options.policy == info.name; });
  if (policy != table.end()) return policy->plan(input, options);
  std::string names;
  for (const PolicyInfo& info : table) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return fail(PlanError{.other = fmt::format("policy '{}' is not known; use one of: {}", options.policy, names)});
}

Error errorOf(const PlanError& error) { return {error.other.empty() ? ErrorKind::CannotBeMet : ErrorKind::BadInput, message(error)}; }

std::string message(const PlanError& error) {
  if (!error.other.empty()) return error.other;
  const bool isDevice = error.memory == PlanError::Memory::Device;
  const std::string at = error.layer.empty() ? "the persistent tensors need" : fmt::format("step {}, {} {}, needs", error.step, error.layer, toString(error.phase));
  return fmt::format("does not fit: {} {} of {} bytes ({}), the {} is {} ({}); the smallest that works is {} bytes, or try {}", at,
                     error.needed.count(), isDevice ? "arena" : "host", formatBytes(error.needed), isDevice ? "budget" : "host budget",
                     error.budget.count(), formatBytes(error.budget), error.smallestBudget.count(),
                     isDevice ? "a smaller batch or other techniques" : "a smaller batch or to offload less");
}

}  // namespace peakscope
