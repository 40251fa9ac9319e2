// SPDX-License-Identifier: GPL-3.0-or-later
//
// PlannerService: plans in the background while controls move, with the layouts, the device and the costs of the backend that
// would run it: what is forecast is what runs. The latest request wins; answers come by signal on the thread of the receiver.
//
//   connect(&planner, &PlannerService::answered, this, &MainWindow::showPlan);
//   planner.ask({.net = "minivgg", .options = options});
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "memory/analysis/memory_curve.h"
#include "memory/plan.h"
#include "ui/latest_worker.h"
#include "ui/plan_request.h"

namespace peakscope::ui {

/// The plan with some techniques on. Times are modelled, copies and stalls included.
struct Forecast {
  Bytes scheduledPeak;
  std::int64_t timeNs = 0;
};
/// What one technique changes, with those above it on; nothing where one of the two plans does not fit.
struct TechniqueEffect {
  std::optional<Forecast> before, after;
};

struct PlanAnswer {
  PlanRequest request;
  std::string error;                    ///< one line if there is no network or no plan at all
  std::string planOnly;                 ///< one line if the network cannot be trained; it is planned for the modelled GPU then
  std::vector<std::string> remarks;     ///< on the network's file
  std::string refusal;                  ///< one line if the options do not fit the budget
  Workload workload;
  Plan plan;                            ///< with the options asked for, if not refused
  analysis::MemoryCurve curve;
  analysis::Peak peak;
  std::int64_t timeNs = 0;              ///< of an iteration of the plan, modelled
  Bytes keepAllScheduled;
  Bytes smallestBudget;                 ///< arena of the plan with the options asked for
  std::optional<Forecast> keepAll;
  TechniqueEffect liveness, offload, recompute, cache, workspace;
  std::int64_t defaultBatch = 0;
  std::string input;                    ///< "1x28x28"
  std::int32_t layers = 0;
};

class PlannerService : public QObject {
  Q_OBJECT

 public:
  explicit PlannerService(Planning planning, QObject* parent = nullptr);
  ~PlannerService() override;

  void ask(PlanRequest request) { m_worker.ask(std::move(request)); }

 signals:
  void answered(std::shared_ptr<const peakscope::ui::PlanAnswer> answer);

 private:
  void serve(const PlanRequest& request);
  [[nodiscard]] PlanAnswer answer(const PlanRequest& request);

  Planning m_planning;                            ///< of the worker
  LatestWorker<PlanRequest> m_worker;             ///< last: ends before anything above goes away
};

}  // namespace peakscope::ui

Q_DECLARE_METATYPE(std::shared_ptr<const peakscope::ui::PlanAnswer>)
