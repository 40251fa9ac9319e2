// SPDX-License-Identifier: Apache-2.0
//
// l_peak: the most scheduled bytes that the backward op of a single layer touches; the bound that cost-aware recomputation
// compares its segments with.
#pragma once

#include "memory/plan.h"

namespace peakscope {

[[nodiscard]] LayerPeak layerPeak(const Workload& workload);

}  // namespace peakscope
