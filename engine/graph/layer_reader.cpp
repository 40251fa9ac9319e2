// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/layer_reader.h"

#include <fmt/format.h>

#include <array>

#include "engine/graph/graph_check.h"

namespace peakscope::engine {
namespace {

LayerParams readData(JsonObjectReader& in) {
  DataParams p;
  const JsonNode* shape = in.any("shape");
  const auto* list = shape ? std::get_if<JsonNode::Array>(&shape->value) : nullptr;
  std::array<std::int64_t, 3> sides{1, 28, 28};
  bool isGood = list && list->size() == sides.size();
  for (std::size_t i = 0; isGood && i < sides.size(); ++i) {
    const auto* side = std::get_if<std::int64_t>(&(*list)[i].value);
    isGood = side && *side >= 1 && *side <= maxExtent;
    if (isGood) sides[i] = *side;
  }
  if (!isGood)
    in.complain(shape ? shape->line : in.line(),
                fmt::format("'shape' must be [channels, height, width] with numbers between 1 and {}", maxExtent));
  p.shape = {0, sides[0], sides[1], sides[2]};
  in.requireInteger("classes", p.classes, {1, maxExtent});
  return p;
}

LayerParams readConv(JsonObjectReader& in) {
  ConvParams p;
  in.requireInteger("out", p.outChannels, {1, maxExtent});
  in.pair("kernel", p.kernelH, p.kernelW, {1, maxWindow});
  in.pair("stride", p.strideH, p.strideW, {1, maxWindow});
  in.pair("pad", p.padH, p.padW, {0, maxWindow});
  in.pair("dilation", p.dilationH, p.dilationW, {1, maxWindow});
  in.integer("groups", p.groups, {1, maxExtent});
  in.boolean("bias", p.hasBias);
  return p;
}

LayerParams readFc(JsonObjectReader& in) {
  FcParams p;
  in.requireInteger("out", p.outChannels, {1, maxExtent});
  in.boolean("bias", p.hasBias);
  return p;
}

LayerParams readPool(JsonObjectReader& in) {
  PoolParams p;
  int mode = 0;
  in.choice("mode", mode, {"max", "average", "average-including-padding"});
  p.mode = static_cast<PoolParams::Mode>(mode);
  in.boolean("global", p.isGlobal);
  in.pair("kernel", p.kernelH, p.kernelW, {1, maxWindow});
  p.strideH = p.kernelH;  // windows side by side, unless said otherwise
  p.strideW = p.kernelW;
  in.pair("stride", p.strideH, p.strideW, {1, maxWindow});
  in.pair("pad", p.padH, p.padW, {0, maxWindow});
  in.boolean("roundsUp", p.roundsUp);
  return p;
}

LayerParams readLrn(JsonObjectReader& in) {
  LrnParams p;
  in.integer("size", p.size, {1, maxWindow});
  in.number("alpha", p.alpha, 0, 1e6);
  in.number("beta", p.beta, 0, 1e6);
  in.number("k", p.k, 1e-6, 1e6);
  return p;
}

LayerParams readBatchNorm(JsonObjectReader& in) {
  BatchNormParams p;
  in.number("epsilon", p.epsilon, 1e-12, 1);
  in.number("momentum", p.momentum, 0, 1);
  in.boolean("perActivation", p.isPerActivation);
  return p;
}

LayerParams readDropout(JsonObjectReader& in) {
  DropoutParams p;
  in.number("rate", p.rate, 0, 0.999);
  return p;
}

LayerParams readPad(JsonObjectReader& in) {
  ChannelPadParams p;
  in.integer("before", p.before, {0, maxExtent});
  in.integer("after", p.after, {0, maxExtent});
  return p;
}

template <class Params>
LayerParams readNothing(JsonObjectReader&) {
  return Params{};
}

struct TypeReader {
  const char* type;
  LayerParams (*read)(JsonObjectReader& in);
};
constexpr TypeReader typeReaders[] = {
    {"data", readData},
    {"conv", readConv},
    {"fc", readFc},
    {"pool", readPool},
    {"relu", readNothing<ReluParams>},
    {"lrn", readLrn},
    {"batchnorm", readBatchNorm},
    {"dropout", readDropout},
    {"softmax", readNothing<SoftmaxLossParams>},
    {"join", readNothing<AddParams>},
    {"concat", readNothing<ConcatParams>},
    {"fork", readNothing<ForkParams>},
    {"flatten", readNothing<FlattenParams>},
    {"pad", readPad},
};

}  // namespace

LayerParams readLayerParams(const std::string& type, std::int32_t typeLine, JsonObjectReader& in) {
  for (const TypeReader& known : typeReaders)
    if (type == known.type) return known.read(in);
  in.complain(typeLine, fmt::format("unknown type '{}'; known types: {}", type, knownLayerTypes()));
  return ReluParams{};
}

std::string knownLayerTypes() {
  std::string names;
  for (const TypeReader& known : typeReaders) names += (names.empty() ? "" : ", ") + std::string(known.type);
  return names;
}

}  // namespace peakscope::engine
