// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a network: loading a batch, and softmax with cross entropy.
#include <algorithm>
#include <cmath>

#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

/// Scores of one image to probabilities.
void softmax(const float* scores, float* out, std::int64_t classes) {
  const float largest = *std::max_element(scores, scores + classes);
  float sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) sum += out[c] = std::exp(scores[c] - largest);
  const float scale = 1 / sum;
  for (std::int64_t c = 0; c < classes; ++c) out[c] *= scale;
}

void forwardLoss(const CpuOpContext& context, std::int64_t images, std::int64_t classes) {
  const float* src = context.data(ArgRole::Src);
  float* dst = context.data(ArgRole::Dst);
  const auto* labels = context.data<std::int32_t>(ArgRole::Labels);
  float* loss = context.data(ArgRole::Loss);
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < images; ++n) softmax(src + n * classes, dst + n * classes, classes);
  // In the order of the images, so that the sum does not depend on the threads.
  double sum = 0;
  std::int64_t hits = 0;
  for (std::int64_t n = 0; n < images; ++n) {
    if (labels[n] < 0) continue;   // padding of a partial batch
    const float* p = dst + n * classes;
    sum -= std::log(std::max(static_cast<double>(p[labels[n]]), 1e-30));
    hits += std::max_element(p, p + classes) - p == labels[n] ? 1 : 0;
  }
  loss[0] = static_cast<float>(sum);
  loss[1] = static_cast<float>(hits);
}

/// (p - onehot) / batch. May run in place: the paper's gradient is the output tensor.
void backwardLoss(const CpuOpContext& context, std::int64_t images, std::int64_t classes) {
  const float* dst = context.data(ArgRole::Dst);
  float* diffSrc = context.data(ArgRole::DiffSrc);
  const auto* labels = context.data<std::int32_t>(ArgRole::Labels);
  const float scale = 1.0F / static_cast<float>(images);
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < images; ++n)
    for (std::int64_t c = 0; c < classes; ++c) {
      const float target = labels[n] == c ? 1.0F : 0.0F;
      diffSrc[n * classes + c] = labels[n] < 0 ? 0.0F : (dst[n * classes + c] - target) * scale;
    }
}

}  // namespace

OpPointer makeSoftmaxLoss(const OpDesc& desc) {
  const std::int64_t images = desc.dst.shape.n, classes = desc.dst.shape.elements() / desc.dst.shape.n;
  if (desc.phase == Phase::Backward) return makeKernel([=](const CpuOpContext& context) { backwardLoss(context, images, classes); });
  return makeKernel([=](const CpuOpContext& context) { forwardLoss(context, images, classes); });
}

OpPointer makeLoad(const OpDesc& desc) {
  return makeKernel([shape = desc.dst.shape, strides = stridesOf(desc.dst)](const CpuOpContext& context) {
    float* dst = context.data(ArgRole::Dst);
    const float* images = context.iteration.images.data();
    const std::int64_t pixels = shape.h * shape.w, size = shape.c * pixels;
    for (std::int64_t n = 0; n < shape.n; ++n)
      for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t p = 0; p < pixels; ++p)
          dst[n * strides.n + c * strides.c + p / shape.w * strides.h + p % shape.w * strides.w] = images[n * size + c * pixels + p];
    std::copy(context.iteration.labels.begin(), context.iteration.labels.end(), context.data<std::int32_t>(ArgRole::Labels));
  });
}

}  // namespace peakscope::engine::cpu
