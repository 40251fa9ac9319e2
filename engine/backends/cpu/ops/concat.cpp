// SPDX-License-Identifier: Apache-2.0
//
// Concatenation along channels. Channels lie innermost (also where an image is one pixel), so a pixel of the output is
// the inputs' pixels one behind the other:
//
//   dst      | input 0: c0 floats | input 1: c1 floats | ... |     one such row for each image, line and column
#include <cstring>
#include <vector>

#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

/// Where an input's channels lie in a row of the output, in floats.
struct Part {
  std::size_t first, channels;
};

class Rows {
 public:
  explicit Rows(const OpDesc& desc)
      : m_pixels(desc.dst.shape.n * desc.dst.shape.h * desc.dst.shape.w), m_channels(static_cast<std::size_t>(desc.dst.shape.c)) {
    for (std::size_t first = 0; const TensorDesc& src : desc.src) {
      m_parts.push_back({first, static_cast<std::size_t>(src.shape.c)});
      first += m_parts.back().channels;
    }
  }

  [[nodiscard]] std::size_t parts() const { return m_parts.size(); }
  void copyIn(std::size_t k, const float* src, float* dst) const {
    const Part part = m_parts[k];
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < m_pixels; ++i) {
      const auto row = static_cast<std::size_t>(i);
      std::memcpy(dst + row * m_channels + part.first, src + row * part.channels, part.channels * sizeof(float));
    }
  }
  void copyOut(std::size_t k, const float* diffDst, float* diffSrc) const {
    const Part part = m_parts[k];
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < m_pixels; ++i) {
      const auto row = static_cast<std::size_t>(i);
      std::memcpy(diffSrc + row * part.channels, diffDst + row * m_channels + part.first, part.channels * sizeof(float));
    }
  }

 private:
  std::int64_t m_pixels;
  std::size_t m_channels;
  std::vector<Part> m_parts;
};

}  // namespace

OpPointer makeConcat(const OpDesc& desc) {
  Rows rows(desc);
  if (desc.phase == Phase::Backward)
    return makeKernel([rows = std::move(rows)](const CpuOpContext& context) {
      const float* diffDst = context.data(ArgRole::DiffDst);
      for (std::size_t k = 0; k < rows.parts(); ++k)
        if (float* diffSrc = context.data(ArgRole::DiffSrc, static_cast<std::int32_t>(k))) rows.copyOut(k, diffDst, diffSrc);
    });
  return makeKernel([rows = std::move(rows)](const CpuOpContext& context) {
    float* dst = context.data(ArgRole::Dst);
    for (std::size_t k = 0; k < rows.parts(); ++k) rows.copyIn(k, context.data(ArgRole::Src, static_cast<std::int32_t>(k)), dst);
  });
}

}  // namespace peakscope::engine::cpu
