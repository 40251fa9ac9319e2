// SPDX-License-Identifier: Apache-2.0
//
// emitPlan: turns a schedule into a plan. It lays out the steps of all lanes in one list, inserts the waits that make
// every lane safe, and places every block.
#pragma once

#include "memory/device_spec.h"
#include "memory/plan.h"
#include "memory/techniques/schedule.h"

namespace peakscope {

[[nodiscard]] Plan emitPlan(const Schedule& schedule, const DeviceSpec& device, const PolicyOptions& options, const LayerPeak& lPeak);

}  // namespace peakscope
