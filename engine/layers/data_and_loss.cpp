// SPDX-License-Identifier: Apache-2.0
//
// Both ends of a network: the batch comes in, the loss goes out. The gradient of softmax with cross entropy is its
// output less the labels, so it is written into the output itself.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

void lowerForward(LoweringContext& c, LayerId layer, const DataParams&) {
  c.setOutput(layer, c.input);
  OpDesc desc = c.describe(layer, Phase::Load);
  c.addOp(layer, std::move(desc), {writes(ArgRole::Dst, c.input), writes(ArgRole::Labels, c.labels)});
}

void lowerBackward(LoweringContext& c, LayerId layer, const DataParams&) {
  // Nobody uses the gradient of the input; taking it keeps the books.
  for (std::size_t k = 0; k < c.states[layer].diffDsts.size(); ++k)
    if (c.states[layer].diffDsts[k].isValid()) c.takeDiffDst(layer, k);
}

void lowerForward(LoweringContext& c, LayerId layer, const SoftmaxLossParams&) {
  const TensorId dst = c.addOutput(layer);
  c.addOp(layer, c.describe(layer, Phase::Forward),
          {reads(ArgRole::Src, c.src(layer)), writes(ArgRole::Dst, dst), reads(ArgRole::Labels, c.labels),
           writes(ArgRole::Loss, c.loss)});
}

void lowerBackward(LoweringContext& c, LayerId layer, const SoftmaxLossParams&) {
  const TensorId dst = c.dst(layer);
  std::vector<OpArg> args;
  if (c.hasPaperLifetimes()) args.push_back(reads(ArgRole::Src, c.src(layer)));
  args.insert(args.end(),
              {changes(ArgRole::Dst, dst), changes(ArgRole::DiffSrc, dst), reads(ArgRole::Labels, c.labels)});
  c.addOp(layer, c.describe(layer, Phase::Backward), std::move(args));
  c.giveDiffSrc(layer, 0, dst);
}

}  // namespace peakscope::engine
