// SPDX-License-Identifier: Apache-2.0
//
// Local response normalisation. The paper's code keeps x, y and dy resident and overwrites dy; its l_peak counts that
// gradient twice, which is reproduced on purpose (duplicateNeed). In lean y is rebuilt from x inside the op.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

void lowerForward(LoweringContext& c, LayerId layer, const LrnParams&) {
  const TensorId src = c.src(layer), dst = c.addOutput(layer);
  OpDesc desc = c.describe(layer, Phase::Forward);
  std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)};
  std::vector<OpArg> rebuildArgs = args;
  c.addSaved(layer, desc, args);
  c.addSavedToRebuild(layer, rebuildArgs);
  c.addRebuild(c.addOp(layer, std::move(desc), std::move(args)), std::move(rebuildArgs));
}

void lowerBackward(LoweringContext& c, LayerId layer, const LrnParams&) {
  OpDesc desc = c.describe(layer, Phase::Backward);
  std::vector<OpArg> args{reads(ArgRole::Src, c.src(layer))};
  if (c.hasPaperLifetimes()) args.push_back(reads(ArgRole::Dst, c.dst(layer)));
  if (c.states[layer].saved.isValid()) args.push_back(reads(ArgRole::Saved, c.states[layer].saved));
  c.addDiffSrcInPlaceArgs(layer, desc, args);
  const bool isInPlace = desc.isInPlace;
  const OpId op = c.addOp(layer, std::move(desc), std::move(args));
  if (isInPlace && c.hasPaperLifetimes())
    c.result.workload.ops[op].duplicateNeed = c.result.workload.tensors[c.dst(layer)].shapeBytes;
}

}  // namespace peakscope::engine
