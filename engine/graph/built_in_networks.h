// SPDX-License-Identifier: Apache-2.0
//
// Networks that are built by code because a rule says more than a thousand lines of a network file. One file each.
//
//   for (const BuiltInNetwork& known : builtInNetworks()) graphs.push_back(known.build());
#pragma once

#include <span>

#include "engine/graph.h"

namespace peakscope::engine {

struct BuiltInNetwork {
  const char* name;
  Result<Graph> (*build)();
};
[[nodiscard]] std::span<const BuiltInNetwork> builtInNetworks();

[[nodiscard]] Result<Graph> googlenet();
enum class InceptionNorms : std::uint8_t { OnlyFirst, Everywhere };
/// Inception-v4 as the paper's program has it (batch norm behind the first convolution only), or as it was published.
[[nodiscard]] Result<Graph> inception4(InceptionNorms norms);
[[nodiscard]] Result<Graph> densenet121();

}  // namespace peakscope::engine
