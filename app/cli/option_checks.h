// SPDX-License-Identifier: Apache-2.0
//
// What CLI11 lets through and must not: "" for a value, and numbers that it clamps (--batch 99999999999999999999) or wraps
// (--seed -1) instead of refusing them.
//
//   command.add_option("--batch", raw.batch, "...")->check(wholeNumber(1, engine::maxBatch));
//   refuseEmptyValues(command);
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace peakscope::cli {

inline constexpr std::int64_t maxThreads = 1024;

[[nodiscard]] CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);
/// For every option that the command has so far.
void refuseEmptyValues(CLI::App& command);

}  // namespace peakscope::cli
