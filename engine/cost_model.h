// SPDX-License-Identifier: Apache-2.0
//
// Modelled costs: roofline per op (the slower of arithmetic and memory traffic) plus launch cost, link speed for copies.
#pragma once

#include "engine/lowering.h"
#include "memory/cost_table.h"
#include "memory/device_spec.h"

namespace peakscope::engine {

[[nodiscard]] double flops(const OpDesc& desc);
/// `linkBytesPerSecond` > 0 overrides the device's link (`--link`).
[[nodiscard]] CostTable modelCosts(const Lowering& lowering, const DeviceSpec& device, double linkBytesPerSecond = 0);

}  // namespace peakscope::engine
