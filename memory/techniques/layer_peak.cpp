// SPDX-License-Identifier: Apache-2.0
//
// l_peak, from what each backward op touches.
#include "memory/techniques/layer_peak.h"

#include <algorithm>

namespace peakscope {

LayerPeak layerPeak(const Workload& workload) {
  // Forward route order decides ties: the first layer with the maximum is named.
  IdVector<LayerId, Bytes> distinct(workload.layers.size());
  IdVector<LayerId, Bytes> counted(workload.layers.size());
  std::vector<LayerId> order;
  for (const OpId id : workload.route) {
    const Op& op = workload.ops[id];
    if (op.phase == Phase::Forward) order.push_back(op.layer);
    if (op.phase != Phase::Backward) continue;
    std::vector<TensorId> touched;
    for (const OpArg& arg : op.args)
      if (isScheduled(workload.tensors[arg.tensor].kind)) touched.push_back(arg.tensor);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    Bytes bytes;
    for (const TensorId tensor : touched) bytes += workload.tensors[tensor].shapeBytes;
    distinct[op.layer] = std::max(distinct[op.layer], bytes);
    counted[op.layer] = std::max(counted[op.layer], bytes + op.duplicateNeed);
  }
  LayerPeak peak;
  for (const LayerId layer : order) {
    if (counted[layer] > peak.bytes) peak.bytes = counted[layer], peak.layer = layer;
    if (distinct[layer] > peak.distinctBytes) peak.distinctBytes = distinct[layer], peak.distinctLayer = layer;
  }
  return peak;
}

}  // namespace peakscope
