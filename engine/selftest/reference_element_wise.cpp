// SPDX-License-Identifier: Apache-2.0
//
// ReLU, dropout, sums, copies, channel padding, the optimizer.
#include <algorithm>

#include "engine/data/random.h"
#include "engine/selftest/reference.h"

namespace peakscope::engine::reference {
namespace {

void addTo(Values& sum, const Values& other) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
}

}  // namespace

void relu(const Operands& o) {
  const bool isBackward = o.desc().phase == Phase::Backward;
  Values result = o.in(isBackward ? ArgRole::DiffDst : ArgRole::Src);
  const Values& sign = o.in(isBackward ? ArgRole::Dst : ArgRole::Src);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (sign[i] <= 0) result[i] = 0;
  o.out(isBackward ? ArgRole::DiffSrc : ArgRole::Dst, std::move(result));
}

/// Kept if the hash of (seed, iteration, layer, place in NCHW) is not below the rate.
void dropout(const Operands& o, const DropoutParams& p) {
  const bool isBackward = o.desc().phase == Phase::Backward;
  Values result = o.in(isBackward ? ArgRole::DiffDst : ArgRole::Src);
  const std::uint64_t run = mix(o.call().seed, static_cast<std::uint64_t>(o.call().input.iteration));
  const std::uint64_t key = mix(run, hashOf(o.desc().layer));
  for (std::size_t i = 0; i < result.size() && o.desc().isTraining; ++i) {
    const double uniform = static_cast<double>(scramble(key + i) >> 32) * 0x1p-32;
    result[i] = uniform < static_cast<double>(p.rate) ? 0.0 : result[i] / (1 - static_cast<double>(p.rate));
  }
  o.out(isBackward ? ArgRole::DiffSrc : ArgRole::Dst, std::move(result));
}

void add(const Operands& o) {
  const auto inputs = static_cast<std::int32_t>(o.desc().src.size());
  if (o.desc().phase == Phase::Backward) {
    const Values diffDst = o.in(ArgRole::DiffDst);
    for (std::int32_t k = 0; k < inputs; ++k) o.out(ArgRole::DiffSrc, k, diffDst);
    return;
  }
  Values sum = o.in(ArgRole::Src);
  for (std::int32_t k = 1; k < inputs; ++k) addTo(sum, o.in(ArgRole::Src, k));
  if (o.desc().accumulatesIntoInputZero) o.out(ArgRole::Src, sum);
  o.out(ArgRole::Dst, std::move(sum));
}

void fork(const Operands& o) {
  if (o.desc().phase == Phase::Backward) {
    Values sum = o.in(ArgRole::DiffDst);
    for (std::int32_t k = 1; o.has(ArgRole::DiffDst, k); ++k) addTo(sum, o.in(ArgRole::DiffDst, k));
    o.out(ArgRole::DiffSrc, std::move(sum));
    return;
  }
  for (std::int32_t k = 0; o.has(ArgRole::Dst, k); ++k) o.out(ArgRole::Dst, k, o.in(ArgRole::Src));
}

void concat(const Operands& o) {
  const bool isBackward = o.desc().phase == Phase::Backward;
  const Shape& whole = o.desc().dst.shape;
  Values dst = isBackward ? o.in(ArgRole::DiffDst) : zeros(whole.elements());
  std::int64_t before = 0;   // channels of the inputs in front
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(o.desc().src.size()); ++k) {
    const Shape& part = o.desc().src[static_cast<std::size_t>(k)].shape;
    Values diffSrc = zeros(part.elements());
    forEach(part, [&](auto n, auto c, auto h, auto w) {
      const std::size_t inside = at(part, n, c, h, w), outside = at(whole, n, c + before, h, w);
      if (isBackward)
        diffSrc[inside] = dst[outside];
      else
        dst[outside] = o.in(ArgRole::Src, k)[inside];
    });
    if (isBackward) o.out(ArgRole::DiffSrc, k, std::move(diffSrc));
    before += part.c;
  }
  if (!isBackward) o.out(ArgRole::Dst, std::move(dst));
}

void channelPad(const Operands& o, const ChannelPadParams& p) {
  const bool isBackward = o.desc().phase == Phase::Backward;
  const Shape &in = o.desc().src[0].shape, &out = o.desc().dst.shape;
  Values result = zeros(isBackward ? in.elements() : out.elements());
  forEach(in, [&](auto n, auto c, auto h, auto w) {
    const std::size_t inside = at(in, n, c, h, w), outside = at(out, n, c + p.before, h, w);
    if (isBackward)
      result[inside] = o.in(ArgRole::DiffDst)[outside];
    else
      result[outside] = o.in(ArgRole::Src)[inside];
  });
  o.out(isBackward ? ArgRole::DiffSrc : ArgRole::Dst, std::move(result));
}

void update(const Operands& o) {
  const UpdateRule& rule = o.desc().update;
  const auto step = [&](ArgRole value, ArgRole gradient, ArgRole velocity, double decay) {
    if (!o.has(value)) return;
    Values values = o.in(value), velocities = o.has(velocity) ? o.in(velocity) : zeros(static_cast<std::int64_t>(values.size()));
    const double momentum = rule.kind == Solver::Kind::Sgd ? 0.0 : static_cast<double>(rule.momentum);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double g = o.in(gradient)[i] + decay * values[i];
      velocities[i] = momentum * velocities[i] + g;
      values[i] -= static_cast<double>(o.call().input.learningRate) * (rule.kind == Solver::Kind::Nesterov ? g + momentum * velocities[i] : velocities[i]);
    }
    o.out(value, std::move(values));
    o.out(velocity, std::move(velocities));
  };
  step(ArgRole::Weights, ArgRole::DiffWeights, ArgRole::Momentum, static_cast<double>(rule.weightDecay));
  step(ArgRole::Bias, ArgRole::DiffBias, ArgRole::BiasMomentum, 0);   // no decay on biases
}

}  // namespace peakscope::engine::reference
