// SPDX-License-Identifier: Apache-2.0
//
// A run small enough to check by hand: conv1, relu1, fc1, loss; conv1.out is offloaded and prefetched, relu1.out dropped
// and rebuilt. Two iterations, one epoch. Sizes are whole KiB so that goldens can be read.
#pragma once

#include "memory/analysis/run_history.h"
#include "memory/report/report_facts.h"

namespace peakscope::test {

[[nodiscard]] Workload tinyWorkload();
[[nodiscard]] Plan tinyPlan(const Workload& workload);
[[nodiscard]] RunInfo tinyInfo();

struct TinyOptions {
  bool withIterations = true;
  std::int64_t nsPerStep = 1'000'000;   ///< 0: every step takes no time
};
/// A chain of `layers` layers, forward and backward, each output kept until its backward: as large as wanted.
[[nodiscard]] std::vector<LogRecord> chainRecords(std::int32_t layers);

/// The records of the run, in order.
[[nodiscard]] std::vector<LogRecord> tinyRecords(const Workload& workload, const TinyOptions& options = {});
[[nodiscard]] analysis::RunHistory historyOf(const std::vector<LogRecord>& records);
/// What re-planning would have said; made up, the report only prints it.
[[nodiscard]] report::Replanned tinyReplanned();

}  // namespace peakscope::test
