// SPDX-License-Identifier: Apache-2.0
//
// ResNet of any depth by the paper's definition: bottleneck blocks, stride in the first 1x1, input 3x227x227.
//
//   Result<Graph> graph = resnet({3, 4, 6, 3});   // ResNet-50: depth 3 * sum + 2
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/graph.h"

namespace peakscope::engine {

using ResnetBlocks = std::array<std::int64_t, 4>;

inline constexpr std::int64_t maxResnetBlocks = 100'000;  ///< of all four stages together

/// "resnet50", "resnet:6,32,788,6": what findNetwork takes.
[[nodiscard]] std::string resnetName(const ResnetBlocks& blocks);
/// The blocks of such a name; none if it is no ResNet or not well formed.
[[nodiscard]] std::optional<ResnetBlocks> resnetBlocks(std::string_view name);
[[nodiscard]] Result<Graph> resnet(const ResnetBlocks& blocks);

}  // namespace peakscope::engine
