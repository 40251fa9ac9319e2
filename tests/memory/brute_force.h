// SPDX-License-Identifier: Apache-2.0
//
// The paper's accounting once more, as plainly as its rules are written (oracle README, sections 1 to 3): a set of resident
// tensors, walked step by step. Knows nothing of plans, lanes or addresses; slow, and meant to be obviously right.
//
//   const Accounting expected = bruteForce(workload, options);
//
// For workloads in which each output has one reader and nothing is changed in place in forward (RandomNet::isPlain).
#pragma once

#include <cstdint>
#include <vector>

#include "memory/policy_options.h"
#include "memory/workload.h"

namespace peakscope::test {

struct Accounting {
  std::vector<std::int64_t> live, peakInStep;   ///< one per paper step
  std::int64_t extraForwards = 0;
  std::int64_t copiedOut = 0, copiedIn = 0;
};

[[nodiscard]] Accounting bruteForce(const Workload& workload, const PolicyOptions& options);

}  // namespace peakscope::test
