// SPDX-License-Identifier: Apache-2.0
//
// Random networks for property tests: layers of every class in any DAG, lowered as the paper does (one output a layer, a
// copy a branch, gradients in place for some), with what the oracle's networks do not have: weights that are updated,
// saved tensors, workspaces, outputs changed in place, several readers of one output, layers that read y only, x only.
//
//   std::mt19937 random(seed);
//   const Workload workload = randomWorkload(random, {.layers = 30});
#pragma once

#include <random>

#include "memory/cost_table.h"
#include "memory/workload.h"

namespace peakscope::test {

struct RandomNet {
  int layers = 20;
  bool isPlain = false;    ///< only what the oracle's rules speak of: no workspaces, saved tensors, in-place forward, shared outputs
};
[[nodiscard]] Workload randomWorkload(std::mt19937& random, const RandomNet& net);

/// Random times, and a link that is fast or slow against them.
[[nodiscard]] CostTable randomCosts(std::mt19937& random, const Workload& workload);

}  // namespace peakscope::test
