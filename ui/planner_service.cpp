// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner_service.h"

#include <limits>

#include "engine/lowering.h"

namespace peakscope::ui {
namespace {

std::optional<Forecast> forecastWith(const PreparedNetwork& prepared, PolicyOptions options, const Techniques& techniques) {
  options.policy = "superneurons";
  options.techniques = techniques;
  // The cache and workspaces do what the budget lets them; the others are shown as if there were memory enough.
  DeviceSpec device = prepared.device;
  if (!techniques.cache && !techniques.workspace) {
    options.budget.reset();
    device.memory = Bytes{std::numeric_limits<std::int64_t>::max()};
  }
  device.hostMemory = Bytes{std::numeric_limits<std::int64_t>::max()};
  options.hostBudget.reset();
  const engine::ComparedPolicy row = forecast(prepared, device, options);
  if (!row.fits()) return std::nullopt;
  return Forecast{row.scheduledPeak, row.timeNs};
}

/// In the order of the panel: each technique with those above it that were asked for. Under the cache nothing moves eagerly,
/// so that offload has no effect of its own then.
void addEffects(PlanAnswer& answer, const PreparedNetwork& prepared) {
  const PolicyOptions& options = answer.request.options;
  const Techniques& asked = options.techniques;
  const auto with = [&](const Techniques& techniques) { return forecastWith(prepared, options, techniques); };
  const bool movesEagerly = asked.offload && !asked.cache;

  answer.keepAll = with(noTechniques);
  const auto liveness = with({.liveness = true});
  answer.liveness = {answer.keepAll, liveness};
  const auto offload = with({.liveness = true, .offload = true});
  answer.offload = {liveness, asked.cache ? liveness : offload};
  const auto moved = movesEagerly ? offload : liveness;
  const auto recompute = with({.liveness = true, .offload = movesEagerly, .recompute = true});
  answer.recompute = {moved, recompute};
  const auto cache = with({.liveness = true, .offload = asked.offload, .cache = true, .recompute = asked.recompute});
  answer.cache = {asked.recompute ? recompute : moved, cache};
  Techniques on = asked;
  on.workspace = false;
  const auto without = with(on);
  on.liveness = on.workspace = true;
  answer.workspace = {without, with(on)};
  if (answer.keepAll) answer.keepAllScheduled = answer.keepAll->scheduledPeak;
}

}  // namespace

PlannerService::PlannerService(Planning planning, QObject* parent)
    : QObject(parent), m_planning(std::move(planning)), m_worker([this](const PlanRequest& request, const std::stop_token&) { serve(request); }) {
  qRegisterMetaType<std::shared_ptr<const PlanAnswer>>();
}

PlannerService::~PlannerService() = default;

void PlannerService::serve(const PlanRequest& request) {
  auto made = std::make_shared<PlanAnswer>();
  try {
    *made = answer(request);
  } catch (const std::exception& failure) {
    made->request = request;
    made->error = failure.what();
  }
  emit answered(std::move(made));
}

PlanAnswer PlannerService::answer(const PlanRequest& request) {
  PlanAnswer answer{.request = request};
  auto prepared = m_planning.prepare(request);
  if (!prepared) {
    answer.error = prepared.error().message;
    return answer;
  }
  const engine::Graph& graph = prepared->graph;
  answer.planOnly = graph.planOnly;
  answer.remarks = graph.remarks;
  const engine::Shape input = graph.layers[graph.dataLayer()].shape;
  answer.defaultBatch = graph.defaultBatch;
  answer.input = std::to_string(input.c) + "\u00D7" + std::to_string(input.h) + "\u00D7" + std::to_string(input.w);
  answer.layers = graph.layers.size();
  addEffects(answer, *prepared);

  auto plan = makePlan(prepared->input(), request.options);
  if (!plan) {
    answer.refusal = message(plan.error());
    answer.smallestBudget = plan.error().smallestBudget;
  } else {
    answer.smallestBudget = plan->arenaBytes;
    answer.curve = analysis::memoryCurve(prepared->lowering.workload, *plan);
    answer.peak = analysis::scheduledPeak(prepared->lowering.workload, *plan, answer.curve);
    answer.timeNs = forecast(*prepared, prepared->device, request.options).timeNs;
    answer.plan = std::move(*plan);
  }
  answer.workload = std::move(prepared->lowering.workload);
  return answer;
}

}  // namespace peakscope::ui
