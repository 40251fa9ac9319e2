// SPDX-License-Identifier: Apache-2.0
//
// The paper's in and out sets: which tensors are on the device before an op's step and after it.
//
//   for (const LiveSets& sets : liveSets(workload, plan)) print(sets.op, sets.in, sets.out);
#pragma once

#include <vector>

#include "memory/plan.h"

namespace peakscope::analysis {

/// `in`: before anything is allocated, fetched or rebuilt for the op; `out`: after what it used last is freed. Transient
/// tensors, by id.
struct LiveSets {
  OpId op;
  PaperStep step = 0;
  std::vector<TensorId> in, out;
};
/// One entry per op of the route, in its order.
[[nodiscard]] std::vector<LiveSets> liveSets(const Workload& workload, const Plan& plan);

}  // namespace peakscope::analysis
