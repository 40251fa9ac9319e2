// SPDX-License-Identifier: Apache-2.0
//
// Concatenation along channels: forward copies all inputs into one output, backward copies each input's channels out of
// dy into a dx of its own, in both presets. Nothing can be shared: an input's channels do not lie together in dy.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

void lowerForward(LoweringContext& c, LayerId id, const ConcatParams&) {
  const TensorId dst = c.addOutput(id);
  std::vector<OpArg> args;
  for (std::size_t k = 0; k < c.layer(id).inputs.size(); ++k)
    args.push_back(reads(ArgRole::Src, c.src(id, k), static_cast<std::int32_t>(k)));
  args.push_back(writes(ArgRole::Dst, dst));
  c.addRebuild(c.addOp(id, c.describe(id, Phase::Forward), args), args);
}

void lowerBackward(LoweringContext& c, LayerId id, const ConcatParams&) {
  const Layer& layer = c.layer(id);
  std::vector<OpArg> args{reads(ArgRole::DiffDst, c.takeDiffDst(id).tensor)};
  for (std::size_t k = 0; k < layer.inputs.size(); ++k) {
    if (!c.needsDiffSrc(id, k)) continue;
    const TensorId diffSrc = c.addDiffSrc(id, k, c.numberOf(layer.inputs[k]));
    args.push_back(writes(ArgRole::DiffSrc, diffSrc, static_cast<std::int32_t>(k)));
    c.giveDiffSrc(id, k, diffSrc);
  }
  c.addOp(id, c.describe(id, Phase::Backward), std::move(args));
}

}  // namespace peakscope::engine
