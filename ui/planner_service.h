// SPDX-License-Identifier: GPL-3.0-or-later
//
// PlannerService: plans in the background while controls move. The latest request wins; answers come by signal on the
// thread of the receiver.
//
//   connect(&planner, &PlannerService::answered, this, &MainWindow::showPlan);
//   planner.ask({.net = "minivgg", .options = options});
#pragma once

#include <QObject>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/lowering.h"
#include "memory/analysis/memory_curve.h"
#include "memory/device_spec.h"
#include "memory/plan.h"
#include "memory/policy.h"

namespace peakscope::ui {

struct PlanRequest {
  std::string net = "minivgg";
  std::int64_t batch = 0;               ///< 0: the network's own
  std::string lowering = "lean";
  PolicyOptions options;
  std::int64_t number = 0;              ///< counts requests; the answer carries it back
};

/// One technique's own effect, with those above it on.
struct TechniqueEffect {
  Bytes scheduledPeak;
  std::int32_t extraForwards = 0;
};

struct PlanAnswer {
  PlanRequest request;
  std::string error;                    ///< one line if there is no network or no plan at all
  std::string refusal;                  ///< one line if the options do not fit the budget
  Workload workload;
  Plan plan;                            ///< with the options asked for, if not refused
  analysis::MemoryCurve curve;
  analysis::Peak peak;
  Bytes keepAllScheduled, keepAllTotal;
  Bytes smallestBudget;                 ///< arena of the plan with the options asked for
  TechniqueEffect none, liveness, offload, recompute;
  std::int64_t defaultBatch = 0;
  std::string input;                    ///< "1x28x28"
  std::int32_t layers = 0;
};

class PlannerService : public QObject {
  Q_OBJECT

 public:
  using Prepare = std::function<Result<engine::Graph>(const std::string& net)>;
  using MakeLibrary = std::function<std::unique_ptr<engine::OpLibrary>()>;

  PlannerService(Prepare findNetwork, MakeLibrary makeLibrary, DeviceSpec device, QObject* parent = nullptr);
  ~PlannerService() override;

  void ask(PlanRequest request);

 signals:
  void answered(std::shared_ptr<const peakscope::ui::PlanAnswer> answer);

 private:
  void serve(const std::stop_token& stop);
  [[nodiscard]] PlanAnswer answer(const PlanRequest& request);

  Prepare m_findNetwork;
  MakeLibrary m_makeLibrary;
  DeviceSpec m_device;
  std::unique_ptr<engine::OpLibrary> m_library;   ///< of the thread; keeps its answers between requests
  std::mutex m_mutex;
  std::condition_variable_any m_asked;
  std::optional<PlanRequest> m_waiting;
  std::jthread m_thread;                          ///< last: ends before anything above goes away
};

}  // namespace peakscope::ui

Q_DECLARE_METATYPE(std::shared_ptr<const peakscope::ui::PlanAnswer>)
