// SPDX-License-Identifier: Apache-2.0
//
// The lowering rules: for each layer type, how its forward and its backward become ops. One small file per family.
// A rule is called in route order; backward rules only for layers that need a gradient.
#pragma once

#include "engine/layers/lowering_context.h"

namespace peakscope::engine {

#define PEAKSCOPE_LAYER_RULES(Params)                                         \
  void lowerForward(LoweringContext& c, LayerId layer, const Params& params); \
  void lowerBackward(LoweringContext& c, LayerId layer, const Params& params);
PEAKSCOPE_LAYER_RULES(DataParams)  // data_and_loss.cpp
PEAKSCOPE_LAYER_RULES(SoftmaxLossParams)
PEAKSCOPE_LAYER_RULES(ConvParams)  // dense.cpp
PEAKSCOPE_LAYER_RULES(FcParams)
PEAKSCOPE_LAYER_RULES(BatchNormParams)  // batch_norm.cpp
PEAKSCOPE_LAYER_RULES(ReluParams)       // element_wise.cpp
PEAKSCOPE_LAYER_RULES(DropoutParams)
PEAKSCOPE_LAYER_RULES(LrnParams)   // lrn.cpp
PEAKSCOPE_LAYER_RULES(PoolParams)  // pool.cpp
PEAKSCOPE_LAYER_RULES(AddParams)   // fork_join.cpp
PEAKSCOPE_LAYER_RULES(ForkParams)
PEAKSCOPE_LAYER_RULES(ConcatParams)   // concat.cpp
PEAKSCOPE_LAYER_RULES(FlattenParams)  // reshape.cpp
PEAKSCOPE_LAYER_RULES(ChannelPadParams)
PEAKSCOPE_LAYER_RULES(ActivationParams)  // element_wise.cpp
PEAKSCOPE_LAYER_RULES(MulParams)         // mul.cpp
PEAKSCOPE_LAYER_RULES(ImagePadParams)    // reshape.cpp
PEAKSCOPE_LAYER_RULES(ChannelSliceParams)
PEAKSCOPE_LAYER_RULES(ChannelShuffleParams)
#undef PEAKSCOPE_LAYER_RULES

/// True for the ReLU that `batchNorm` runs as part of itself.
[[nodiscard]] bool isFusedWithRelu(const LoweringContext& c, LayerId batchNorm);

/// Whether the layer's backward reads its own output: then nobody may write into that output.
[[nodiscard]] bool readsDstInBackward(const LoweringContext& c, LayerId layer);

}  // namespace peakscope::engine
