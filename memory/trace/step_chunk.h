// SPDX-License-Identifier: Apache-2.0
//
// Step times as compressed columns: resources/docs/trace-format.md describes the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/log_record.h"
#include "memory/result.h"

namespace peakscope::trace {

/// More steps than any plan has; bounds what a hostile chunk can make a reader allocate.
inline constexpr std::int32_t largestStepCount = 1 << 24;

[[nodiscard]] std::vector<std::uint8_t> packSteps(const StepsDone& steps);
/// Fills times and deviations; `count` is the number of steps that the row of the chunk claims.
[[nodiscard]] Result<void, const char*> unpackSteps(std::span<const std::uint8_t> bytes, std::int32_t count, StepsDone& steps);

}  // namespace peakscope::trace
