// SPDX-License-Identifier: Apache-2.0
//
// What the techniques do with bytes that are left: traffic with the tensor cache, workspaces under budgets, and the pool.
#include <algorithm>
#include <map>

#include "engine/planning/compare.h"
#include "engine/planning/reproduction/gather.h"
#include "engine/planning/reproduction/published.h"
#include "memory/analysis/cache_report.h"

namespace peakscope::engine::reproduction {
namespace {

constexpr std::int64_t trafficBatchStep = 256;
constexpr std::int64_t trafficBatchLast = 4096;   // no plan fits long before

}  // namespace

Result<void> traffic(const ReproduceInput& input, Reproduction& found) {
  found.trafficNet = "alexnet";
  found.trafficPerImage = trafficPerImagePublished;
  for (std::int64_t batch = trafficBatchStep; batch <= trafficBatchLast; batch += trafficBatchStep) {
    input.progress("traffic of alexnet, batch " + std::to_string(batch));
    const auto net = lowered(input, found.trafficNet, batch);
    if (!net) return fail(net.error());
    report::TrafficRow row{.batch = batch, .eager = {}, .cached = {}};
    if (const auto plan = net->plan(input.device, {.techniques = {.liveness = true, .offload = true}})) {
      const auto moved = analysis::cacheReport(net->lowering.workload, *plan);
      row.eager = moved.copiedOut + moved.copiedIn;
    }
    if (const auto plan = net->plan(input.device, {.techniques = {.liveness = true, .offload = true, .cache = true}})) {
      const auto moved = analysis::cacheReport(net->lowering.workload, *plan);
      row.cached = moved.copiedOut + moved.copiedIn;
      row.evictions = static_cast<std::int32_t>(moved.evictions.size());
    }
    found.traffic.push_back(row);
    if (!row.eager && !row.cached) break;
  }
  return {};
}

Result<void> workspaces(const ReproduceInput& input, Reproduction& found) {
  constexpr std::int64_t batch = 200;
  input.progress("workspaces of alexnet");
  const auto net = lowered(input, "alexnet", batch);
  if (!net) return fail(net.error());
  const Workload& workload = net->lowering.workload;
  report::WorkspaceTable& table = found.workspaces;
  table.net = workload.net;
  table.batch = batch;

  // Without a budget of its own the plan says what its tensors need, the least that any budget must be.
  const auto tight = planned(input, *net, {.techniques = {.liveness = true, .offload = true, .recompute = true}});
  if (!tight) return fail(tight.error());
  table.budgets = {tight->arenaBytes, Bytes{1792 * bytesPerMiB}, Bytes{2048 * bytesPerMiB}, Bytes{4096 * bytesPerMiB}};

  std::map<std::int32_t, report::WorkspaceRow> rows;
  for (const Bytes budget : table.budgets) {
    const auto plan = planned(input, *net, {.techniques = {.liveness = true, .offload = true, .recompute = true, .workspace = true}, .budget = budget});
    if (!plan) return fail(plan.error());
    table.arenas.push_back(plan->arenaBytes);
    for (const PlanStep& step : plan->steps) {
      const auto* run = std::get_if<RunStep>(&step.action);
      if (run == nullptr || workload.ops[run->op].candidates.size() < 2 || workload.ops[run->op].phase == Phase::Rebuild) continue;
      const Op& op = workload.ops[run->op];
      report::WorkspaceRow& row = rows[step.paperStep];
      row.step = step.paperStep;
      row.layer = workload.layers[op.layer].name;
      row.phase = op.phase;
      const OpCandidate& chosen = op.candidates[static_cast<std::size_t>(run->candidate)];
      row.choices.push_back({chosen.algorithm, chosen.workspace, net->costs.opTime(run->op, run->candidate).count()});
    }
  }
  for (auto& [step, row] : rows) table.rows.push_back(std::move(row));
  return {};
}

Result<void> poolSpeeds(const ReproduceInput& input, Reproduction& found) {
  for (const PublishedSpeed& published : speedsPublished) {
    input.progress(std::string("pool and native allocation, ") + published.net);
    const auto net = lowered(input, published.net, published.batch);
    if (!net) return fail(net.error());
    report::PoolRow row{.net = published.net, .batch = published.batch};
    const auto backend = input.makeBackend();
    for (const auto placement : {PlacementRule::Pool, PlacementRule::Native}) {
      const ComparedPolicy run = compared(*backend, {net->lowering, input.device, net->costs}, {.techniques = {.liveness = true}, .placement = placement});
      if (!run.fits()) return cannotBeMet(run.refused);
      (placement == PlacementRule::Pool ? row.poolNs : row.nativeNs) = run.timeNs;
    }
    const auto native = planned(input, *net, {.techniques = {.liveness = true}, .placement = PlacementRule::Native});
    if (!native) return fail(native.error());
    row.driverCalls = std::ranges::count_if(native->steps, [](const PlanStep& step) {
      return std::holds_alternative<AllocStep>(step.action) || std::holds_alternative<FreeStep>(step.action);
    });
    if (published.poolRate > 0) {
      row.nativePublished = Published{published.nativeRate, published.nativeDecimals, Mark::Recollected};
      row.poolPublished = Published{published.poolRate, published.poolDecimals, Mark::Recollected};
    }
    const double ratio = published.ratio > 0 ? published.ratio : published.poolRate / published.nativeRate;
    row.ratioPublished = Published{ratio, published.ratio == 1.7 ? 1 : 2, Mark::Recollected};
    found.pool.push_back(std::move(row));
  }
  return {};
}

}  // namespace peakscope::engine::reproduction
