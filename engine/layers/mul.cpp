// SPDX-License-Identifier: Apache-2.0
//
// Product of two inputs. Each gradient needs the other input, so both live until backward; a repeated input's gradient
// is summed over the repetitions and has that input's shape. Neither gradient can take the place of dy, which the other
// one reads.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

void lowerForward(LoweringContext& c, LayerId id, const MulParams&) {
  const TensorId dst = c.addOutput(id);
  c.addOp(id, c.describe(id, Phase::Forward),
          {reads(ArgRole::Src, c.src(id, 0), 0), reads(ArgRole::Src, c.src(id, 1), 1), writes(ArgRole::Dst, dst)});
}

void lowerBackward(LoweringContext& c, LayerId id, const MulParams&) {
  std::vector<OpArg> args{reads(ArgRole::DiffDst, c.takeDiffDst(id).tensor)};
  const auto& inputs = c.layer(id).inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (c.needsDiffSrc(id, 1 - k)) args.push_back(reads(ArgRole::Src, c.src(id, k), static_cast<std::int32_t>(k)));
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!c.needsDiffSrc(id, k)) continue;
    const TensorId diffSrc = c.addDiffSrc(id, k, c.numberOf(inputs[k]));
    args.push_back(writes(ArgRole::DiffSrc, diffSrc, static_cast<std::int32_t>(k)));
    c.giveDiffSrc(id, k, diffSrc);
  }
  c.addOp(id, c.describe(id, Phase::Backward), std::move(args));
}

}  // namespace peakscope::engine
