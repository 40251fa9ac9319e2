// SPDX-License-Identifier: Apache-2.0
//
// Network files: small JSON documents, written and read by hand.
//
//   {
//     "name": "tiny", "batch": 100, "dataSet": "fashion-mnist",
//     "solver": {"type": "momentum", "learningRate": 0.05, "momentum": 0.9, "schedule": [{"from": 600, "learningRate":
//     0.01}]}, "init": {"type": "he"}, "layers": [
//       {"name": "data",    "type": "data", "shape": [1, 28, 28], "classes": 10},
//       {"name": "conv1",   "type": "conv", "out": 20, "kernel": 5},
//       {"name": "pool1",   "type": "pool", "kernel": 2},
//       {"name": "fc1",     "type": "fc", "out": 10},
//       {"name": "softmax", "type": "softmax"}
//     ]
//   }
//
// A layer without "input" reads the one before it; "input" names another layer, or several: ["a", "b"] (input 0 first).
// Layers may be named before they are written. A fork's branches are numbered in the order in which readers are
// written. The keys of each type are in layer_reader.cpp; messages name file, line and layer and list what is known.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph.h"
#include "memory/result.h"

namespace peakscope::engine {

[[nodiscard]] Result<Graph> readNetworkFile(const std::filesystem::path& path);
/// `fileName` is for messages, and names the network if the text does not.
[[nodiscard]] Result<Graph> parseNetwork(std::string_view text, const std::string& fileName);

/// A sample's name (of a file, or in built_in_networks.h), a ResNet as "resnet:n1,n2,n3,n4", or a file: JSON, or ONNX if
/// it ends in .onnx. `samplesDir` holds the network files, or a folder `networks` that does.
[[nodiscard]] Result<Graph> findNetwork(const std::string& nameOrFile, const std::filesystem::path& samplesDir);
/// Names that findNetwork knows without a path, sorted.
[[nodiscard]] std::vector<std::string> sampleNetworks(const std::filesystem::path& samplesDir);

}  // namespace peakscope::engine
