// SPDX-License-Identifier: Apache-2.0
//
// Loss and accuracy of a run. Points that share a pixel are folded into their range and mean: an outlier never vanishes.
#pragma once

#include <span>

#include "memory/log_record.h"
#include "memory/report/memory_chart.h"

namespace peakscope::report {

/// The loss of each iteration, pale, and its running mean. Values that are not finite are left out and counted.
[[nodiscard]] DisplayList lossChart(std::span<const IterationDone> iterations, const ChartOptions& options = {});
/// Accuracy over the whole test set after each epoch, on 0 to 100 %.
[[nodiscard]] DisplayList accuracyChart(std::span<const EpochDone> epochs, const ChartOptions& options = {});

}  // namespace peakscope::report
