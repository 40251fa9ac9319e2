// SPDX-License-Identifier: Apache-2.0
//
//   fork -+- branch 0: first block of a stage: convL -> bnL -> join 0; other blocks: straight to join 0
//         +- branch 1: convA 1x1 -> bnA -> actA -> convB 3x3 -> bnB -> actB -> convC 1x1 -> bnC -> join 1
//   join -> act
// Layers are created in the original program's order, which decides their numbers.
#include "engine/graph/resnet.h"

#include <fmt/format.h>

#include <charconv>
#include <numeric>

namespace peakscope::engine {
namespace {

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

struct Block {
  std::string tag;
  std::int64_t width;  ///< of the two inner convolutions; the output has four times as many channels
  std::int64_t stride;
  bool isFirst;  ///< of its stage: the shortcut is a projection
};

LayerId addBlock(GraphBuilder& b, LayerId x, const Block& block) {
  const std::string& t = block.tag;
  const LayerId fork = b.add("fork" + t, ForkParams{}, {x});
  const LayerId join = b.add("join" + t, AddParams{}, {});
  if (block.isFirst) {
    x = b.add("convL" + t, convolution(4 * block.width, 1, block.stride, 0), {fork});
    x = b.add("bnL" + t, BatchNormParams{}, {x});
    b.connect(x, join);
  } else {
    b.connect(fork, join);
  }
  x = b.add("convA" + t, convolution(block.width, 1, block.stride, 0), {fork});
  x = b.add("bnA" + t, BatchNormParams{}, {x});
  x = b.add("actA" + t, ReluParams{}, {x});
  x = b.add("convB" + t, convolution(block.width, 3, 1, 1), {x});
  x = b.add("bnB" + t, BatchNormParams{}, {x});
  x = b.add("actB" + t, ReluParams{}, {x});
  x = b.add("convC" + t, convolution(4 * block.width, 1, 1, 0), {x});
  x = b.add("bnC" + t, BatchNormParams{}, {x});
  b.connect(x, join);
  return b.add("act" + t, ReluParams{}, {join});
}

struct NamedResnet {
  std::string_view name;
  ResnetBlocks blocks;
};
constexpr NamedResnet named[] = {{"resnet50", {3, 4, 6, 3}}, {"resnet101", {3, 4, 23, 3}}, {"resnet152", {3, 8, 36, 3}}};
constexpr std::string_view prefix = "resnet:";

}  // namespace

std::string resnetName(const ResnetBlocks& n) {
  for (const NamedResnet& known : named)
    if (known.blocks == n) return std::string(known.name);
  return fmt::format("{}{},{},{},{}", prefix, n[0], n[1], n[2], n[3]);
}

std::optional<ResnetBlocks> resnetBlocks(std::string_view name) {
  for (const NamedResnet& known : named)
    if (known.name == name) return known.blocks;
  if (!name.starts_with(prefix)) return {};
  ResnetBlocks blocks{};
  const char* at = name.data() + prefix.size();
  const char* const last = name.data() + name.size();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0 && (at == last || *at++ != ',')) return {};
    const auto [end, error] = std::from_chars(at, last, blocks[i]);
    if (error != std::errc{}) return {};
    at = end;
  }
  if (at != last) return {};
  return blocks;
}

Result<Graph> resnet(const ResnetBlocks& blocks) {
  std::int64_t sum = 0;
  for (const std::int64_t n : blocks) {
    if (n < 1 || n > maxResnetBlocks)
      return badInput(fmt::format("{}: each of the four stages needs 1 to {} blocks", resnetName(blocks), maxResnetBlocks));
    sum += n;
  }
  if (sum > maxResnetBlocks)
    return badInput(fmt::format("{}: {} blocks are more than the limit of {}", resnetName(blocks), sum, maxResnetBlocks));

  GraphBuilder b(resnetName(blocks));
  Graph& settings = b.settings();
  settings.defaultBatch = 32;
  settings.solver = {.kind = Solver::Kind::Nesterov,
                     .learningRate = 0.1F,
                     .momentum = 0.9F,
                     .weightDecay = 4e-4F,
                     .schedule = {{500'000, 0.01F}, {1'000'000, 0.001F}}};
  settings.init.kind = WeightInit::Kind::Xavier;

  LayerId x = b.add("data", DataParams{{0, 3, 227, 227}, 1000}, {});
  x = b.add("conv1", convolution(64, 7, 2, 3), {x});
  x = b.add("bn1", BatchNormParams{}, {x});
  x = b.add("act1", ReluParams{}, {x});
  x = b.add("pool1", PoolParams{.kernelH = 3, .kernelW = 3, .strideH = 2, .strideW = 2}, {x});
  for (std::size_t stage = 0; stage < blocks.size(); ++stage)
    for (std::int64_t i = 1; i <= blocks[stage]; ++i)
      x = addBlock(b, x,
                   {.tag = fmt::format("{}_{}", stage + 2, i),
                    .width = std::int64_t{64} << stage,
                    .stride = stage > 0 && i == 1 ? 2 : 1,
                    .isFirst = i == 1});
  x = b.add("pool2",
            PoolParams{.mode = PoolParams::Mode::Average, .kernelH = 7, .kernelW = 7, .strideH = 1, .strideW = 1}, {x});
  x = b.add("fc", FcParams{1000}, {x});
  b.add("softmax", SoftmaxLossParams{}, {x});
  return b.build();
}

}  // namespace peakscope::engine
