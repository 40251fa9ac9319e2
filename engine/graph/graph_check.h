// SPDX-License-Identifier: Apache-2.0
//
// What makes a list of connected layers a network: unique names, arity, no cycle, one data and one loss layer, and
// shapes that fit. Shared by GraphBuilder and the network file reader, which adds the line of the layer.
//
//   if (auto problem = finishGraph(graph)) report(problem->layer, problem->text);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph.h"

namespace peakscope::engine {

struct GraphProblem {
  LayerId layer;     ///< invalid: the network as a whole
  std::string text;  ///< without the layer's name
};

/// Checks the structure and fills in every layer's shape. The graph is usable only if there is no problem.
[[nodiscard]] std::optional<GraphProblem> finishGraph(Graph& graph);

/// Shape of one output for one image, or why there is none. `inputs` are the inputs' shapes.
[[nodiscard]] Result<Shape, std::string> inferShape(const LayerParams& params, const std::vector<Shape>& inputs);

/// "layer conv2: kernel ..." or the bare text for the network as a whole.
[[nodiscard]] std::string describe(const GraphProblem& problem, const Graph& graph);

/// Note [No sum overflows]
/// Numbers in a file are bounded, and so is the sum over a network of the elements of one image's outputs and of the
/// parameters. Together with maxBatch every count of bytes, even summed over all tensors, stays far below 2^63.
inline constexpr std::int64_t maxExtent = std::int64_t{1} << 24;             ///< channels, image sides
inline constexpr std::int64_t maxWindow = std::int64_t{1} << 16;             ///< kernel, stride, padding, dilation
inline constexpr std::int64_t maxElementsOfNetwork = std::int64_t{1} << 36;  ///< per image; also of all parameters

}  // namespace peakscope::engine
