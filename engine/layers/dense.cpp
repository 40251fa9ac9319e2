// SPDX-License-Identifier: Apache-2.0
//
// Convolution and fully connected layers: y from x and the parameters; dx, dW and db from x and dy in one op.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {
namespace {

void forward(LoweringContext& c, LayerId layer) {
  const auto& state = c.states[layer];
  const TensorId src = c.src(layer), dst = c.addOutput(layer);
  std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst), reads(ArgRole::Weights, state.weights)};
  if (state.bias.isValid()) args.push_back(reads(ArgRole::Bias, state.bias));
  OpDesc desc = c.describe(layer, Phase::Forward);
  std::vector<OpArg> rebuildArgs = args;
  c.addSaved(layer, desc, args);
  c.addSavedToRebuild(layer, rebuildArgs);
  c.addRebuild(c.addOp(layer, std::move(desc), std::move(args)), std::move(rebuildArgs));
}

void backward(LoweringContext& c, LayerId layer) {
  const auto& state = c.states[layer];
  OpDesc desc = c.describe(layer, Phase::Backward);
  std::vector<OpArg> args{reads(ArgRole::Src, c.src(layer)), reads(ArgRole::DiffDst, c.takeDiffDst(layer).tensor),
                          reads(ArgRole::Weights, state.weights)};
  if (state.saved.isValid()) args.push_back(reads(ArgRole::Saved, state.saved));
  c.addDiffSrcArg(layer, desc, args);
  addParameterGradientArgs(c, layer, args);
  c.addOp(layer, std::move(desc), std::move(args));
}

}  // namespace

void lowerForward(LoweringContext& c, LayerId layer, const ConvParams&) { forward(c, layer); }
void lowerBackward(LoweringContext& c, LayerId layer, const ConvParams&) { backward(c, layer); }
void lowerForward(LoweringContext& c, LayerId layer, const FcParams&) { forward(c, layer); }
void lowerBackward(LoweringContext& c, LayerId layer, const FcParams&) { backward(c, layer); }

}  // namespace peakscope::engine
