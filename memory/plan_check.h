// SPDX-License-Identifier: Apache-2.0
//
// checkPlan: proves that a plan of any policy is safe to execute. Runs in tests, fuzzers, debug builds and before every run.
//
//   for (const PlanProblem& p : checkPlan(plan, workload)) report(p.text);
//
// The order it checks is happens-before (Note [Lanes] in memory/plan.h): every read finds a resident tensor that was
// written or has arrived; every copy is awaited before its bytes are freed or reused; two tensors share bytes, on the
// device or the host, only if every access to one happens before every access to the other; nothing leaks at the end;
// rebuilt tensors read what they need; extents agree with arenaBytes and hostBytes.
#pragma once

#include <string>
#include <vector>

#include "memory/plan.h"
#include "memory/workload.h"

namespace peakscope {

struct PlanProblem {
  PlanStepId step;
  std::string text;
};

[[nodiscard]] std::vector<PlanProblem> checkPlan(const Plan& plan, const Workload& workload);

}  // namespace peakscope
