// SPDX-License-Identifier: Apache-2.0
//
// Pooling. In lean a max pool saves which element won, and backward needs neither x nor y; in paper both stay resident.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

void lowerForward(LoweringContext& c, LayerId layer, const PoolParams& params) {
  const TensorId src = c.src(layer), dst = c.addOutput(layer);
  OpDesc desc = c.describe(layer, Phase::Forward);
  desc.savesForBackward = c.isTraining && c.options.savesArgmax && params.mode == PoolParams::Mode::Max;
  std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)};
  std::vector<OpArg> rebuildArgs = args;
  c.addSaved(layer, desc, args);
  c.addSavedToRebuild(layer, rebuildArgs);
  c.addRebuild(c.addOp(layer, std::move(desc), std::move(args)), std::move(rebuildArgs));
}

void lowerBackward(LoweringContext& c, LayerId layer, const PoolParams& params) {
  OpDesc desc = c.describe(layer, Phase::Backward);
  desc.savesForBackward = c.options.savesArgmax && params.mode == PoolParams::Mode::Max;
  std::vector<OpArg> args;
  if (!c.options.savesArgmax) args = {reads(ArgRole::Src, c.src(layer)), reads(ArgRole::Dst, c.dst(layer))};
  args.push_back(reads(ArgRole::DiffDst, c.takeDiffDst(layer).tensor));
  if (c.states[layer].saved.isValid()) args.push_back(reads(ArgRole::Saved, c.states[layer].saved));
  c.addDiffSrcArg(layer, desc, args);
  c.addOp(layer, std::move(desc), std::move(args));
}

}  // namespace peakscope::engine
