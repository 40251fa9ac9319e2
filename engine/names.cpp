// SPDX-License-Identifier: Apache-2.0
//
// The words for the engine's types, one table each.
#include "engine/graph.h"
#include "memory/plan.h"

#include <fmt/format.h>

namespace peakscope::engine {

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
                    },
                    params);
}

}  // namespace peakscope::engine
