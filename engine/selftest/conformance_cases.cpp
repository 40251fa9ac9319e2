// SPDX-License-Identifier: Apache-2.0
#include "engine/selftest/conformance_cases.h"

#include "engine/backend_failure.h"

namespace peakscope::engine {
namespace {

using Mode = PoolParams::Mode;
constexpr std::int64_t classes = 5;

Graph finished(const std::string& name, GraphBuilder builder) {
  auto graph = builder.build();
  if (!graph) throw BackendFailure("conformance case " + name + ": " + graph.error().message);
  return std::move(*graph);
}

/// data, the layers given, a classifier.
ConformanceCase chain(const std::string& name, const Shape& image, const std::vector<LayerParams>& layers, std::int64_t batch = 3, const Solver& solver = {}) {
  GraphBuilder builder(name);
  LayerId last = builder.add("data", DataParams{.shape = image, .classes = classes}, {});
  for (std::size_t i = 0; i < layers.size(); ++i) last = builder.add(typeName(layers[i]) + std::to_string(i + 1), layers[i], {last});
  last = builder.add("classifier", FcParams{.outChannels = classes}, {last});
  builder.add("loss", SoftmaxLossParams{}, {last});
  builder.settings().solver = solver;
  return {name, finished(name, std::move(builder)), batch};
}

Shape image(std::int64_t c, std::int64_t h, std::int64_t w) { return {1, c, h, w}; }
/// A layer with parameters in front, so that the layers behind it have gradients to pass on in every lowering.
LayerParams front(std::int64_t channels) { return ConvParams{.outChannels = channels, .kernelH = 1, .kernelW = 1}; }
ConvParams square(std::int64_t out, std::int64_t kernel, std::int64_t stride = 1, std::int64_t pad = 0) {
  return {.outChannels = out, .kernelH = kernel, .kernelW = kernel, .strideH = stride, .strideW = stride, .padH = pad, .padW = pad};
}
PoolParams window(Mode mode, std::int64_t kernel, std::int64_t stride, std::int64_t pad = 0, bool roundsUp = false) {
  return {.mode = mode, .kernelH = kernel, .kernelW = kernel, .strideH = stride, .strideW = stride, .padH = pad, .padW = pad, .roundsUp = roundsUp};
}
PoolParams global(Mode mode) { return {.mode = mode, .isGlobal = true}; }

void addConvolutions(std::vector<ConformanceCase>& cases) {
  cases.push_back(chain("conv 3x3 on 1 channel", image(1, 9, 7), {square(6, 3)}));
  cases.push_back(chain("conv 5x5 stride 2 on 3 channels", image(3, 11, 12), {square(7, 5, 2, 2)}));
  cases.push_back(chain("conv 3x3 on 4 channels, no bias", image(4, 6, 6), {ConvParams{.outChannels = 9, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1, .hasBias = false}}));
  cases.push_back(chain("conv 3x3 on 5 channels", image(5, 8, 9), {square(7, 3, 1, 1)}));
  cases.push_back(chain("conv 3x3, 16 to 32 channels", image(16, 7, 7), {square(32, 3, 1, 1)}, 4));
  cases.push_back(chain("conv 5x5, 20 to 50 channels", image(20, 9, 9), {square(50, 5)}, 2));
  cases.push_back(chain("conv 3x3, 32 to 16 channels, large image", image(32, 28, 28), {square(16, 3, 1, 1)}, 2));
  cases.push_back(chain("conv 1x1 stride 2", image(6, 7, 8), {square(10, 1, 2)}));
  cases.push_back(chain("conv 7x7 stride 4", image(6, 15, 15), {square(8, 7, 4, 3)}));
  cases.push_back(chain("conv 3x2, unequal strides and paddings", image(6, 9, 8), {ConvParams{.outChannels = 5, .kernelH = 3, .kernelW = 2, .strideH = 2, .strideW = 1, .padH = 0, .padW = 1}}));
  cases.push_back(chain("conv over the whole image", image(6, 4, 5), {ConvParams{.outChannels = 8, .kernelH = 4, .kernelW = 5}}));
  cases.push_back(chain("conv on one pixel", image(8, 1, 1), {square(6, 3, 1, 1)}));
  cases.push_back(chain("conv in 2 groups", image(8, 6, 6), {ConvParams{.outChannels = 12, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1, .groups = 2}}));
  cases.push_back(chain("conv of each channel alone", image(7, 6, 6), {ConvParams{.outChannels = 7, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1, .groups = 7}}));
  cases.push_back(chain("conv with dilation 2", image(6, 9, 9), {ConvParams{.outChannels = 5, .kernelH = 3, .kernelW = 3, .padH = 2, .padW = 2, .dilationH = 2, .dilationW = 2}}));
  cases.push_back(chain("conv with dilation 2 on 2 channels", image(2, 9, 9), {ConvParams{.outChannels = 5, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 2, .dilationH = 2, .dilationW = 2}}));
  cases.push_back(chain("conv behind conv", image(3, 8, 8), {square(18, 3, 1, 1), square(17, 3)}));
}

void addDense(std::vector<ConformanceCase>& cases) {
  cases.push_back(chain("fully connected on an image", image(3, 4, 5), {front(7), FcParams{.outChannels = 11}}));
  cases.push_back(chain("fully connected, no bias", image(9, 1, 1), {FcParams{.outChannels = 33, .hasBias = false}, FcParams{.outChannels = 6}}, 5));
  cases.push_back(chain("fully connected behind flatten", image(2, 3, 3), {front(4), FlattenParams{}, FcParams{.outChannels = 8}}));
  cases.push_back(chain("batch of one", image(3, 5, 5), {front(4), ReluParams{}, FcParams{.outChannels = 8}}, 1));
}

void addPools(std::vector<ConformanceCase>& cases) {
  cases.push_back(chain("max pool 2x2", image(3, 6, 8), {front(5), window(Mode::Max, 2, 2)}));
  cases.push_back(chain("max pool 3x3 stride 2, overlapping, rounded up", image(3, 8, 7), {front(17), window(Mode::Max, 3, 2, 0, true)}));
  cases.push_back(chain("max pool 3x3 with padding", image(3, 7, 7), {front(4), window(Mode::Max, 3, 2, 1)}));
  cases.push_back(chain("max pool with ties", image(3, 8, 8), {front(6), ReluParams{}, window(Mode::Max, 3, 2)}));
  cases.push_back(chain("max pool over a large window", image(2, 20, 20), {front(6), global(Mode::Max)}));
  cases.push_back(chain("average pool with padding left out", image(3, 7, 8), {front(5), window(Mode::Average, 3, 2, 1)}));
  cases.push_back(chain("average pool with padding counted", image(3, 7, 8), {front(5), window(Mode::AverageIncludingPadding, 3, 2, 1)}));
  cases.push_back(chain("global average pool", image(3, 6, 5), {front(19), global(Mode::Average)}));
  cases.push_back(chain("pool with unequal sides", image(3, 9, 8), {front(4), PoolParams{.mode = Mode::Max, .kernelH = 3, .kernelW = 2, .strideH = 2, .strideW = 1, .padH = 1}}));
}

void addElementWise(std::vector<ConformanceCase>& cases) {
  cases.push_back(chain("relu behind pool", image(3, 6, 6), {front(5), window(Mode::Average, 2, 2), ReluParams{}}));
  cases.push_back(chain("lrn of 5 on 7 channels", image(3, 5, 4), {front(7), LrnParams{.alpha = 0.5F}}));
  cases.push_back(chain("lrn of 5 on 3 channels", image(3, 5, 4), {front(3), LrnParams{.alpha = 0.1F, .k = 2.0F}}));
  cases.push_back(chain("lrn of 3, another power", image(3, 5, 4), {front(20), LrnParams{.size = 3, .alpha = 0.3F, .beta = 0.6F}}));
  cases.push_back(chain("relu, lrn, pool", image(3, 9, 9), {square(8, 3), ReluParams{}, LrnParams{.alpha = 0.2F}, window(Mode::Max, 3, 2)}));
  cases.push_back(chain("batch norm", image(3, 6, 5), {front(7), BatchNormParams{}}));
  cases.push_back(chain("batch norm and relu", image(3, 6, 5), {front(17), BatchNormParams{}, ReluParams{}}, 4));
  cases.push_back(chain("batch norm and relu, 32 channels", image(3, 6, 6), {front(32), BatchNormParams{.momentum = 0.3F}, ReluParams{}}, 4));
  cases.push_back(chain("batch norm of scores", image(6, 1, 1), {FcParams{.outChannels = 9}, BatchNormParams{}, ReluParams{}}, 8));
  cases.push_back(chain("batch norm per activation", image(3, 6, 5), {front(7), BatchNormParams{.isPerActivation = true}, ReluParams{}}, 5));
  cases.push_back(chain("batch norm per activation of scores", image(6, 1, 1), {FcParams{.outChannels = 9}, BatchNormParams{.isPerActivation = true}}, 8));
  cases.push_back(chain("batch norm per activation on the input", image(3, 6, 5), {BatchNormParams{.isPerActivation = true}, front(4)}, 6));
  cases.push_back(chain("dropout of an image", image(3, 6, 5), {front(7), DropoutParams{}}));
  cases.push_back(chain("dropout of scores", image(6, 1, 1), {FcParams{.outChannels = 40}, ReluParams{}, DropoutParams{.rate = 0.2F}}));
  cases.push_back(chain("channel padding", image(3, 5, 6), {front(5), ChannelPadParams{.before = 2, .after = 1}}));
}

/// The network's input is plain whatever layout the library likes: layers that read it themselves must not assume theirs.
void addLayersOnTheInput(std::vector<ConformanceCase>& cases) {
  const Shape input = image(3, 6, 5);
  cases.push_back(chain("max pool on the input", input, {window(Mode::Max, 2, 2), front(4)}));
  cases.push_back(chain("average pool on the input", input, {window(Mode::Average, 2, 2), front(4)}));
  cases.push_back(chain("global pool on the input", input, {global(Mode::Max)}));
  cases.push_back(chain("relu on the input", input, {ReluParams{}, front(4)}));
  cases.push_back(chain("lrn on the input", input, {LrnParams{.alpha = 0.2F}, front(4)}));
  cases.push_back(chain("batch norm on the input", input, {BatchNormParams{}, front(4)}));
  cases.push_back(chain("batch norm and relu on the input", input, {BatchNormParams{}, ReluParams{}, front(4)}));
  cases.push_back(chain("dropout on the input", input, {DropoutParams{}, front(4)}));
  cases.push_back(chain("channel padding on the input", input, {ChannelPadParams{.before = 1, .after = 2}, front(4)}));
  cases.push_back(chain("fully connected on the input", input, {FcParams{.outChannels = 7}}));
  cases.push_back(chain("conv of 6 channels on the input", image(6, 6, 5), {square(8, 3)}));

  GraphBuilder builder("join on the input");
  const LayerId data = builder.add("data", DataParams{.shape = input, .classes = classes}, {});
  const LayerId fork = builder.add("fork", ForkParams{}, {data});
  const LayerId conv = builder.add("conv", square(3, 3, 1, 1), {fork});
  const LayerId join = builder.add("join", AddParams{}, {conv, fork});
  const LayerId classifier = builder.add("classifier", FcParams{.outChannels = classes}, {join});
  builder.add("loss", SoftmaxLossParams{}, {classifier});
  cases.push_back({"join on the input", finished("join on the input", std::move(builder)), 3});
}

/// data, conv, fork -> { conv or nothing, ... } -> join.
ConformanceCase residual(const std::string& name, int branches, bool hasShortcut, bool hasNorm) {
  GraphBuilder builder(name);
  const LayerId data = builder.add("data", DataParams{.shape = image(3, 6, 6), .classes = classes}, {});
  LayerId front = builder.add("front", ConvParams{.outChannels = 8, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1}, {data});
  front = builder.add("frontRelu", ReluParams{}, {front});
  const LayerId fork = builder.add("fork", ForkParams{}, {front});
  std::vector<LayerId> ends;
  for (int k = 0; k < branches; ++k) {
    const std::string number = std::to_string(k);
    LayerId end = builder.add("branch" + number, ConvParams{.outChannels = 8, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1}, {fork});
    if (hasNorm) end = builder.add("norm" + number, BatchNormParams{}, {end});
    ends.push_back(end);
  }
  if (hasShortcut) ends.push_back(fork);
  LayerId last = builder.add("join", AddParams{}, ends);
  last = builder.add("relu", ReluParams{}, {last});
  last = builder.add("classifier", FcParams{.outChannels = classes}, {last});
  builder.add("loss", SoftmaxLossParams{}, {last});
  return {name, finished(name, std::move(builder)), 3};
}

/// A convolution and its ReLU, from the fork or layer `from`.
LayerId convRelu(GraphBuilder& builder, const std::string& name, const ConvParams& params, LayerId from) {
  return builder.add(name + "Relu", ReluParams{}, {builder.add(name, params, {from})});
}

ConformanceCase classified(const std::string& name, GraphBuilder& builder, LayerId last) {
  last = builder.add("classifier", FcParams{.outChannels = classes}, {last});
  builder.add("loss", SoftmaxLossParams{}, {last});
  return {name, finished(name, builder), 3};
}

/// fork -> { 1x1 | 1x1 -> fork -> { 1x3 | 3x1 } | pool -> 1x1 | nothing } -> concat of five.
ConformanceCase inception() {
  const std::string name = "inception module with a fork in a branch";
  GraphBuilder builder(name);
  const LayerId data = builder.add("data", DataParams{.shape = image(3, 6, 5), .classes = classes}, {});
  const LayerId fork = builder.add("fork", ForkParams{}, {convRelu(builder, "front", square(8, 3, 1, 1), data)});
  const LayerId one = convRelu(builder, "one", square(5, 1), fork);
  const LayerId inner = builder.add("inner", ForkParams{}, {convRelu(builder, "reduce", square(6, 1), fork)});
  const LayerId flat = convRelu(builder, "flat", ConvParams{.outChannels = 3, .kernelW = 3, .padW = 1}, inner);
  const LayerId high = convRelu(builder, "high", ConvParams{.outChannels = 4, .kernelH = 3, .padH = 1}, inner);
  const LayerId pool = builder.add("pool", window(Mode::AverageIncludingPadding, 3, 1, 1), {fork});
  const LayerId pooled = convRelu(builder, "pooled", square(2, 1), pool);
  const LayerId concat = builder.add("concat", ConcatParams{}, {one, flat, high, pooled, fork});
  return classified(name, builder, builder.add("relu", ReluParams{}, {concat}));
}

/// Two dense layers: fork -> { nothing | BN -> ReLU -> 1x1 -> BN -> ReLU -> 3x3 } -> concat, and BN on the last concat.
ConformanceCase denseBlock() {
  const std::string name = "dense block";
  GraphBuilder builder(name);
  const LayerId data = builder.add("data", DataParams{.shape = image(3, 6, 6), .classes = classes}, {});
  LayerId features = builder.add("front", square(4, 3, 1, 1), {data});
  for (const std::string& l : {std::string("1"), std::string("2")}) {
    const LayerId fork = builder.add("fork" + l, ForkParams{}, {features});
    LayerId x = builder.add("reluA" + l, ReluParams{}, {builder.add("normA" + l, BatchNormParams{}, {fork})});
    x = builder.add("convA" + l, square(6, 1), {x});
    x = builder.add("reluB" + l, ReluParams{}, {builder.add("normB" + l, BatchNormParams{}, {x})});
    x = builder.add("convB" + l, square(3, 3, 1, 1), {x});
    features = builder.add("concat" + l, ConcatParams{}, {fork, x});
  }
  return classified(name, builder, builder.add("norm", BatchNormParams{}, {features}));
}

void addConcats(std::vector<ConformanceCase>& cases) {
  cases.push_back(inception());
  cases.push_back(denseBlock());

  GraphBuilder scores("concat of scores");
  LayerId data = scores.add("data", DataParams{.shape = image(6, 1, 1), .classes = classes}, {});
  LayerId fork = scores.add("fork", ForkParams{}, {scores.add("front", FcParams{.outChannels = 7}, {data})});
  const LayerId relu = scores.add("relu", ReluParams{}, {fork}), fc = scores.add("fc", FcParams{.outChannels = 3}, {fork});
  LayerId concat = scores.add("concat", ConcatParams{}, {fc, relu});
  cases.push_back(classified("concat of scores", scores, concat));

  GraphBuilder onInput("concat on the input");
  data = onInput.add("data", DataParams{.shape = image(3, 6, 5), .classes = classes}, {});
  fork = onInput.add("fork", ForkParams{}, {data});
  concat = onInput.add("concat", ConcatParams{}, {onInput.add("conv", square(4, 3, 1, 1), {fork}), fork});
  cases.push_back(classified("concat on the input", onInput, concat));
}

}  // namespace

std::vector<ConformanceCase> conformanceCases() {
  std::vector<ConformanceCase> cases;
  addConvolutions(cases);
  addDense(cases);
  addPools(cases);
  addElementWise(cases);
  addLayersOnTheInput(cases);
  cases.push_back(residual("shortcut", 1, true, false));
  cases.push_back(residual("two branches with batch norm", 2, false, true));
  cases.push_back(residual("three branches and a shortcut", 3, true, false));
  addConcats(cases);
  const std::vector<LayerParams> layers{front(6), BatchNormParams{}};
  cases.push_back(chain("sgd with weight decay", image(3, 4, 4), layers, 3, {.kind = Solver::Kind::Sgd, .weightDecay = 0.1F}));
  cases.push_back(chain("momentum with weight decay", image(3, 4, 4), layers, 3, {.kind = Solver::Kind::Momentum, .weightDecay = 0.1F}));
  cases.push_back(chain("nesterov with weight decay", image(3, 4, 4), layers, 3, {.kind = Solver::Kind::Nesterov, .weightDecay = 0.1F}));
  return cases;
}

}  // namespace peakscope::engine
