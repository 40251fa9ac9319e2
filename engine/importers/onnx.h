// SPDX-License-Identifier: Apache-2.0
//
// readOnnx: a network of one's own from an ONNX file, to be planned. Shapes are inferred here, for any operator set; the
// weights are never read, so a file whose external data are lost is as good.
//
//   Result<Graph> graph = readOnnx("net.onnx");     // "net.onnx: cannot be planned: Erf 12 times (first: ...), ..."
//   graph->planOnly;                                // not empty: training such models comes later
//   for (const std::string& remark : graph->remarks) tell(remark);
//
// Every value with more than one reader gets a fork; a softmax at the end, or none, becomes the softmax loss. What is
// read and what is not: resources/docs/onnx.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/graph.h"
#include "memory/result.h"

namespace peakscope::engine {

[[nodiscard]] Result<Graph> readOnnx(const std::filesystem::path& path);
/// `fileName` is for messages, and names the network.
[[nodiscard]] Result<Graph> parseOnnx(std::string_view bytes, const std::string& fileName);

}  // namespace peakscope::engine
