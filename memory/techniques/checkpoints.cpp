// SPDX-License-Identifier: Apache-2.0
#include "memory/techniques/checkpoints.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace peakscope {
namespace {

/// Every k-th layer of the forward route, k about sqrt(N): segments as long as there are segments.
void chooseAtEqualDistances(const Workload& workload, IdVector<LayerId, char>& isChosen) {
  std::vector<LayerId> route;
  for (const OpId id : workload.route)
    if (workload.ops[id].phase == Phase::Forward) route.push_back(workload.ops[id].layer);
  const auto distance = static_cast<std::size_t>(std::max(1.0, std::ceil(std::sqrt(static_cast<double>(route.size())))));
  for (std::size_t i = distance - 1; i < route.size(); i += distance) isChosen[route[i]] = 1;
}

}  // namespace

IdVector<LayerId, char> checkpointsOf(const Workload& workload, const PolicyOptions& options) {
  IdVector<LayerId, char> result(workload.layers.size(), 0);
  const std::unordered_set<std::string> listed(options.checkpoints.begin(), options.checkpoints.end());
  for (const LayerId layer : idsOf(workload.layers)) {
    const LayerClass layerClass = workload.layers[layer].layerClass;
    bool isChosen = layerClass == LayerClass::Data || layerClass == LayerClass::Loss;
    switch (options.checkpointRule) {
      case CheckpointRule::Paper: isChosen = isCheckpoint(layerClass); break;
      case CheckpointRule::Convolutions: isChosen = isChosen || layerClass == LayerClass::Convolution || layerClass == LayerClass::FullyConnected; break;
      case CheckpointRule::Joins: isChosen = isChosen || layerClass == LayerClass::Join; break;
      case CheckpointRule::Listed: isChosen = isChosen || listed.contains(workload.layers[layer].name); break;
      case CheckpointRule::SquareRoot: break;
    }
    result[layer] = isChosen;
  }
  if (options.checkpointRule == CheckpointRule::SquareRoot) chooseAtEqualDistances(workload, result);
  return result;
}

std::optional<std::string> unknownCheckpoint(const Workload& workload, const PolicyOptions& options) {
  if (options.checkpointRule != CheckpointRule::Listed) return {};
  std::unordered_set<std::string> names;
  for (const WorkloadLayer& layer : workload.layers) names.insert(layer.name);
  for (const std::string& name : options.checkpoints)
    if (!names.contains(name)) return name;
  return {};
}

}  // namespace peakscope
