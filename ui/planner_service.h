// SPDX-License-Identifier: GPL-3.0-or-later
//
// PlannerService: plans in the background while controls move, with the layouts, the device and the costs of the backend that
// would run it: what is forecast is what runs. The latest request wins; answers come by signal on the thread of the receiver.
//
//   connect(&planner, &PlannerService::answered, this, &MainWindow::showPlan);
//   planner.ask({.net = "minivgg", .options = options});
#pragma once

#include <QObject>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/runtime/session.h"
#include "memory/analysis/memory_curve.h"
#include "memory/plan.h"
#include "memory/policy.h"

namespace peakscope::ui {

struct PlanRequest {
  std::string net = "minivgg";
  std::int64_t batch = 0;               ///< 0: the network's own
  std::int64_t inputHeight = 0, inputWidth = 0;   ///< 0: the network's own
  std::string lowering = "lean";
  std::string backend = "cpu";
  PolicyOptions options;
  std::int64_t number = 0;              ///< counts requests; the answer carries it back
};

/// One technique's own effect, with those above it on.
struct TechniqueEffect {
  Bytes scheduledPeak;
  std::int32_t extraForwards = 0;
  std::chrono::nanoseconds opTime{0};   ///< of all ops with the algorithms chosen, by the cost table; copies not counted
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
  Bytes keepAllScheduled;
  Bytes smallestBudget;                 ///< arena of the plan with the options asked for
  TechniqueEffect none, liveness, offload, recompute, cache;
  TechniqueEffect withoutWorkspaces, withWorkspaces;   ///< the options asked for, with that switch off and on
  std::int64_t defaultBatch = 0;
  std::string input;                    ///< "1x28x28"
  std::int32_t layers = 0;
};

class PlannerService : public QObject {
  Q_OBJECT

 public:
  using Prepare = std::function<Result<engine::Graph>(const std::string& net)>;

  /// `session`: what every session has in common (threads, folders).
  PlannerService(Prepare findNetwork, engine::BackendFactory makeBackend, engine::SessionConfig session, QObject* parent = nullptr);
  ~PlannerService() override;

  void ask(PlanRequest request);

 signals:
  void answered(std::shared_ptr<const peakscope::ui::PlanAnswer> answer);

 private:
  void serve(const std::stop_token& stop);
  [[nodiscard]] PlanAnswer answer(const PlanRequest& request);

  Prepare m_findNetwork;
  engine::BackendFactory m_makeBackend;
  engine::SessionConfig m_session;
  std::map<std::string, std::unique_ptr<engine::Backend>> m_backends;   ///< of the thread; libraries keep their answers between requests
  std::mutex m_mutex;
  std::condition_variable_any m_asked;
  std::optional<PlanRequest> m_waiting;
  std::jthread m_thread;                          ///< last: ends before anything above goes away
};

}  // namespace peakscope::ui

Q_DECLARE_METATYPE(std::shared_ptr<const peakscope::ui::PlanAnswer>)
