// SPDX-License-Identifier: Apache-2.0
//
// Flatten is a view: its readers read the tensor behind it, since fully connected layers flatten by themselves.
// Channel padding copies its input between zero channels; backward copies them out of dy. The same holds for what else
// only moves elements: zeros around the image, some of the channels (whose backward fills the others with zeros), and
// channels in another order.
#include "engine/layers/layer_rules.h"

namespace peakscope::engine {

void lowerForward(LoweringContext& c, LayerId layer, const FlattenParams&) { c.setOutput(layer, c.src(layer)); }
void lowerBackward(LoweringContext& c, LayerId layer, const FlattenParams&) {
  c.giveDiffSrc(layer, 0, c.takeDiffDst(layer).tensor);
}

namespace {

void copyForward(LoweringContext& c, LayerId layer) {
  const TensorId src = c.src(layer), dst = c.addOutput(layer);
  const std::vector<OpArg> args{reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)};
  c.addRebuild(c.addOp(layer, c.describe(layer, Phase::Forward), args), args);
}

void copyBackward(LoweringContext& c, LayerId layer) {
  OpDesc desc = c.describe(layer, Phase::Backward);
  std::vector<OpArg> args{reads(ArgRole::DiffDst, c.takeDiffDst(layer).tensor)};
  c.addDiffSrcArg(layer, desc, args);
  c.addOp(layer, std::move(desc), std::move(args));
}

}  // namespace

void lowerForward(LoweringContext& c, LayerId layer, const ChannelPadParams&) { copyForward(c, layer); }
void lowerBackward(LoweringContext& c, LayerId layer, const ChannelPadParams&) { copyBackward(c, layer); }
void lowerForward(LoweringContext& c, LayerId layer, const ImagePadParams&) { copyForward(c, layer); }
void lowerBackward(LoweringContext& c, LayerId layer, const ImagePadParams&) { copyBackward(c, layer); }
void lowerForward(LoweringContext& c, LayerId layer, const ChannelSliceParams&) { copyForward(c, layer); }
void lowerBackward(LoweringContext& c, LayerId layer, const ChannelSliceParams&) { copyBackward(c, layer); }
void lowerForward(LoweringContext& c, LayerId layer, const ChannelShuffleParams&) { copyForward(c, layer); }
void lowerBackward(LoweringContext& c, LayerId layer, const ChannelShuffleParams&) { copyBackward(c, layer); }

}  // namespace peakscope::engine
