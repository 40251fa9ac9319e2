// SPDX-License-Identifier: GPL-3.0-or-later
//
// PolicyService: plans all policies for one network, batch, budget and device in the background, and says after each how far
// it is. A newer request ends an older one.
//
//   connect(&service, &PolicyService::progressed, this, [](const auto& answer) { show(answer->table); });
//   service.ask(request);
#pragma once

#include <QObject>
#include <memory>

#include "ui/latest_worker.h"
#include "ui/models/policy_model.h"
#include "ui/plan_request.h"

namespace peakscope::ui {

struct PolicyAnswer {
  PlanRequest request;
  std::string error;                   ///< one line if there is nothing to compare
  std::string costs;                   ///< whose times these are: "modelled for ..."
  std::int64_t batch = 0;
  PolicyTable table;                   ///< as far as it is
  std::size_t count = 0;               ///< of all policies
  std::string working;                 ///< the policy that is planned next; empty: done

  [[nodiscard]] bool isDone() const { return working.empty(); }
};

class PolicyService : public QObject {
  Q_OBJECT

 public:
  explicit PolicyService(Planning planning, QObject* parent = nullptr);
  ~PolicyService() override;

  void ask(PlanRequest request) { m_worker.ask(std::move(request)); }
  void cancel() { m_worker.cancel(); }

 signals:
  void progressed(std::shared_ptr<const peakscope::ui::PolicyAnswer> answer);

 private:
  void serve(const PlanRequest& request, const std::stop_token& stop);
  void compare(PolicyAnswer answer, const std::stop_token& stop);

  Planning m_planning;                            ///< of the worker
  LatestWorker<PlanRequest> m_worker;             ///< last: ends before anything above goes away
};

}  // namespace peakscope::ui

Q_DECLARE_METATYPE(std::shared_ptr<const peakscope::ui::PolicyAnswer>)
