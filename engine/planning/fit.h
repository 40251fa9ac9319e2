// SPDX-License-Identifier: Apache-2.0
//
// fit: the largest batch, or the deepest ResNet, that a policy plans within a budget; by planning alone.
//
//   const FitAnswer answer = largestThatFits({.first = 1, .last = maxBatch}, planAt);
//   // answer.n plans; answer.n + 1 was refused by the same planner, and answer.limit says why
//
// Note [Search]
// From the first size up by doubling until something is refused, then by halving the interval. Each question is a plan, so
// what is found fits and the next size does not; sizes in between that might fit for once are not looked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "memory/plan.h"
#include "memory/result.h"

namespace peakscope::engine {

struct FitRange {
  std::int64_t first = 1;          ///< the smallest size worth asking for
  std::int64_t last = 1;           ///< the largest that can be built at all
};
struct FitAnswer {
  std::int64_t n = 0;              ///< 0: not even the first size fits
  Bytes arena, host;
  std::string limit;               ///< what forbids one more
  std::int32_t plans = 0;          ///< how many were made
};
/// `planAt` plans one size; an error that is not about bytes ends the search and is returned. Between plans `stop` is looked at.
[[nodiscard]] Result<FitAnswer> largestThatFits(const FitRange& range, const std::function<Result<Plan>(std::int64_t n)>& planAt,
                                                const std::stop_token& stop = {});

}  // namespace peakscope::engine
