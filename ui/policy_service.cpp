// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policy_service.h"

namespace peakscope::ui {
namespace {

PolicyRow rowOf(const PolicyInfo& policy, const engine::ComparedPolicy& compared) {
  return {.policy = policy.name, .description = policy.description, .refused = compared.refused, .smallestBudget = compared.smallestBudget,
          .scheduledPeak = compared.scheduledPeak, .arena = compared.arena, .host = compared.host, .copied = compared.copiedOut + compared.copiedIn,
          .rebuilt = compared.extraForwards, .timeNs = compared.timeNs, .stallNs = compared.stallNs};
}

}  // namespace

PolicyService::PolicyService(Planning planning, QObject* parent)
    : QObject(parent), m_planning(std::move(planning)), m_worker([this](const PlanRequest& request, const std::stop_token& stop) { serve(request, stop); }) {
  qRegisterMetaType<std::shared_ptr<const PolicyAnswer>>();
}

PolicyService::~PolicyService() = default;

void PolicyService::serve(const PlanRequest& request, const std::stop_token& stop) {
  PolicyAnswer answer{.request = request, .table = {.budget = request.options.budget, .current = request.options.policy}, .count = policies().size()};
  try {
    compare(answer, stop);
  } catch (const std::exception& failure) {
    answer.error = failure.what();
    emit progressed(std::make_shared<const PolicyAnswer>(std::move(answer)));
  }
}

void PolicyService::compare(PolicyAnswer answer, const std::stop_token& stop) {
  const auto say = [&] { emit progressed(std::make_shared<const PolicyAnswer>(answer)); };
  const auto prepared = m_planning.prepare(answer.request);
  if (!prepared) {
    answer.error = prepared.error().message;
    return say();
  }
  answer.costs = prepared->costs.description;
  answer.batch = prepared->lowering.workload.batch;
  for (const PolicyInfo& policy : policies()) {
    if (stop.stop_requested()) return;
    answer.working = policy.name;
    say();
    PolicyOptions options = answer.request.options;
    options.policy = policy.name;
    answer.table.rows.push_back(rowOf(policy, forecast(*prepared, prepared->device, options)));
  }
  answer.working.clear();
  if (!stop.stop_requested()) say();
}

}  // namespace peakscope::ui
