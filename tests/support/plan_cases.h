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

/// Of what the rules of tests/oracle/README.md speak.
[[nodiscard]] inline std::vector<PolicyOptions> oraclePolicyOptions() {
  std::vector<PolicyOptions> all{{.policy = "keep-all"}, {.policy = "liveness"}, {.techniques = noTechniques}};
  for (const bool isRecomputing : {false, true})
    for (const RecomputeMode mode : {RecomputeMode::Speed, RecomputeMode::Memory, RecomputeMode::CostAware}) {
      if (!isRecomputing && mode != RecomputeMode::Speed) continue;
      if (isRecomputing) all.push_back({.techniques = {.liveness = true, .recompute = true}, .recompute = mode});
      for (const OffloadSet set : {OffloadSet::Convolutions, OffloadSet::Checkpoints})
        for (const Prefetch prefetch : {Prefetch::PreviousConvolution, Prefetch::OnDemand})
          for (const OffloadFree free : {OffloadFree::LastReader, OffloadFree::Hidden})
            all.push_back({.techniques = {.liveness = true, .offload = true, .recompute = isRecomputing}, .offload = set, .prefetch = prefetch, .recompute = mode, .offloadFree = free});
    }
  return all;
}

[[nodiscard]] inline std::vector<PolicyOptions> allPolicyOptions() {
  std::vector<PolicyOptions> all = oraclePolicyOptions();
  all.push_back({.techniques = {.liveness = true, .workspace = true}});
  all.push_back({});
  for (const PlacementRule rule : {PlacementRule::Pool, PlacementRule::Native}) {
    all.push_back({.policy = "liveness", .placement = rule});
    all.push_back({.placement = rule});
  }
  for (const char* policy : {"vdnn-all", "vdnn-conv", "vdnn-dyn", "chen-sqrt", "densenet-efficient", "caffe-like", "torch-like", "mxnet-like", "tensorflow-like"})
    all.push_back({.policy = policy});
  all.push_back({.techniques = {.liveness = true, .recompute = true}, .recompute = RecomputeMode::Speed, .checkpointRule = CheckpointRule::Joins});
  all.push_back({.checkpointRule = CheckpointRule::SquareRoot});
  return all;
}

[[nodiscard]] inline std::string textOf(const PolicyOptions& o) {
  const auto number = [](auto value) { return std::to_string(static_cast<int>(value)); };
  return o.policy + " liveness " + number(o.techniques.liveness) + " offload " + number(o.techniques.offload) + " cache " + number(o.techniques.cache) + " recompute " + number(o.techniques.recompute) + " workspace " +
         number(o.techniques.workspace) +
         " set " + number(o.offload) + " prefetch " + number(o.prefetch) + " mode " + number(o.recompute) + " free " + number(o.offloadFree) + " placement " + toString(o.placement) + " checkpoints " + toString(o.checkpointRule);
}

}  // namespace peakscope::test
