// SPDX-License-Identifier: Apache-2.0
//
// Batch norm, alone or with the ReLU behind it in one op. Mean and variance of the batch are kept from forward to
// backward, always: a rebuild reads them, so that it repeats the forward pass exactly and leaves the running statistics
// alone. No library fuses a ReLU with batch norm per activation.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

bool isFusedWithRelu(const LoweringContext& c, LayerId batchNorm) {
  const Layer& layer = c.layer(batchNorm);
  const auto* params = std::get_if<BatchNormParams>(&layer.params);
  return c.options.fusesBatchNormRelu && params && !params->isPerActivation && layer.consumers.size() == 1 && std::holds_alternative<ReluParams>(c.layer(layer.consumers[0]).params);
}

void lowerForward(LoweringContext& c, LayerId layer, const BatchNormParams&) {
  auto& state = c.states[layer];
  const TensorId src = c.src(layer), dst = c.addOutput(layer);
  OpDesc desc = c.describe(layer, Phase::Forward);
  desc.hasFusedRelu = isFusedWithRelu(c, layer);
  if (desc.hasFusedRelu) c.states[c.layer(layer).consumers[0]].isFused = true;

  std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst), reads(ArgRole::Weights, state.weights),
                          reads(ArgRole::Bias, state.bias)};
  if (!c.isTraining) {
    args.insert(args.end(), {reads(ArgRole::RunningMean, state.runningMean),
                             reads(ArgRole::RunningVariance, state.runningVariance)});
    c.addOp(layer, std::move(desc), std::move(args));
    return;
  }

  std::vector<OpArg> rebuildArgs = args;
  const TensorDesc statistics = c.descOf(state.weights);
  state.mean = c.addTensor(
      {.name = c.layer(layer).name + ".mean", .kind = TensorKind::Saved, .layer = layer, .desc = statistics});
  state.variance = c.addTensor(
      {.name = c.layer(layer).name + ".variance", .kind = TensorKind::Saved, .layer = layer, .desc = statistics});
  args.insert(args.end(), {writes(ArgRole::Mean, state.mean), writes(ArgRole::Variance, state.variance),
                           changes(ArgRole::RunningMean, state.runningMean),
                           changes(ArgRole::RunningVariance, state.runningVariance)});
  rebuildArgs.insert(rebuildArgs.end(), {reads(ArgRole::Mean, state.mean), reads(ArgRole::Variance, state.variance)});
  c.addSaved(layer, desc, args);
  c.addSavedToRebuild(layer, rebuildArgs);
  c.addRebuild(c.addOp(layer, std::move(desc), std::move(args)), std::move(rebuildArgs));
}

void lowerBackward(LoweringContext& c, LayerId layer, const BatchNormParams&) {
  const auto& state = c.states[layer];
  OpDesc desc = c.describe(layer, Phase::Backward);
  desc.hasFusedRelu = isFusedWithRelu(c, layer);
  std::vector<OpArg> args{reads(ArgRole::Src, c.src(layer)),      reads(ArgRole::DiffDst, c.takeDiffDst(layer).tensor),
                          reads(ArgRole::Weights, state.weights), reads(ArgRole::Bias, state.bias),
                          reads(ArgRole::Mean, state.mean),       reads(ArgRole::Variance, state.variance)};
  if (state.saved.isValid()) args.push_back(reads(ArgRole::Saved, state.saved));
  c.addDiffSrcArg(layer, desc, args);
  addParameterGradientArgs(c, layer, args);
  c.addOp(layer, std::move(desc), std::move(args));
}

}  // namespace peakscope::engine
