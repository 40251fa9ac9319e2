// SPDX-License-Identifier: Apache-2.0
//
// TrainingRun: what a session has after Start: network, data, backend and the plans in force. One call is one iteration.
//
//   auto run = TrainingRun::prepare(config, makeBackend, log);
//   while (!(*run)->isFinished()) (*run)->step([] { return false; });
//
// Training and evaluation are two planned workloads in one arena. A plan of other options is made, checked and committed
// between two iterations; parameters have the same offsets in every plan of a workload, so nothing moves.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/executor.h"
#include "engine/runtime/batch_source.h"
#include "engine/runtime/session.h"

namespace peakscope::engine {

class TrainingRun {
 public:
  /// Reads the network and the data, makes the plans, takes the memory, writes SessionStarted and PlanInstalled.
  [[nodiscard]] static Result<std::unique_ptr<TrainingRun>> prepare(const SessionConfig& config, const BackendFactory& makeBackend, EventLog& log);

  /// One iteration, and the evaluation when it ends an epoch. `shouldStop` is asked between test batches; when it says so
  /// the epoch ends without an accuracy. Throws BackendFailure.
  void step(const std::function<bool()>& shouldStop);
  /// From the next iteration on. On failure the old plan goes on.
  [[nodiscard]] Result<void> changeOptions(const PolicyOptions& options);

  [[nodiscard]] bool isFinished() const;
  /// A modelled run without an end is paced by its own clock; any other runs as fast as it can.
  [[nodiscard]] bool isPaced() const;
  [[nodiscard]] std::int64_t iteration() const { return m_iteration; }
  [[nodiscard]] std::int64_t nowNs() const { return m_backend->nowNs(); }
  [[nodiscard]] Backend& backend() { return *m_backend; }
  [[nodiscard]] const Lowering& training() const { return m_training.lowering; }

 private:
  /// A workload with its times and the plan in force.
  struct Planned {
    Lowering lowering;
    CostTable costs;
    std::unique_ptr<const Plan> plan;      ///< stays where it is: the backend refers to it
    std::optional<PlannedRun> run;
  };

  TrainingRun(const SessionConfig& config, std::unique_ptr<Backend> backend, Graph graph, EventLog& log);
  [[nodiscard]] Result<std::unique_ptr<const Plan>> makeCheckedPlan(const Planned& planned, const PolicyOptions& options) const;
  [[nodiscard]] Result<void> install(Planned& planned, const PolicyOptions& options, std::int32_t number);
  [[nodiscard]] Result<void> openData();
  void installEvaluation(const PolicyOptions& options);
  void initialiseParameters();
  void announce();
  void endEpoch(const std::function<bool()>& shouldStop);
  void evaluate(EpochDone& done, const std::function<bool()>& shouldStop);
  void note(Notice::Severity severity, std::string text);

  SessionConfig m_config;
  Graph m_graph;
  EventLog& m_log;
  std::unique_ptr<Backend> m_backend;
  Planned m_training, m_evaluation;        ///< evaluation: without a run if it does not fit
  Executor m_executor, m_evaluator;
  std::unique_ptr<DataSet> m_data;         ///< none if the backend does not compute
  std::optional<BatchSource> m_batches;

  std::int32_t m_planCount = 0;
  std::int64_t m_iteration = 0;
  std::int32_t m_epoch = 1;                ///< 1-based, the one in progress
  std::int64_t m_batch = 0;                ///< within the epoch
  double m_epochLoss = 0;
  std::int64_t m_epochNs = 0;              ///< time spent training
};

}  // namespace peakscope::engine
