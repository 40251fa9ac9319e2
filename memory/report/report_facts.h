// SPDX-License-Identifier: Apache-2.0
//
// What a report says, folded once from a run and used by the HTML page, the CSV tables and the JSON summary.
//
//   const ReportInput input{.history = history, .replanned = replan(history)};
//   const ReportFacts facts = reportFacts(input);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/analysis/live_set.h"
#include "memory/analysis/run_history.h"
#include "memory/report/memory_chart.h"
#include "memory/report/replan.h"
#include "memory/result.h"

namespace peakscope::report {

struct ReportInput {
  const analysis::RunHistory& history;   ///< with a session and at least one plan
  Replanned replanned = {};              ///< empty: the report leaves the comparison out
};

/// Median and median absolute deviation.
struct Spread {
  double median = 0;
  double deviation = 0;
  std::int64_t count = 0;
};
[[nodiscard]] Spread spreadOf(std::vector<double> values);

/// Where the bytes of the arena are at the moment of the total peak; the first three add up to the arena.
struct Reconcile {
  Bytes requested;       ///< sum of what the tensors and the workspace take
  Bytes rounding;        ///< to the alignment of the slots
  Bytes arenaFree;       ///< holes and what other steps need
  Bytes arena;
  Bytes host;            ///< extent of the host region
  Bytes library;         ///< greatest heap bytes that libraries took during an iteration, outside of the arena
};

struct ReportFacts {
  const Workload* workload = nullptr;
  const Plan* plan = nullptr;
  std::int64_t iteration = -1;                 ///< the one that is drawn; -1: none has finished, the plan is drawn
  std::vector<StepTime> times;                 ///< of that iteration
  std::vector<analysis::Event> events;         ///< of that iteration
  analysis::MemoryCurve measured, predicted;   ///< equal where nothing ran
  analysis::Peak scheduledPeak, totalPeak;     ///< of the measured curve
  std::vector<analysis::LiveTensor> liveAtPeak;///< at the scheduled peak
  analysis::IterationTotals totals;
  Spread imagesPerSecond;
  Reconcile reconcile;
  Bytes copiedOut, copiedIn;                   ///< planned per iteration, input batches not counted
};
/// An error if the history has no session or no plan.
[[nodiscard]] Result<ReportFacts> reportFacts(const ReportInput& input);

/// "superneurons: liveness, offload and prefetch (conv), recompute (cost-aware)"
[[nodiscard]] std::string techniquesText(const PolicyOptions& options);
/// "step 45, lrn1 backward", with "while rebuilding relu1" where it is so.
[[nodiscard]] std::string placeText(const analysis::Peak& peak, const Workload& workload);

}  // namespace peakscope::report
