// SPDX-License-Identifier: Apache-2.0
//
// DenseNet-121: growth 32, bottleneck 128, compression 0.5. Each dense layer appends its 32 channels to all before it:
//
//   fork -+- branch 0: straight to concat input 0
//         +- branch 1: bnA -> reluA -> convA 1x1 -> bnB -> reluB -> convB 3x3 -> concat input 1
//   concat -> the next layer's fork
#include <fmt/format.h>

#include <array>

#include "engine/graph/built_in_networks.h"

namespace peakscope::engine {
namespace {

constexpr std::int64_t growth = 32, bottleneck = 4 * growth;
constexpr std::array<int, 4> layersOfBlocks{6, 12, 24, 16};
constexpr BatchNormParams norm{.epsilon = 1e-5F};

ConvParams convolution(std::int64_t channels, std::int64_t kernel, std::int64_t stride, std::int64_t pad) {
  return {.outChannels = channels,
          .kernelH = kernel,
          .kernelW = kernel,
          .strideH = stride,
          .strideW = stride,
          .padH = pad,
          .padW = pad,
          .hasBias = false};
}
PoolParams average(std::int64_t kernel) {
  return {
      .mode = PoolParams::Mode::Average, .kernelH = kernel, .kernelW = kernel, .strideH = kernel, .strideW = kernel};
}

LayerId addDenseLayer(GraphBuilder& b, LayerId x, const std::string& tag) {
  const LayerId fork = b.add("fork" + tag, ForkParams{}, {x});
  const LayerId concat = b.add("concat" + tag, ConcatParams{}, {fork});
  x = b.add("bnA" + tag, norm, {fork});
  x = b.add("reluA" + tag, ReluParams{}, {x});
  x = b.add("convA" + tag, convolution(bottleneck, 1, 1, 0), {x});
  x = b.add("bnB" + tag, norm, {x});
  x = b.add("reluB" + tag, ReluParams{}, {x});
  x = b.add("convB" + tag, convolution(growth, 3, 1, 1), {x});
  b.connect(x, concat);
  return concat;
}

/// Halves the channels and both sides.
LayerId addTransition(GraphBuilder& b, LayerId x, std::int64_t channels, const std::string& tag) {
  x = b.add("bnT" + tag, norm, {x});
  x = b.add("reluT" + tag, ReluParams{}, {x});
  x = b.add("convT" + tag, convolution(channels / 2, 1, 1, 0), {x});
  return b.add("poolT" + tag, average(2), {x});
}

}  // namespace

Result<Graph> densenet121() {
  GraphBuilder b("densenet121");
  Graph& settings = b.settings();
  settings.defaultBatch = 32;
  settings.solver = {.kind = Solver::Kind::Nesterov, .learningRate = 0.1F, .momentum = 0.9F, .weightDecay = 1e-4F};
  settings.init.kind = WeightInit::Kind::He;

  std::int64_t channels = 2 * growth;
  LayerId x = b.add("data", DataParams{{0, 3, 224, 224}, 1000}, {});
  x = b.add("conv0", convolution(channels, 7, 2, 3), {x});
  x = b.add("bn0", norm, {x});
  x = b.add("relu0", ReluParams{}, {x});
  x = b.add("pool0", PoolParams{.kernelH = 3, .kernelW = 3, .strideH = 2, .strideW = 2, .padH = 1, .padW = 1}, {x});
  for (std::size_t block = 0; block < layersOfBlocks.size(); ++block) {
    for (int layer = 1; layer <= layersOfBlocks[block]; ++layer) {
      x = addDenseLayer(b, x, fmt::format("{}_{}", block + 1, layer));
      channels += growth;
    }
    if (block + 1 == layersOfBlocks.size()) break;
    x = addTransition(b, x, channels, std::to_string(block + 1));
    channels /= 2;
  }
  x = b.add("bn5", norm, {x});
  x = b.add("relu5", ReluParams{}, {x});
  x = b.add("pool5", PoolParams{.mode = PoolParams::Mode::Average, .isGlobal = true}, {x});
  x = b.add("fc", FcParams{1000}, {x});
  b.add("softmax", SoftmaxLossParams{}, {x});
  return b.build();
}

}  // namespace peakscope::engine
