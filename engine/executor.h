// SPDX-License-Identifier: Apache-2.0
//
// Executor: walks a plan once and makes the backend do it, step by step. No policy, no timing of its own: it compares the
// bytes that the backend states with the plan's, and writes what happened to the log.
//
//   Executor executor(backend, &log);
//   const PlannedRun run(lowering, plan, planNumber);             // folds the predicted curve once
//   const IterationOutput output = executor.iterate(run, input);   // StepsDone ..., IterationDone
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/backend.h"
#include "memory/event_log.h"

namespace peakscope::engine {

struct Peaks {
  Bytes total, scheduled;
  friend bool operator==(const Peaks&, const Peaks&) = default;
};
/// Peaks of a plan with the sizes that were measured; none given: the prediction.
[[nodiscard]] Peaks foldPeaks(const Lowering& lowering, const Plan& plan, std::span<const Deviation> deviations = {});

/// A committed plan with what is predicted for it. Refers to both values, which stay where they are.
struct PlannedRun {
  PlannedRun(const Lowering& lowering, const Plan& plan, std::int32_t number);

  const Lowering* lowering = nullptr;
  const Plan* plan = nullptr;
  std::int32_t number = 0;
  Peaks predicted;
};

class Executor {
 public:
  /// Steps that have finished are written to the log at this distance, so that a long iteration is seen while it runs.
  static constexpr std::chrono::milliseconds piece{60};

  /// Without a log nothing is written (evaluation).
  Executor(Backend& backend, EventLog* log) : m_backend(backend), m_log(log) {}

  /// One iteration of the activated plan. Throws BackendFailure; the log then ends inside the iteration.
  IterationOutput iterate(const PlannedRun& run, const IterationInput& input);

 private:
  /// Appends the longest prefix of steps from m_reported on that have finished.
  void report(const PlannedRun& run, std::int64_t iteration);

  Backend& m_backend;
  EventLog* m_log;
  std::vector<Deviation> m_deviations;        ///< of this iteration
  std::size_t m_reportedDeviations = 0;
  std::int32_t m_reported = 0;                ///< steps of this iteration that are in the log
};

}  // namespace peakscope::engine
