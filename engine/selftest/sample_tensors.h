// SPDX-License-Identifier: Apache-2.0
//
// Tensors of a lowering with values to start from: parameters of a sensible size, images, labels. The same everywhere.
#pragma once

#include <cmath>
#include <vector>

#include "engine/data/random.h"
#include "engine/lowering.h"
#include "engine/selftest/op_runner.h"

namespace peakscope::engine {

struct SampleBatch {
  std::vector<float> images;
  std::vector<std::int32_t> labels;

  /// In evaluation the last image is padding.
  SampleBatch(const Shape& input, std::int64_t classes, bool isTraining) : images(static_cast<std::size_t>(input.elements())), labels(static_cast<std::size_t>(input.n)) {
    Random random(hashOf("images"));
    for (float& value : images) value = static_cast<float>(random.normal());
    for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(classes)));
    if (!isTraining && labels.size() > 1) labels.back() = -1;
  }
  [[nodiscard]] IterationInput input(bool isTraining) const { return {.iteration = 7, .images = images, .labels = labels, .learningRate = 0.05F, .isTraining = isTraining}; }
};

/// Variances are positive, scales near one, weights small where many are summed.
inline double firstValue(ArgRole role, bool isNorm, const Shape& shape, Random& random) {
  const double centred = 2 * random.uniform() - 1;
  if (role == ArgRole::RunningVariance) return 1 + 0.5 * centred;
  if (role == ArgRole::Weights && isNorm) return 1 + 0.5 * centred;
  if (role == ArgRole::Weights) return centred * std::sqrt(3.0 / static_cast<double>(shape.elements() / shape.n));
  return 0.5 * centred;
}

/// Values are rounded to float, which backends compute in.
inline HostTensors sampleTensors(const Lowering& lowering) {
  HostTensors tensors;
  for (const TensorId id : idsOf(lowering.tensors)) tensors.push_back({.desc = lowering.tensors[id], .bytes = lowering.workload.tensors[id].bytes});
  for (const OpId op : lowering.workload.route)
    for (const OpArg& arg : lowering.workload.ops[op].args) {
      const Tensor& tensor = lowering.workload.tensors[arg.tensor];
      HostTensor& host = tensors[arg.tensor];
      if (!tensor.isPersistent || tensor.kind == TensorKind::Input || tensor.kind == TensorKind::Staging || !host.values.empty()) continue;
      const bool isGradient = tensor.kind == TensorKind::WeightGrad;   // persistent in the paper preset, written before it is read
      if (isGradient) continue;
      Random random(hashOf(tensor.name));
      const bool isNorm = std::holds_alternative<BatchNormParams>(lowering.ops[op].params);
      for (std::int64_t i = 0; i < host.desc.shape.elements(); ++i)
        host.values.push_back(static_cast<double>(static_cast<float>(firstValue(arg.role, isNorm, host.desc.shape, random))));
    }
  return tensors;
}

}  // namespace peakscope::engine
