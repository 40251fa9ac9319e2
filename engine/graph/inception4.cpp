// SPDX-License-Identifier: Apache-2.0
//
// Inception-v4, module by module. Layers are created in the original program's order, which decides their numbers and
// most of their names: in a module the fork, the concat, then the branches from first to last.
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/built_in_networks.h"

namespace peakscope::engine {
namespace {

/// Convolutions (each with its batch norm, if any, and its ReLU) and pools in a row. Where it ends, its output goes to
/// the concat of the module, or through a fork to several more branches.
struct Branch {
  std::vector<LayerParams> layers;
  std::vector<Branch> ends = {};
};

ConvParams square(std::int64_t channels, std::int64_t kernel, std::int64_t stride, std::int64_t pad) {
  return {.outChannels = channels,
          .kernelH = kernel,
          .kernelW = kernel,
          .strideH = stride,
          .strideW = stride,
          .padH = pad,
          .padW = pad,
          .hasBias = false};
}
ConvParams one(std::int64_t channels) { return square(channels, 1, 1, 0); }
ConvParams three(std::int64_t channels) { return square(channels, 3, 1, 1); }
ConvParams halving(std::int64_t channels) { return square(channels, 3, 2, 0); }
ConvParams unpadded(std::int64_t channels) { return square(channels, 3, 1, 0); }
ConvParams wide(std::int64_t channels, std::int64_t kernel) {
  return {.outChannels = channels, .kernelW = kernel, .padW = kernel / 2, .hasBias = false};
}
ConvParams tall(std::int64_t channels, std::int64_t kernel) {
  return {.outChannels = channels, .kernelH = kernel, .padH = kernel / 2, .hasBias = false};
}
PoolParams halvingPool() { return {.kernelH = 3, .kernelW = 3, .strideH = 2, .strideW = 2}; }
PoolParams averages() {
  return {.mode = PoolParams::Mode::AverageIncludingPadding,
          .kernelH = 3,
          .kernelW = 3,
          .strideH = 1,
          .strideW = 1,
          .padH = 1,
          .padW = 1};
}

class Builder {
 public:
  explicit Builder(InceptionNorms norms)
      : m_hasNorms(norms == InceptionNorms::Everywhere), m_b(m_hasNorms ? "inception4-bn" : "inception4") {}

  Graph& settings() { return m_b.settings(); }
  Result<Graph> build() { return m_b.build(); }

  void named(std::string name, LayerParams params) {
    m_last = m_b.add(std::move(name), std::move(params),
                     m_last.isValid() ? std::vector<LayerId>{m_last} : std::vector<LayerId>{});
  }
  void row(const std::vector<LayerParams>& layers) { m_last = add(layers, m_last); }
  void module(const std::vector<Branch>& branches) {
    const LayerId fork = numbered("fork", ForkParams{}, m_last);
    const LayerId concat = m_b.add(nextName("concat"), ConcatParams{}, {});
    for (const Branch& branch : branches) grow(branch, fork, concat);
    m_last = concat;
  }

 private:
  std::string nextName(const std::string& prefix) { return prefix + std::to_string(m_b.settings().layers.size() + 1); }
  LayerId numbered(const std::string& prefix, LayerParams params, LayerId from) {
    return m_b.add(nextName(prefix), std::move(params), {from});
  }
  LayerId add(const std::vector<LayerParams>& layers, LayerId from) {
    for (const LayerParams& params : layers) {
      const bool isConv = std::holds_alternative<ConvParams>(params);
      from = numbered(isConv ? "conv" : "pool", params, from);
      if (isConv && m_hasNorms) from = numbered("bn", BatchNormParams{}, from);
      if (isConv) from = numbered("act", ReluParams{}, from);
    }
    return from;
  }
  void grow(const Branch& branch, LayerId from, LayerId concat) {
    from = add(branch.layers, from);
    if (branch.ends.empty()) return m_b.connect(from, concat);
    const LayerId fork = numbered("fork", ForkParams{}, from);
    for (const Branch& end : branch.ends) grow(end, fork, concat);
  }

  bool m_hasNorms;
  GraphBuilder m_b;
  LayerId m_last;
};

void addStem(Builder& b) {
  b.named("data", DataParams{{0, 3, 299, 299}, 1000});
  b.named("conv1", halving(32));
  b.named("bn1", BatchNormParams{});
  b.named("act1", ReluParams{});
  b.row({unpadded(32), three(64)});
  b.module({{{halving(96)}}, {{halvingPool()}}});
  b.module({{{one(64), unpadded(96)}}, {{one(64), wide(64, 7), tall(64, 7), unpadded(96)}}});
  b.module({{{halving(192)}}, {{halvingPool()}}});
}

void addInceptionA(Builder& b) {
  b.module({{{one(96)}}, {{one(64), three(96)}}, {{one(64), three(96), three(96)}}, {{averages(), one(96)}}});
}
void addReductionA(Builder& b) {
  b.module({{{halving(384)}}, {{one(192), three(224), halving(256)}}, {{halvingPool()}}});
}
void addInceptionB(Builder& b) {
  b.module({{{one(384)}},
            {{one(192), wide(224, 7), tall(256, 7)}},
            {{one(192), tall(192, 7), wide(224, 7), tall(224, 7), wide(256, 7)}},
            {{averages(), one(128)}}});
}
void addReductionB(Builder& b) {
  b.module({{{one(192), halving(192)}}, {{one(256), wide(256, 7), tall(320, 7), halving(320)}}, {{halvingPool()}}});
}
void addInceptionC(Builder& b) {
  const std::vector<Branch> ends{{{wide(256, 3)}}, {{tall(256, 3)}}};
  b.module(
      {{{one(256)}}, {{one(384)}, ends}, {{one(384), tall(448, 3), wide(512, 3)}, ends}, {{averages(), one(256)}}});
}

}  // namespace

Result<Graph> inception4(InceptionNorms norms) {
  Builder b(norms);
  Graph& settings = b.settings();
  settings.defaultBatch = 32;
  settings.solver = {.kind = Solver::Kind::Momentum,
                     .learningRate = 0.1F,
                     .momentum = 0.9F,
                     .weightDecay = 1e-4F,
                     .schedule = {{500'000, 0.01F}, {1'000'000, 0.001F}}};
  settings.init.kind = WeightInit::Kind::Xavier;

  addStem(b);
  for (int i = 0; i < 4; ++i) addInceptionA(b);
  addReductionA(b);
  for (int i = 0; i < 7; ++i) addInceptionB(b);
  addReductionB(b);
  for (int i = 0; i < 3; ++i) addInceptionC(b);
  b.named("pool8",
          PoolParams{.mode = PoolParams::Mode::Average, .kernelH = 8, .kernelW = 8, .strideH = 1, .strideW = 1});
  b.named("drop", DropoutParams{.rate = 0.2F});
  b.named("fc", FcParams{1000});
  b.named("softmax", SoftmaxLossParams{});
  return b.build();
}

}  // namespace peakscope::engine
