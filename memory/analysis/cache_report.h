// SPDX-License-Identifier: Apache-2.0
//
// What the tensor cache did, read from the plan's steps: hits, misses, and each eviction with its reason.
//
//   const CacheReport report = cacheReport(workload, plan);
//   for (const EvictedTensor& e : report.evictions)     // "conv1.out, for pool5 backward, which asked for 33 MiB"
#pragma once

#include <vector>

#include "memory/plan.h"

namespace peakscope::analysis {

struct EvictedTensor {
  TensorId tensor;
  OpId op;                ///< for whom room was made
  Bytes request;          ///< what it asked for: a tensor, or its workspace (then 0: no step of the plan says how much)
  PlanStepId step;
  PaperStep paperStep = 0;
};

/// Of the tensors that may leave: an op that touches one hits if it is resident, and misses if it had to be fetched for it.
/// What was prefetched is a hit.
struct CacheReport {
  std::int32_t hits = 0, misses = 0;
  IdVector<TensorId, std::int32_t> hitsOf, missesOf;
  std::vector<EvictedTensor> evictions;
  Bytes copiedOut, copiedIn;
};
[[nodiscard]] CacheReport cacheReport(const Workload& workload, const Plan& plan);

}  // namespace peakscope::analysis
