// SPDX-License-Identifier: Apache-2.0
//
// The charts of the reproduction page, drawn from its values.
#pragma once

#include "memory/report/display_list.h"
#include "memory/report/reproduction/reproduction.h"

namespace peakscope::report {

/// Scheduled bytes at every step, one line per configuration, its peak marked.
[[nodiscard]] DisplayList stepCurvesChart(const StepCurves& steps, double width);
/// Copied bytes over the batch size: copied eagerly, and with the tensor cache.
[[nodiscard]] DisplayList trafficChart(const Reproduction& found, double width);

}  // namespace peakscope::report
