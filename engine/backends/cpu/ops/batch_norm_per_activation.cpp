// SPDX-License-Identifier: Apache-2.0
//
// Batch norm with statistics, scale and shift for each element of an image, over the batch only. oneDNN has channels only.
// Work goes in tiles of elements that lie together in memory; a tile's statistics stay in the cache while it walks the
// batch, image after image, so results do not depend on the number of threads.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

constexpr std::int64_t tileSize = 64;
using Tile = std::array<float, tileSize>;

class PerActivation {
 public:
  PerActivation(const OpDesc& desc, const BatchNormParams& params)
      : m_image(desc.src[0].shape.c * desc.src[0].shape.h * desc.src[0].shape.w), m_images(desc.src[0].shape.n), m_channels(desc.src[0].shape.c),
        m_pixels(desc.src[0].shape.h * desc.src[0].shape.w), m_isChannelsLast(desc.src[0].layout == Layout::ChannelsLast), m_epsilon(params.epsilon),
        m_momentum(params.momentum), m_takesStatistics(desc.phase == Phase::Forward && desc.isTraining), m_isTraining(desc.isTraining) {}

  void forward(const CpuOpContext& context) const {
    const float *src = context.data(ArgRole::Src), *scale = context.data(ArgRole::Weights), *shift = context.data(ArgRole::Bias);
    float* dst = context.data(ArgRole::Dst);
    float* mean = context.data(m_isTraining ? ArgRole::Mean : ArgRole::RunningMean);
    float* variance = context.data(m_isTraining ? ArgRole::Variance : ArgRole::RunningVariance);
    float *runningMean = context.data(ArgRole::RunningMean), *runningVariance = context.data(ArgRole::RunningVariance);
    forEachTile([&](std::int64_t first, std::int64_t size) {
      if (m_takesStatistics) {
        takeStatistics(src + first, first, size, mean, variance);
        updateRunning(first, size, mean, variance, runningMean, runningVariance);
      }
      Tile factor, centre, offset;
      for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t p = parameter(first + i);
        const auto t = static_cast<std::size_t>(i);
        factor[t] = scale[p] / std::sqrt(variance[p] + m_epsilon);
        centre[t] = mean[p];
        offset[t] = shift[p];
      }
      forEachElement(first, size, [&](std::size_t t, std::int64_t i) { dst[i] = (src[i] - centre[t]) * factor[t] + offset[t]; });
    });
  }

  void backward(const CpuOpContext& context) const {
    const float *src = context.data(ArgRole::Src), *diffDst = context.data(ArgRole::DiffDst), *scale = context.data(ArgRole::Weights);
    const float *mean = context.data(ArgRole::Mean), *variance = context.data(ArgRole::Variance);
    float *diffSrc = context.data(ArgRole::DiffSrc), *diffScale = context.data(ArgRole::DiffWeights), *diffShift = context.data(ArgRole::DiffBias);
    forEachTile([&](std::int64_t first, std::int64_t size) {
      Tile centre, inverse, sum{}, product{};
      for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t p = parameter(first + i);
        centre[static_cast<std::size_t>(i)] = mean[p];
        inverse[static_cast<std::size_t>(i)] = 1 / std::sqrt(variance[p] + m_epsilon);
      }
      forEachElement(first, size, [&](std::size_t t, std::int64_t i) {
        sum[t] += diffDst[i];
        product[t] += diffDst[i] * (src[i] - centre[t]) * inverse[t];
      });
      Tile factor;
      for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t p = parameter(first + i);
        const auto t = static_cast<std::size_t>(i);
        diffScale[p] = product[t];
        diffShift[p] = sum[t];
        factor[t] = scale[p] * inverse[t];
        sum[t] /= static_cast<float>(m_images);
        product[t] /= static_cast<float>(m_images);
      }
      if (diffSrc == nullptr) return;
      forEachElement(first, size, [&](std::size_t t, std::int64_t i) { diffSrc[i] = factor[t] * (diffDst[i] - sum[t] - (src[i] - centre[t]) * inverse[t] * product[t]); });
    });
  }

 private:
  template <class Use>
  void forEachTile(Use use) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t first = 0; first < m_image; first += tileSize) use(first, std::min(tileSize, m_image - first));
  }
  /// Calls use(place in the tile, place in the tensor) for a tile of every image.
  template <class Use>
  void forEachElement(std::int64_t first, std::int64_t size, Use use) const {
    for (std::int64_t n = 0; n < m_images; ++n)
      for (std::int64_t i = 0; i < size; ++i) use(static_cast<std::size_t>(i), n * m_image + first + i);
  }
  /// Parameters are plain, whatever the layout of images.
  [[nodiscard]] std::int64_t parameter(std::int64_t element) const { return m_isChannelsLast ? element % m_channels * m_pixels + element / m_channels : element; }

  /// Two passes: a variance from squares would lose digits where the mean is large.
  void takeStatistics(const float* src, std::int64_t first, std::int64_t size, float* mean, float* variance) const {
    Tile sum{}, squares{};
    forEachElement(0, size, [&](std::size_t t, std::int64_t i) { sum[t] += src[i]; });
    for (float& value : sum) value /= static_cast<float>(m_images);
    forEachElement(0, size, [&](std::size_t t, std::int64_t i) { squares[t] += (src[i] - sum[t]) * (src[i] - sum[t]); });
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t p = parameter(first + i);
      mean[p] = sum[static_cast<std::size_t>(i)];
      variance[p] = squares[static_cast<std::size_t>(i)] / static_cast<float>(m_images);
    }
  }
  void updateRunning(std::int64_t first, std::int64_t size, const float* mean, const float* variance, float* runningMean, float* runningVariance) const {
    const float unbiased = m_images > 1 ? static_cast<float>(m_images) / static_cast<float>(m_images - 1) : 1.0F;
    for (std::int64_t i = first; i < first + size; ++i) {
      const std::int64_t p = parameter(i);
      runningMean[p] += m_momentum * (mean[p] - runningMean[p]);
      runningVariance[p] += m_momentum * (variance[p] * unbiased - runningVariance[p]);
    }
  }

  std::int64_t m_image, m_images, m_channels, m_pixels;
  bool m_isChannelsLast;
  float m_epsilon, m_momentum;
  bool m_takesStatistics, m_isTraining;
};

}  // namespace

OpPointer makeBatchNormPerActivation(const OpDesc& desc, const BatchNormParams& params) {
  const PerActivation norm(desc, params);
  if (desc.phase == Phase::Backward) return makeKernel([norm](const CpuOpContext& context) { norm.backward(context); });
  return makeKernel([norm](const CpuOpContext& context) { norm.forward(context); });
}

}  // namespace peakscope::engine::cpu
