// SPDX-License-Identifier: Apache-2.0
//
// RecordCheck: whether a stream of records from outside, a trace file or a worker, can be folded. It knows the session and
// the plans so far and says what is wrong with the next record: an id that names nothing, a step outside of its plan, an
// iteration that runs backwards. Folds in memory/analysis rely on it and check nothing again.
//
//   RecordCheck check;
//   if (const auto problem = check.add(record)) ...     // not to be used; the stream may go on with the next record
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/log_record.h"

namespace peakscope {

/// No byte count, time or number of things from outside is larger: 2^44 bytes are 16 TiB, 2^61 ns are 73 years.
inline constexpr Bytes largestBytes{std::int64_t{1} << 44};
inline constexpr std::int64_t largestTimeNs = std::int64_t{1} << 61;
inline constexpr std::int64_t largestIteration = std::int64_t{1} << 53;

class RecordCheck {
 public:
  /// What makes the record unusable; none: it counts as seen.
  [[nodiscard]] std::optional<std::string> add(const LogRecord& record);

 private:
  using Problem = std::optional<std::string>;
  Problem check(const SessionStarted& started);
  Problem check(const PlanInstalled& installed);
  Problem check(const StepsDone& steps);
  Problem check(const IterationDone& done);
  Problem check(const EpochDone& epoch);
  Problem check(const StateChanged& changed);
  Problem check(const Notice& notice);
  Problem check(const IterationsDropped& dropped);
  [[nodiscard]] bool hasPlan(std::int32_t plan) const { return plan >= 0 && plan < static_cast<std::int32_t>(m_stepCounts.size()); }

  std::optional<Workload> m_workload;
  std::vector<std::int32_t> m_stepCounts;     ///< of each plan
  std::int64_t m_timedIteration = -1;         ///< of the last StepsDone
  std::int64_t m_doneIteration = -1;          ///< of the last IterationDone
};

/// The same for single values.
[[nodiscard]] std::optional<std::string> problemOf(const Workload& workload);
[[nodiscard]] std::optional<std::string> problemOf(const Plan& plan, const Workload& workload);

}  // namespace peakscope
