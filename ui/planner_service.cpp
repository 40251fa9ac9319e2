// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner_service.h"

#include "engine/graph/network_file.h"
#include "engine/lowering.h"

namespace peakscope::ui {
namespace {

std::chrono::nanoseconds opTimeOf(const CostTable& costs, const Plan& plan) {
  std::chrono::nanoseconds sum{0};
  for (const PlanStep& step : plan.steps)
    if (const auto* run = std::get_if<RunStep>(&step.action)) sum += costs.opTime(run->op, run->candidate);
  return sum;
}

TechniqueEffect effectOf(const PlanInput& input, PolicyOptions options, const Techniques& techniques) {
  options.policy = "superneurons";
  options.techniques = techniques;
  // The cache and workspaces do what the budget lets them; the others are shown without one.
  if (!techniques.cache && !techniques.workspace) options.budget.reset();
  options.hostBudget.reset();
  const auto plan = makePlan(input, options);
  if (!plan) return {};
  const auto curve = analysis::memoryCurve(input.workload, *plan);
  return {analysis::scheduledPeak(input.workload, *plan, curve).bytes, plan->extraForwards, opTimeOf(input.costs, *plan)};
}

}  // namespace

PlannerService::PlannerService(Prepare findNetwork, engine::BackendFactory makeBackend, engine::SessionConfig session, QObject* parent)
    : QObject(parent), m_findNetwork(std::move(findNetwork)), m_makeBackend(std::move(makeBackend)), m_session(std::move(session)),
      m_thread([this](const std::stop_token& stop) { serve(stop); }) {
  qRegisterMetaType<std::shared_ptr<const PlanAnswer>>();
}

PlannerService::~PlannerService() = default;

void PlannerService::ask(PlanRequest request) {
  {
    const std::lock_guard lock(m_mutex);
    m_waiting = std::move(request);
  }
  m_asked.notify_one();
}

void PlannerService::serve(const std::stop_token& stop) {
  for (;;) {
    PlanRequest request;
    {
      std::unique_lock lock(m_mutex);
      if (!m_asked.wait(lock, stop, [this] { return m_waiting.has_value(); })) return;
      request = std::move(*m_waiting);
      m_waiting.reset();
    }
    auto made = std::make_shared<PlanAnswer>();
    try {
      *made = answer(request);
    } catch (const std::exception& failure) {
      made->request = request;
      made->error = failure.what();
    }
    emit answered(std::move(made));
  }
}

PlanAnswer PlannerService::answer(const PlanRequest& request) {
  PlanAnswer answer{.request = request};
  auto graph = m_findNetwork(request.net);
  if (graph && request.inputHeight > 0) graph = engine::withInputSize(std::move(*graph), request.inputHeight, request.inputWidth);
  if (!graph) {
    answer.error = graph.error().message;
    return answer;
  }
  const auto lowering = engine::LoweringOptions::parse(request.lowering);
  if (!lowering) {
    answer.error = lowering.error().message;
    return answer;
  }
  answer.planOnly = graph->planOnly;
  answer.remarks = graph->remarks;
  // The CPU does not know all layers of a model that it will not train.
  const std::string name = graph->planOnly.empty() ? request.backend : "virtual";
  auto& backend = m_backends[name];
  if (!backend) {
    m_session.backend = name;
    auto made = m_makeBackend(m_session);
    if (!made) {
      answer.error = made.error().message;
      return answer;
    }
    backend = std::move(*made);
  }
  const engine::Shape input = graph->layers[graph->dataLayer()].shape;
  answer.defaultBatch = graph->defaultBatch;
  answer.input = std::to_string(input.c) + "\u00D7" + std::to_string(input.h) + "\u00D7" + std::to_string(input.w);
  answer.layers = graph->layers.size();
  engine::Lowering lowered = engine::lower(*graph, request.batch > 0 ? request.batch : graph->defaultBatch, *lowering, backend->library());
  const DeviceSpec device = backend->device();
  const CostTable costs = backend->costs(lowered);
  const PlanInput planInput{lowered.workload, device, costs};

  answer.none = effectOf(planInput, request.options, noTechniques);
  Techniques on{.liveness = true};
  answer.liveness = effectOf(planInput, request.options, on);
  on.offload = true;
  answer.offload = effectOf(planInput, request.options, on);
  const Techniques& asked = request.options.techniques;
  on = {.liveness = true, .offload = asked.offload && !asked.cache, .recompute = true};
  answer.recompute = effectOf(planInput, request.options, on);
  on = {.liveness = true, .offload = asked.offload, .cache = true, .recompute = asked.recompute};
  answer.cache = effectOf(planInput, request.options, on);
  on = asked;
  on.workspace = false;
  answer.withoutWorkspaces = effectOf(planInput, request.options, on);
  on.liveness = on.workspace = true;
  answer.withWorkspaces = effectOf(planInput, request.options, on);
  answer.keepAllScheduled = answer.none.scheduledPeak;

  auto plan = makePlan(planInput, request.options);
  if (!plan) {
    answer.refusal = message(plan.error());
    answer.smallestBudget = plan.error().smallestBudget;
  } else {
    answer.smallestBudget = plan->arenaBytes;
    answer.curve = analysis::memoryCurve(lowered.workload, *plan);
    answer.peak = analysis::scheduledPeak(lowered.workload, *plan, answer.curve);
    answer.plan = std::move(*plan);
  }
  answer.workload = std::move(lowered.workload);
  return answer;
}

}  // namespace peakscope::ui
