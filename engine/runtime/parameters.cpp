// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/parameters.h"

#include <cmath>
#include <optional>

#include "engine/data/random.h"

namespace peakscope::engine {
namespace {

/// How an op uses a tensor; the first op of the workload that reads it as a parameter decides.
struct Use {
  ArgRole role;
  bool isNormalisation;
};
std::optional<Use> useOf(const Lowering& lowering, TensorId tensor) {
  const Workload& workload = lowering.workload;
  for (const OpId op : idsOf(workload.ops)) {
    if (workload.ops[op].layer != workload.tensors[tensor].layer) continue;
    for (const OpArg& arg : workload.ops[op].args)
      if (arg.tensor == tensor) return Use{arg.role, std::holds_alternative<BatchNormParams>(lowering.ops[op].params)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<TensorId> parameterTensors(const Lowering& lowering) {
  std::vector<TensorId> ids;
  for (const TensorId id : idsOf(lowering.workload.tensors)) {
    const Tensor& tensor = lowering.workload.tensors[id];
    const bool holdsNumbers = tensor.kind == TensorKind::Weight || tensor.kind == TensorKind::OptimizerState || tensor.kind == TensorKind::WeightGrad ||
                              tensor.kind == TensorKind::Saved;
    if ((tensor.isPersistent || tensor.livesOnHost) && holdsNumbers) ids.push_back(id);
  }
  return ids;
}

std::vector<float> initialValues(const Lowering& lowering, TensorId tensor, const WeightInit& init, std::uint64_t seed) {
  const Tensor& about = lowering.workload.tensors[tensor];
  const Shape& shape = lowering.tensors[tensor].shape;
  std::vector<float> values(static_cast<std::size_t>(shape.elements()), 0.0F);
  const auto use = useOf(lowering, tensor);
  if (!use) return values;
  if (use->role == ArgRole::RunningVariance || (use->role == ArgRole::Weights && use->isNormalisation)) {
    values.assign(values.size(), 1.0F);
    return values;
  }
  if (use->role != ArgRole::Weights) return values;

  Random random(mix(seed, hashOf(about.name)));
  const auto fanIn = static_cast<double>(shape.c * shape.h * shape.w);
  const auto fanOut = static_cast<double>(shape.n * shape.h * shape.w);
  const double bound = std::sqrt(6 / (fanIn + fanOut)), he = std::sqrt(2 / fanIn);
  for (float& value : values) switch (init.kind) {
      case WeightInit::Kind::Xavier: value = static_cast<float>((2 * random.uniform() - 1) * bound); break;
      case WeightInit::Kind::He: value = static_cast<float>(he * random.normal()); break;
      case WeightInit::Kind::Gaussian: value = static_cast<float>(static_cast<double>(init.stddev) * random.normal()); break;
    }
  return values;
}

float learningRateAt(const Solver& solver, std::int64_t iteration) {
  float rate = solver.learningRate;
  for (const Solver::Drop& drop : solver.schedule)
    if (iteration >= drop.iteration) rate = drop.learningRate;
  return rate;
}

}  // namespace peakscope::engine
