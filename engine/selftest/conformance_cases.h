// SPDX-License-Identifier: Apache-2.0
//
// The networks of a few layers whose ops are compared: odd channels, strides, paddings, one pixel, ties, forks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph.h"

namespace peakscope::engine {

struct ConformanceCase {
  std::string name;                ///< "conv 3x3 on 1 channel"
  Graph graph;
  std::int64_t batch = 3;
};

[[nodiscard]] std::vector<ConformanceCase> conformanceCases();

}  // namespace peakscope::engine
