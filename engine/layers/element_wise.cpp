// SPDX-License-Identifier: Apache-2.0
//
// ReLU and the other functions of one element, and dropout.
#include <algorithm>

#include "engine/layers/layer_rules.h"

namespace peakscope::engine {
namespace {

/// A ReLU may write into its input if that is a checkpoint's output which nobody else reads, and whose own backward
/// does not read it: what is rebuilt from the checkpoint then starts behind the ReLU, where it is wanted.
bool mayRunInPlace(const LoweringContext& c, LayerId relu) {
  if (!c.options.reluInPlace) return false;
  const LayerId producer = c.layer(relu).inputs[0];
  const bool isCheckpoint = c.isClass(producer, LayerClass::Convolution) ||
                            c.isClass(producer, LayerClass::FullyConnected) || c.isClass(producer, LayerClass::Join) ||
                            c.isClass(producer, LayerClass::Concat);
  return isCheckpoint && c.layer(producer).consumers.size() == 1 && !readsDstInBackward(c, producer);
}

void forward(LoweringContext& c, LayerId layer, bool isInPlace) {
  c.states[layer].isInPlace = isInPlace;
  const TensorId src = c.src(layer);
  if (isInPlace) {
    c.setOutput(layer, src);
    OpDesc desc = c.describe(layer, Phase::Forward);
    desc.isInPlace = true;
    const std::vector<OpArg> args{changes(ArgRole::Src, src), changes(ArgRole::Dst, src)};
    c.addRebuild(c.addOp(layer, std::move(desc), args), args);
    return;
  }
  const TensorId dst = c.addOutput(layer);
  const std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)};
  c.addRebuild(c.addOp(layer, c.describe(layer, Phase::Forward), args), args);
}

/// What is kept for backward.
struct Kept {
  bool src, dst;
};

void backward(LoweringContext& c, LayerId layer, Kept kept) {
  OpDesc desc = c.describe(layer, Phase::Backward);
  std::vector<OpArg> args;
  if (kept.src && !c.states[layer].isInPlace) args.push_back(reads(ArgRole::Src, c.src(layer)));
  if (kept.dst) args.push_back(reads(ArgRole::Dst, c.dst(layer)));
  c.addDiffSrcInPlaceArgs(layer, desc, args);
  c.addOp(layer, std::move(desc), std::move(args));
}

}  // namespace

void lowerForward(LoweringContext& c, LayerId layer, const ReluParams&) {
  if (c.states[layer].isFused) return c.setOutput(layer, c.src(layer));
  forward(c, layer, mayRunInPlace(c, layer));
}

void lowerBackward(LoweringContext& c, LayerId layer, const ReluParams&) {
  if (c.states[layer].isFused) return c.giveDiffSrc(layer, 0, c.takeDiffDst(layer).tensor);
  backward(c, layer, {.src = c.hasPaperLifetimes(), .dst = true});
}

/// Where backward reads x, x must not be overwritten.
void lowerForward(LoweringContext& c, LayerId layer, const ActivationParams& params) {
  forward(c, layer, !params.readsSrc() && mayRunInPlace(c, layer));
}

void lowerBackward(LoweringContext& c, LayerId layer, const ActivationParams& params) {
  const bool keepsBoth = c.hasPaperLifetimes();
  backward(c, layer, {.src = keepsBoth || params.readsSrc(), .dst = keepsBoth || params.readsDst()});
}

void lowerForward(LoweringContext& c, LayerId layer, const DropoutParams&) {
  const TensorId src = c.src(layer);
  if (!c.isTraining) return c.setOutput(layer, src);  // nothing is dropped in evaluation
  const TensorId dst = c.addOutput(layer);
  OpDesc desc = c.describe(layer, Phase::Forward);
  std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)};
  std::vector<OpArg> rebuildArgs = args;
  c.addSaved(layer, desc, args);
  c.addSavedToRebuild(layer, rebuildArgs);
  c.addRebuild(c.addOp(layer, std::move(desc), std::move(args)), std::move(rebuildArgs));
}

void lowerBackward(LoweringContext& c, LayerId layer, const DropoutParams&) {
  OpDesc desc = c.describe(layer, Phase::Backward);
  std::vector<OpArg> args{reads(ArgRole::DiffDst, c.takeDiffDst(layer).tensor)};
  if (c.states[layer].saved.isValid()) args.push_back(reads(ArgRole::Saved, c.states[layer].saved));
  c.addDiffSrcArg(layer, desc, args);
  c.addOp(layer, std::move(desc), std::move(args));
}

}  // namespace peakscope::engine
