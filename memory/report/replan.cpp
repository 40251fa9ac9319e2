// SPDX-License-Identifier: Apache-2.0
#include "memory/report/replan.h"

#include "memory/analysis/memory_curve.h"
#include "memory/analysis/run_history.h"

namespace peakscope::report {
namespace {

/// More than any plan needs, and far from overflow.
constexpr Bytes noBudget{std::int64_t{1} << 60};

TechniqueRow rowOf(const PlanInput& input, PolicyOptions options, std::string name, std::optional<Baseline>* baseline, Bytes budget = noBudget) {
  options.budget = budget;
  options.hostBudget = noBudget;
  TechniqueRow row;
  row.name = std::move(name);
  Result<Plan, PlanError> plan = makePlan(input, options);
  if (!plan && plan.error().smallestBudget > Bytes{}) {   // then with the budget that would do
    options.budget = plan.error().smallestBudget;
    plan = makePlan(input, options);
  }
  if (!plan) {
    row.refused = message(plan.error());
    return row;
  }
  const analysis::MemoryCurve curve = analysis::memoryCurve(input.workload, *plan);
  if (!curve.empty()) row.scheduledPeak = analysis::scheduledPeak(input.workload, *plan, curve).bytes;
  row.arena = plan->arenaBytes;
  row.host = plan->hostBytes;
  row.extraForwards = plan->extraForwards;
  for (const PlanStep& step : plan->steps) {
    if (const auto* out = std::get_if<CopyOutStep>(&step.action)) row.copied += input.workload.tensors[out->tensor].bytes;
    if (const auto* in = std::get_if<CopyInStep>(&step.action)) row.copied += input.workload.tensors[in->tensor].bytes;
  }
  if (baseline != nullptr && !curve.empty())
    *baseline = Baseline{.scheduled = row.scheduledPeak, .total = analysis::totalPeak(input.workload, *plan, curve).bytes};
  return row;
}

}  // namespace

Replanned replan(const PlanInput& input, const PolicyOptions& options) {
  Replanned result;
  PolicyOptions step = options;
  step.policy = "keep-all";
  step.techniques = noTechniques;
  result.rows.push_back(rowOf(input, step, "keep everything", &result.baseline));
  if (options.policy == step.policy) return result;
  step.policy = options.policy;
  const auto add = [&](std::string name) { result.rows.push_back(rowOf(input, step, std::move(name), nullptr)); };
  if (options.policy != "superneurons") {   // only there are techniques switched one by one
    add(options.policy);
    return result;
  }
  const Techniques& on = options.techniques;
  step.techniques = {.liveness = true};
  if (on.any()) add("liveness");
  if (on.offload && !on.cache) {   // with the cache nothing leaves that fits
    step.techniques.offload = true;
    add("offload and prefetch");
  }
  if (on.recompute) {
    step.techniques.recompute = true;
    add("recompute");
  }
  if (on.cache) {   // by how much it presses depends on the budget
    step.techniques.offload = on.offload;
    step.techniques.cache = true;
    result.rows.push_back(rowOf(input, step, "tensor cache", nullptr, options.budget.value_or(input.device.memory)));
  }
  return result;
}

Replanned replan(const analysis::RunHistory& history) {
  if (!history.hasSession() || history.plans().empty()) return {};
  const Workload& workload = history.workload();
  const DeviceSpec& device = history.session().device;

  CostTable costs;
  costs.source = CostSource::Measured;
  costs.description = "step times of the run";
  costs.linkBytesPerSecond = device.linkBytesPerSecond > 0 ? device.linkBytesPerSecond : 1e10;
  for (const Op& op : workload.ops) costs.opTimes.push_back(std::vector<std::chrono::nanoseconds>(op.candidates.size()));
  const Plan* plan = history.currentPlan();
  if (const auto* timed = history.latestComplete()) {
    for (const PlanInstalled& installed : history.plans())
      if (installed.plan == timed->plan) plan = &installed.value;
    for (std::size_t i = 0; i < plan->steps.size() && i < timed->times.size(); ++i)
      if (const auto* run = std::get_if<RunStep>(&plan->steps[i].action))
        for (auto& time : costs.opTimes[run->op]) time = std::chrono::nanoseconds{timed->times[i].endNs - timed->times[i].beginNs};
  }
  return replan(PlanInput{workload, device, costs}, plan->options);
}

}  // namespace peakscope::report
