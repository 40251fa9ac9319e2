// SPDX-License-Identifier: Apache-2.0
//
// GoogLeNet, the first Inception, without its two auxiliary heads. Pools round up, as in the original.
//
//   fork -+- 1x1
//         +- 1x1 reduce -> 3x3
//         +- 1x1 reduce -> 5x5
//         +- max pool 3x3, stride 1 -> 1x1
//   all four -> concat, in this order; a ReLU behind every convolution
#include "engine/graph/built_in_networks.h"

namespace peakscope::engine {
namespace {

ConvParams convolution(std::int64_t channels, std::int64_t kernel) {
  const std::int64_t pad = kernel / 2;
  return {.outChannels = channels, .kernelH = kernel, .kernelW = kernel, .padH = pad, .padW = pad};
}
PoolParams halvingPool() { return {.kernelH = 3, .kernelW = 3, .strideH = 2, .strideW = 2, .roundsUp = true}; }

LayerId addConvolution(GraphBuilder& b, LayerId x, const std::string& tag, const ConvParams& params) {
  x = b.add("conv" + tag, params, {x});
  return b.add("relu" + tag, ReluParams{}, {x});
}

/// Channels of the convolutions in one module, as in the columns of the published table.
struct Module {
  const char* tag;
  std::int64_t one, reduce3, three, reduce5, five, pooled;
};

LayerId addModule(GraphBuilder& b, LayerId x, const Module& m) {
  const std::string tag = m.tag;
  const LayerId fork = b.add("fork" + tag, ForkParams{}, {x});
  const LayerId concat = b.add("concat" + tag, ConcatParams{}, {});
  b.connect(addConvolution(b, fork, tag + "_1x1", convolution(m.one, 1)), concat);
  x = addConvolution(b, fork, tag + "_3x3reduce", convolution(m.reduce3, 1));
  b.connect(addConvolution(b, x, tag + "_3x3", convolution(m.three, 3)), concat);
  x = addConvolution(b, fork, tag + "_5x5reduce", convolution(m.reduce5, 1));
  b.connect(addConvolution(b, x, tag + "_5x5", convolution(m.five, 5)), concat);
  x = b.add("pool" + tag,
            PoolParams{.kernelH = 3, .kernelW = 3, .strideH = 1, .strideW = 1, .padH = 1, .padW = 1, .roundsUp = true},
            {fork});
  b.connect(addConvolution(b, x, tag + "_pool1x1", convolution(m.pooled, 1)), concat);
  return concat;
}

constexpr Module modules3[] = {{"3a", 64, 96, 128, 16, 32, 32}, {"3b", 128, 128, 192, 32, 96, 64}};
constexpr Module modules4[] = {{"4a", 192, 96, 208, 16, 48, 64},
                               {"4b", 160, 112, 224, 24, 64, 64},
                               {"4c", 128, 128, 256, 24, 64, 64},
                               {"4d", 112, 144, 288, 32, 64, 64},
                               {"4e", 256, 160, 320, 32, 128, 128}};
constexpr Module modules5[] = {{"5a", 256, 160, 320, 32, 128, 128}, {"5b", 384, 192, 384, 48, 128, 128}};

}  // namespace

Result<Graph> googlenet() {
  GraphBuilder b("googlenet");
  Graph& settings = b.settings();
  settings.defaultBatch = 32;
  settings.solver = {.kind = Solver::Kind::Momentum, .learningRate = 0.01F, .momentum = 0.9F, .weightDecay = 2e-4F};
  settings.init.kind = WeightInit::Kind::Xavier;

  LayerId x = b.add("data", DataParams{{0, 3, 224, 224}, 1000}, {});
  ConvParams first = convolution(64, 7);
  first.strideH = first.strideW = 2;
  x = addConvolution(b, x, "1", first);
  x = b.add("pool1", halvingPool(), {x});
  x = b.add("lrn1", LrnParams{}, {x});
  x = addConvolution(b, x, "2reduce", convolution(64, 1));
  x = addConvolution(b, x, "2", convolution(192, 3));
  x = b.add("lrn2", LrnParams{}, {x});
  x = b.add("pool2", halvingPool(), {x});
  for (const Module& m : modules3) x = addModule(b, x, m);
  x = b.add("pool3", halvingPool(), {x});
  for (const Module& m : modules4) x = addModule(b, x, m);
  x = b.add("pool4", halvingPool(), {x});
  for (const Module& m : modules5) x = addModule(b, x, m);
  x = b.add("pool5",
            PoolParams{.mode = PoolParams::Mode::Average, .kernelH = 7, .kernelW = 7, .strideH = 1, .strideW = 1}, {x});
  x = b.add("drop", DropoutParams{.rate = 0.4F}, {x});
  x = b.add("fc", FcParams{1000}, {x});
  b.add("softmax", SoftmaxLossParams{}, {x});
  return b.build();
}

}  // namespace peakscope::engine
