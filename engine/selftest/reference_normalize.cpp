// SPDX-License-Identifier: Apache-2.0
//
// Batch norm (alone or with ReLU) and local response normalisation.
#include <algorithm>
#include <cmath>

#include "engine/selftest/reference.h"

namespace peakscope::engine::reference {
namespace {

/// The elements that share statistics, scale and shift: a channel of the batch, or one place of an image in the batch.
class Groups {
 public:
  Groups(const Shape& shape, const BatchNormParams& p) : m_shape(shape), m_isPerActivation(p.isPerActivation) {}
  [[nodiscard]] std::int64_t count() const { return m_isPerActivation ? m_shape.c * m_shape.h * m_shape.w : m_shape.c; }
  /// Elements of one group.
  [[nodiscard]] double size() const { return static_cast<double>(m_shape.elements() / count()); }

  /// Calls use(group, element) for every element.
  template <class Use>
  void forEachElement(Use use) const {
    forEach(m_shape, [&](auto n, auto c, auto h, auto w) {
      use(static_cast<std::size_t>(m_isPerActivation ? (c * m_shape.h + h) * m_shape.w + w : c), at(m_shape, n, c, h, w));
    });
  }
  /// Mean of f(group, element) over the elements of each group.
  template <class F>
  [[nodiscard]] Values means(F f) const {
    Values mean = zeros(count());
    forEachElement([&](std::size_t g, std::size_t i) { mean[g] += f(g, i); });
    for (double& value : mean) value /= size();
    return mean;
  }

 private:
  Shape m_shape;
  bool m_isPerActivation;
};

void updateRunning(const Operands& o, const BatchNormParams& p, const Values& mean, const Values& variance) {
  const double count = Groups(o.desc().dst.shape, p).size();
  const double unbiased = count > 1 ? count / (count - 1) : 1;
  Values runningMean = o.in(ArgRole::RunningMean), runningVariance = o.in(ArgRole::RunningVariance);
  for (std::size_t c = 0; c < mean.size(); ++c) {
    runningMean[c] = (1 - p.momentum) * runningMean[c] + p.momentum * mean[c];
    runningVariance[c] = (1 - p.momentum) * runningVariance[c] + p.momentum * variance[c] * unbiased;
  }
  o.out(ArgRole::RunningMean, std::move(runningMean));
  o.out(ArgRole::RunningVariance, std::move(runningVariance));
}

void batchNormForward(const Operands& o, const BatchNormParams& p) {
  const OpDesc& desc = o.desc();
  const Groups groups(desc.dst.shape, p);
  const Values &x = o.in(ArgRole::Src), &scale = o.in(ArgRole::Weights), &shift = o.in(ArgRole::Bias);
  Values mean, variance;
  if (!desc.isTraining) {
    mean = o.in(ArgRole::RunningMean);
    variance = o.in(ArgRole::RunningVariance);
  } else if (desc.phase == Phase::Rebuild) {
    mean = o.in(ArgRole::Mean);
    variance = o.in(ArgRole::Variance);
  } else {
    mean = groups.means([&](std::size_t, std::size_t i) { return x[i]; });
    variance = groups.means([&](std::size_t c, std::size_t i) { return (x[i] - mean[c]) * (x[i] - mean[c]); });
    updateRunning(o, p, mean, variance);
  }
  Values dst(x.size());
  groups.forEachElement([&](std::size_t c, std::size_t i) {
    const double y = scale[c] * (x[i] - mean[c]) / std::sqrt(variance[c] + p.epsilon) + shift[c];
    dst[i] = desc.hasFusedRelu ? std::max(y, 0.0) : y;
  });
  o.out(ArgRole::Dst, std::move(dst));
  o.out(ArgRole::Mean, std::move(mean));
  o.out(ArgRole::Variance, std::move(variance));
}

void batchNormBackward(const Operands& o, const BatchNormParams& p) {
  const Groups groups(o.desc().dst.shape, p);
  const Values &x = o.in(ArgRole::Src), &scale = o.in(ArgRole::Weights), &shift = o.in(ArgRole::Bias);
  const Values &mean = o.in(ArgRole::Mean), &variance = o.in(ArgRole::Variance);
  const auto normal = [&](std::size_t c, std::size_t i) { return (x[i] - mean[c]) / std::sqrt(variance[c] + p.epsilon); };
  const auto gradient = [&](std::size_t c, std::size_t i) {
    const bool isCut = o.desc().hasFusedRelu && scale[c] * normal(c, i) + shift[c] <= 0;
    return isCut ? 0.0 : o.in(ArgRole::DiffDst)[i];
  };
  const Values meanGradient = groups.means(gradient);
  const Values meanProduct = groups.means([&](std::size_t c, std::size_t i) { return gradient(c, i) * normal(c, i); });
  Values diffSrc(x.size()), diffScale(scale.size()), diffShift(scale.size());
  for (std::size_t c = 0; c < scale.size(); ++c) {
    diffScale[c] = meanProduct[c] * groups.size();
    diffShift[c] = meanGradient[c] * groups.size();
  }
  groups.forEachElement([&](std::size_t c, std::size_t i) {
    diffSrc[i] = scale[c] / std::sqrt(variance[c] + p.epsilon) * (gradient(c, i) - meanGradient[c] - normal(c, i) * meanProduct[c]);
  });
  o.out(ArgRole::DiffSrc, std::move(diffSrc));
  o.out(ArgRole::DiffWeights, std::move(diffScale));
  o.out(ArgRole::DiffBias, std::move(diffShift));
}

}  // namespace

void batchNorm(const Operands& o, const BatchNormParams& p) {
  o.desc().phase == Phase::Backward ? batchNormBackward(o, p) : batchNormForward(o, p);
}

/// dx_i = sum over the windows j that hold i of dy_j dy_j/dx_i, without any rearrangement.
void lrn(const Operands& o, const LrnParams& p) {
  const Shape& s = o.desc().dst.shape;
  const Values& x = o.in(ArgRole::Src);
  const bool isBackward = o.desc().phase == Phase::Backward;
  const double a = static_cast<double>(p.alpha) / static_cast<double>(p.size), beta = p.beta;
  Values result = zeros(s.elements());
  forEach(s, [&](auto n, auto c, auto h, auto w) {
    const std::int64_t first = std::max<std::int64_t>(c - (p.size - 1) / 2, 0), last = std::min(c - (p.size - 1) / 2 + p.size - 1, s.c - 1);
    const std::size_t here = at(s, n, c, h, w);
    double base = p.k;
    for (std::int64_t j = first; j <= last; ++j) base += a * x[at(s, n, j, h, w)] * x[at(s, n, j, h, w)];
    if (!isBackward) {
      result[here] = x[here] * std::pow(base, -beta);
      return;
    }
    const double dy = o.in(ArgRole::DiffDst)[here];
    result[here] += dy * std::pow(base, -beta);
    for (std::int64_t j = first; j <= last; ++j)
      result[at(s, n, j, h, w)] += dy * x[here] * -beta * std::pow(base, -beta - 1) * 2 * a * x[at(s, n, j, h, w)];
  });
  o.out(isBackward ? ArgRole::DiffSrc : ArgRole::Dst, std::move(result));
}

}  // namespace peakscope::engine::reference
