// SPDX-License-Identifier: Apache-2.0
//
// The words for the engine's types, one table each.
#include "engine/graph.h"
#include "memory/plan.h"

#include <fmt/format.h>

namespace peakscope::engine {
namespace {

const char* activationName(ActivationParams::Kind kind) {
  using Kind = ActivationParams::Kind;
  switch (kind) {
    case Kind::Clip: return "clip";
    case Kind::Sigmoid: return "sigmoid";
    case Kind::HardSigmoid: return "hardsigmoid";
    case Kind::Tanh: return "tanh";
    case Kind::LeakyRelu: return "leakyrelu";
    case Kind::Elu: return "elu";
    case Kind::Softplus: return "softplus";
    case Kind::HardSwish: return "hardswish";
    case Kind::Gelu: return "gelu";
    case Kind::Mish: return "mish";
    case Kind::Scale: return "scale";
  }
  return "";
}

}  // namespace

std::string toString(const Shape& shape) { return fmt::format("{}x{}x{}x{}", shape.n, shape.c, shape.h, shape.w); }

const char* typeName(const LayerParams& params) {
  return std::visit(Overloaded{
                        [](const DataParams&) { return "data"; },
                        [](const ConvParams&) { return "conv"; },
                        [](const FcParams&) { return "fc"; },
                        [](const PoolParams&) { return "pool"; },
                        [](const ReluParams&) { return "relu"; },
                        [](const LrnParams&) { return "lrn"; },
                        [](const BatchNormParams&) { return "batchnorm"; },
                        [](const DropoutParams&) { return "dropout"; },
                        [](const SoftmaxLossParams&) { return "softmax"; },
                        [](const AddParams&) { return "join"; },
                        [](const ConcatParams&) { return "concat"; },
                        [](const ForkParams&) { return "fork"; },
                        [](const FlattenParams&) { return "flatten"; },
                        [](const ChannelPadParams&) { return "pad"; },
                        [](const ActivationParams& p) { return activationName(p.kind); },
                        [](const MulParams&) { return "mul"; },
                        [](const ImagePadParams&) { return "imagepad"; },
                        [](const ChannelSliceParams&) { return "slice"; },
                        [](const ChannelShuffleParams&) { return "shuffle"; },
                    },
                    params);
}

}  // namespace peakscope::engine
