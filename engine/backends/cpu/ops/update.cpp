// SPDX-License-Identifier: Apache-2.0
//
// The optimizer's step on one layer's parameters: SGD, momentum, Nesterov. Weight decay acts on weights and the scale of
// batch norm, not on biases.
#include "engine/backend_failure.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

struct Step {
  float rate, momentum, decay;
  bool isNesterov;
};

void update(float* values, const float* gradient, float* velocity, std::int64_t elements, const Step& step) {
  if (velocity == nullptr) {
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) values[i] -= step.rate * (gradient[i] + step.decay * values[i]);
    return;
  }
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < elements; ++i) {
    const float g = gradient[i] + step.decay * values[i];
    velocity[i] = step.momentum * velocity[i] + g;
    values[i] -= step.rate * (step.isNesterov ? g + step.momentum * velocity[i] : velocity[i]);
  }
}

/// Elements of weights and bias, from the layer's parameters and shapes.
std::pair<std::int64_t, std::int64_t> parameterCounts(const OpDesc& desc) {
  const Shape& in = desc.src[0].shape;
  if (const auto* conv = std::get_if<ConvParams>(&desc.params)) return {conv->outChannels * (in.c / conv->groups) * conv->kernelH * conv->kernelW, conv->outChannels};
  if (const auto* fc = std::get_if<FcParams>(&desc.params)) return {fc->outChannels * in.c * in.h * in.w, fc->outChannels};
  if (const auto* norm = std::get_if<BatchNormParams>(&desc.params)) return {norm->parameterElements(in), norm->parameterElements(in)};
  throw BackendFailure("layer " + desc.layer + " has no parameters to update");
}

}  // namespace

OpPointer makeUpdate(const OpDesc& desc) {
  const auto [weights, bias] = parameterCounts(desc);
  return makeKernel([rule = desc.update, weights = weights, bias = bias](const CpuOpContext& context) {
    Step step{.rate = context.iteration.learningRate, .momentum = rule.momentum, .decay = rule.weightDecay, .isNesterov = rule.kind == Solver::Kind::Nesterov};
    update(context.data(ArgRole::Weights), context.data(ArgRole::DiffWeights), context.data(ArgRole::Momentum), weights, step);
    step.decay = 0;
    if (float* values = context.data(ArgRole::Bias)) update(values, context.data(ArgRole::DiffBias), context.data(ArgRole::BiasMomentum), bias, step);
  });
}

}  // namespace peakscope::engine::cpu
