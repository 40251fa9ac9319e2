// SPDX-License-Identifier: Apache-2.0
//
// RunHistory: the fold that everything shown comes from. Feed it the records of a session, live, replayed or read from a
// trace file; ask it for plans, iterations, curves, totals. Live, paused and replayed are the same code.
//
//   RunHistory history;
//   for (const auto& record : log.readSince(cursor)) history.add(*record);
//   if (const auto* timed = history.latestComplete())
//     memoryCurve(history.workload(), history.plans()[timed->plan].value, timed->deviations);
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "memory/analysis/events.h"
#include "memory/analysis/memory_curve.h"

namespace peakscope::analysis {

/// Measured equals predicted so far, at every step of how many iterations; else the first that differs.
struct Proof {
  std::int64_t iterations = 0;
  std::int64_t firstDifference = -1;
  Bytes largestDifference;
};

/// Totals of one iteration from its step times.
struct IterationTotals {
  std::int64_t durationNs = 0;
  std::int64_t stallNs = 0;          ///< compute waited
  std::int64_t copyNs = 0;
  std::int64_t recomputeNs = 0;
  double overlap = 0;                ///< share of copy time during which compute ran, 0..1
  Bytes copiedOut, copiedIn;
};
[[nodiscard]] IterationTotals iterationTotals(const std::vector<Event>& events);

/// Images of an iteration over its time; NaN if it took none.
[[nodiscard]] double imagesPerSecond(const IterationDone& done);

class RunHistory {
 public:
  /// Step times are kept of this many iterations, and no more than 128 MiB of them; older iterations keep only their
  /// IterationDone. Shown, never silent.
  static constexpr std::int64_t keptIterations = 4096;
  static constexpr std::int64_t keptTimes = std::int64_t{1} << 23;

  /// Records from outside pass RecordCheck first; nothing is checked again here.
  void add(const LogRecord& record);

  [[nodiscard]] bool hasSession() const { return m_session.has_value(); }
  [[nodiscard]] const SessionStarted& session() const { return *m_session; }
  [[nodiscard]] const Workload& workload() const { return m_session->workload; }
  [[nodiscard]] const std::vector<PlanInstalled>& plans() const { return m_plans; }
  [[nodiscard]] const Plan* currentPlan() const { return m_plans.empty() ? nullptr : &m_plans.back().value; }
  [[nodiscard]] const std::vector<IterationDone>& iterations() const { return m_iterations; }
  [[nodiscard]] const std::vector<EpochDone>& epochs() const { return m_epochs; }
  /// The last epoch that was evaluated to its end; null if none was.
  [[nodiscard]] const EpochDone* lastEvaluated() const;
  [[nodiscard]] const std::vector<Notice>& notices() const { return m_notices; }
  [[nodiscard]] StateChanged state() const { return m_state; }
  /// Whose step times never came, and whose came and are no longer kept.
  [[nodiscard]] std::int64_t droppedIterations() const { return m_dropped; }
  [[nodiscard]] std::int64_t forgottenIterations() const { return m_forgotten; }
  [[nodiscard]] std::int64_t eventCount() const { return m_eventCount; }
  [[nodiscard]] Proof proof() const { return m_proof; }

  /// Step times of an iteration as far as they are known: complete ones and the one in progress.
  struct Timed {
    std::int64_t iteration = -1;
    std::int32_t plan = 0;
    std::vector<StepTime> times;       ///< from plan step 0 on
    std::vector<Deviation> deviations;
    bool isComplete = false;
  };
  [[nodiscard]] const Timed* timed(std::int64_t iteration) const;
  [[nodiscard]] const Timed* latestComplete() const;
  [[nodiscard]] const Timed* inProgress() const;
  /// First iteration whose times are still kept.
  [[nodiscard]] std::int64_t firstKept() const;

 private:
  void addSteps(const StepsDone& steps);
  void addIteration(const IterationDone& done);
  void finishTimed();
  void addDropped(const IterationsDropped& dropped);
  void forgetOldTimes();
  [[nodiscard]] static Bytes magnitude(Bytes bytes);
  [[nodiscard]] Bytes plannedBytes(const Timed& timed, PlanStepId step) const;

  std::optional<SessionStarted> m_session;
  std::vector<PlanInstalled> m_plans;
  std::vector<IterationDone> m_iterations;
  std::vector<EpochDone> m_epochs;
  std::vector<Notice> m_notices;
  StateChanged m_state;
  std::deque<Timed> m_timed;           ///< oldest dropped first
  std::int64_t m_times = 0;            ///< in m_timed
  std::int64_t m_dropped = 0, m_forgotten = 0;
  std::int64_t m_eventCount = 0;
  Proof m_proof;
};

}  // namespace peakscope::analysis
