// SPDX-License-Identifier: Apache-2.0
//
// Policies: pure functions from a workload to a plan. A policy is one file in memory/policies/ and one line of the table.
//
//   Result<Plan, PlanError> plan = makePlan({workload, device, costs}, options);
//   if (!plan) std::puts(message(plan.error()).c_str());
#pragma once

#include <span>
#include <string>

#include "memory/cost_table.h"
#include "memory/device_spec.h"
#include "memory/plan.h"
#include "memory/result.h"
#include "memory/workload.h"

namespace peakscope {

struct PlanInput {
  const Workload& workload;
  const DeviceSpec& device;
  const CostTable& costs;
};

/// Why there is no plan: the step that needs the most, and the smallest budget with which the same options succeed.
struct PlanError {
  enum class Memory { Device, Host } memory = Memory::Device;
  PaperStep step = 0;
  std::string layer;
  Phase phase = Phase::Forward;
  Bytes needed;             ///< arena (or host) bytes that this step needs
  Bytes budget;
  Bytes smallestBudget;
  std::string other;        ///< not a matter of bytes: unknown policy, sub-option of a technique that is off
  friend bool operator==(const PlanError&, const PlanError&) = default;
};
/// For those who ask for a plan on behalf of a person: what cannot fit, and what was asked for wrongly.
[[nodiscard]] Error errorOf(const PlanError& error);
/// "does not fit: step 32, pool5 backward, needs 1.49 GiB, budget 1.00 GiB; the smallest budget that works is ..."
[[nodiscard]] std::string message(const PlanError& error);

struct PolicyInfo {
  const char* name;
  const char* description;   ///< one sentence for `policies` and tooltips
  Result<Plan, PlanError> (*plan)(const PlanInput& input, const PolicyOptions& options);
};
[[nodiscard]] std::span<const PolicyInfo> policies();

/// Looks the policy up by options.policy and runs it. The plan satisfies checkPlan and the budgets.
[[nodiscard]] Result<Plan, PlanError> makePlan(const PlanInput& input, const PolicyOptions& options);

}  // namespace peakscope
