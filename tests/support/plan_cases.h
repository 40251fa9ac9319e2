// SPDX-License-Identifier: Apache-2.0
//
// Every policy and technique set, as a table for tests.
//
//   for (const PolicyOptions& options : allPolicyOptions()) ...
#pragma once

#include <string>
#include <vector>

#include "memory/policy_options.h"

namespace peakscope::test {

[[nodiscard]] inline std::vector<PolicyOptions> allPolicyOptions() {
  std::vector<PolicyOptions> all{{.policy = "keep-all"}, {.policy = "liveness"}, {.techniques = {false, false, false}}};
  for (const bool isRecomputing : {false, true})
    for (const RecomputeMode mode : {RecomputeMode::Speed, RecomputeMode::Memory, RecomputeMode::CostAware}) {
      if (!isRecomputing && mode != RecomputeMode::Speed) continue;
      if (isRecomputing) all.push_back({.techniques = {true, false, true}, .recompute = mode});
      for (const OffloadSet set : {OffloadSet::Convolutions, OffloadSet::Checkpoints})
        for (const Prefetch prefetch : {Prefetch::PreviousConvolution, Prefetch::OnDemand})
          for (const OffloadFree free : {OffloadFree::LastReader, OffloadFree::Hidden})
            all.push_back({.techniques = {true, true, isRecomputing}, .offload = set, .prefetch = prefetch, .recompute = mode, .offloadFree = free});
    }
  return all;
}

[[nodiscard]] inline std::string textOf(const PolicyOptions& o) {
  const auto number = [](auto value) { return std::to_string(static_cast<int>(value)); };
  return o.policy + " liveness " + number(o.techniques.liveness) + " offload " + number(o.techniques.offload) + " recompute " + number(o.techniques.recompute) +
         " set " + number(o.offload) + " prefetch " + number(o.prefetch) + " mode " + number(o.recompute) + " free " + number(o.offloadFree);
}

}  // namespace peakscope::test
