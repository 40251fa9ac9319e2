// SPDX-License-Identifier: Apache-2.0
#include "engine/planning/fit.h"

#include <algorithm>
#include <fmt/format.h>

namespace peakscope::engine {

Result<FitAnswer> largestThatFits(const FitRange& range, const std::function<Result<Plan>(std::int64_t)>& planAt, const std::stop_token& stop) {
  FitAnswer answer;
  std::optional<Error> problem;
  const auto fits = [&](std::int64_t n) {
    if (stop.stop_requested()) {
      problem = Error{ErrorKind::CannotBeMet, fmt::format("stopped; at least {} fits", answer.n)};
      return false;
    }
    const auto plan = planAt(n);
    ++answer.plans;
    if (plan) {
      answer.n = n;
      answer.arena = plan->arenaBytes;
      answer.host = plan->hostBytes;
      return true;
    }
    if (plan.error().kind != ErrorKind::CannotBeMet) problem = plan.error();
    answer.limit = plan.error().message;
    return false;
  };

  // `below` fits (or is too small to ask), `above` does not.
  std::int64_t below = range.first - 1, above = 0;
  for (std::int64_t n = range.first; above == 0; n = std::min(range.last, n * 2)) {
    if (!fits(n)) above = n;
    else if (n == range.last) {
      answer.limit = fmt::format("{} is the largest that can be built", n);
      return answer;
    } else below = n;
    if (problem) return fail(*problem);
  }
  while (above - below > 1) {
    const std::int64_t middle = below + (above - below) / 2;
    (fits(middle) ? below : above) = middle;
    if (problem) return fail(*problem);
  }
  return answer;
}

}  // namespace peakscope::engine
