// SPDX-License-Identifier: Apache-2.0
//
// Convolution as a matrix product over columns (im2col), for the first layer of a network: with one to four input channels
// oneDNN has only its reference implementation for channels-last, a hundred times slower.
//
//   columns   one row per output pixel, (channel, kernel row, kernel column) inside: the order of plain weights
//   dst       = columns W' + bias            a channels-last image is a matrix of pixels x channels
//   diffW     = sum over images of diffDst' columns
//   diffSrc   = diffDst W, added back to the pixels that each column came from
//
// A few images at a time, so that columns stay in the cache:   workspace = [ columns | scratchpad ]
#include <algorithm>

#include "engine/backends/cpu/ops/matrix_product.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

constexpr std::int64_t mostChannels = 4;
constexpr Bytes columnsTarget{std::int64_t{2} << 20};

class Columns {
 public:
  Columns(const OpDesc& desc, const ConvParams& params) : m_in(desc.src[0].shape), m_out(desc.dst.shape), m_strides(stridesOf(desc.src[0])), m_params(params) {
    // As many images at a time as the target allows, and a divisor of the batch, so that one product serves all.
    const std::int64_t perImage = pixels() * width() * 4;
    images = std::clamp<std::int64_t>(columnsTarget.count() / std::max<std::int64_t>(perImage, 1), 1, m_in.n);
    while (m_in.n % images != 0) --images;
  }

  [[nodiscard]] std::int64_t pixels() const { return m_out.h * m_out.w; }
  [[nodiscard]] std::int64_t width() const { return m_in.c * m_params.kernelH * m_params.kernelW; }
  [[nodiscard]] std::int64_t rows() const { return images * pixels(); }
  [[nodiscard]] std::int64_t channels() const { return m_out.c; }
  [[nodiscard]] std::int64_t batch() const { return m_in.n; }
  [[nodiscard]] Bytes bytes() const { return padded(Bytes{rows() * width() * 4}); }
  [[nodiscard]] std::int64_t srcOffset(std::int64_t image) const { return image * m_strides.n; }
  [[nodiscard]] std::int64_t dstOffset(std::int64_t image) const { return image * pixels() * m_out.c; }

  void gather(const float* src, float* columns) const {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t n = 0; n < images; ++n)
      for (std::int64_t oh = 0; oh < m_out.h; ++oh)
        for (std::int64_t ow = 0; ow < m_out.w; ++ow) {
          float* column = columns + ((n * m_out.h + oh) * m_out.w + ow) * width();
          forEachTap(oh, ow, [&](std::int64_t tap, std::int64_t at, bool isInside) { column[tap] = isInside ? src[n * m_strides.n + at] : 0.0F; });
        }
  }

  void scatter(const float* columns, float* src) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < images; ++n) {
      float* image = src + n * m_strides.n;
      std::fill_n(image, m_in.c * m_in.h * m_in.w, 0.0F);
      for (std::int64_t oh = 0; oh < m_out.h; ++oh)
        for (std::int64_t ow = 0; ow < m_out.w; ++ow) {
          const float* column = columns + ((n * m_out.h + oh) * m_out.w + ow) * width();
          forEachTap(oh, ow, [&](std::int64_t tap, std::int64_t at, bool isInside) {
            if (isInside) image[at] += column[tap];
          });
        }
    }
  }

  std::int64_t images = 1;   ///< at a time

 private:
  template <class Use>
  void forEachTap(std::int64_t oh, std::int64_t ow, Use use) const {
    std::int64_t tap = 0;
    for (std::int64_t c = 0; c < m_in.c; ++c)
      for (std::int64_t kh = 0; kh < m_params.kernelH; ++kh) {
        const std::int64_t h = oh * m_params.strideH - m_params.padH + kh * m_params.dilationH;
        const bool isRowInside = h >= 0 && h < m_in.h;
        for (std::int64_t kw = 0; kw < m_params.kernelW; ++kw, ++tap) {
          const std::int64_t w = ow * m_params.strideW - m_params.padW + kw * m_params.dilationW;
          use(tap, c * m_strides.c + h * m_strides.h + w * m_strides.w, isRowInside && w >= 0 && w < m_in.w);
        }
      }
  }

  Shape m_in, m_out;
  Strides m_strides;
  ConvParams m_params;
};

class Forward final : public CpuOp {
 public:
  Forward(const OpDesc& desc, const ConvParams& params)
      : m_columns(desc, params), m_product(matrix(m_columns.rows(), m_columns.width(), Tag::ab), matrix(m_columns.width(), m_columns.channels(), Tag::ba),
                                           matrix(m_columns.rows(), m_columns.channels(), Tag::ab),
                                           params.hasBias ? matrix(1, m_columns.channels(), Tag::ab) : dnnl::memory::desc()) {}

  void run(const CpuOpContext& context) override {
    auto* columns = reinterpret_cast<float*>(context.workspace.data());
    std::byte* scratch = context.workspace.data() + m_columns.bytes().count();
    for (std::int64_t image = 0; image < m_columns.batch(); image += m_columns.images) {
      m_columns.gather(context.data(ArgRole::Src) + m_columns.srcOffset(image), columns);
      m_product.run(columns, context.data(ArgRole::Weights), context.data(ArgRole::Dst) + m_columns.dstOffset(image), context.data(ArgRole::Bias), scratch);
    }
  }
  [[nodiscard]] Bytes workspace() const override { return m_columns.bytes() + m_product.scratchpad(); }

 private:
  Columns m_columns;
  Product m_product;
};

class Backward final : public CpuOp {
 public:
  Backward(const OpDesc& desc, const ConvParams& params)
      : m_columns(desc, params), m_needsDiffSrc(desc.needsDiffSrc),
        m_weights(matrix(m_columns.channels(), m_columns.rows(), Tag::ba), matrix(m_columns.rows(), m_columns.width(), Tag::ab),
                  matrix(m_columns.channels(), m_columns.width(), Tag::ab), {}, Product::Into::Add) {
    if (m_needsDiffSrc)
      m_data = Product(matrix(m_columns.rows(), m_columns.channels(), Tag::ab), matrix(m_columns.channels(), m_columns.width(), Tag::ab),
                       matrix(m_columns.rows(), m_columns.width(), Tag::ab));
  }

  void run(const CpuOpContext& context) override {
    auto* columns = reinterpret_cast<float*>(context.workspace.data());
    std::byte* scratch = context.workspace.data() + m_columns.bytes().count();
    float* diffWeights = context.data(ArgRole::DiffWeights);
    float* diffDst = context.data(ArgRole::DiffDst);
    std::fill_n(diffWeights, m_columns.channels() * m_columns.width(), 0.0F);
    for (std::int64_t image = 0; image < m_columns.batch(); image += m_columns.images) {
      float* gradient = diffDst + m_columns.dstOffset(image);
      m_columns.gather(context.data(ArgRole::Src) + m_columns.srcOffset(image), columns);
      m_weights.run(gradient, columns, diffWeights, nullptr, scratch);
      if (!m_needsDiffSrc) continue;
      m_data.run(gradient, context.data(ArgRole::Weights), columns, nullptr, scratch);
      m_columns.scatter(columns, context.data(ArgRole::DiffSrc) + m_columns.srcOffset(image));
    }
    if (float* diffBias = context.data(ArgRole::DiffBias)) sumRows(diffDst, m_columns.batch() * m_columns.pixels(), m_columns.channels(), diffBias);
  }
  [[nodiscard]] Bytes workspace() const override {
    return m_columns.bytes() + std::max(m_weights.scratchpad(), m_needsDiffSrc ? m_data.scratchpad() : Bytes{});
  }

 private:
  Columns m_columns;
  bool m_needsDiffSrc;
  Product m_weights, m_data;
};

}  // namespace

bool suitsColumns(const OpDesc& desc, const ConvParams& params) {
  const bool isMatrix = desc.dst.layout == Layout::ChannelsLast || desc.dst.shape.h * desc.dst.shape.w == 1;
  return params.groups == 1 && desc.src[0].shape.c <= mostChannels && isMatrix;
}

OpPointer makeConvolutionByColumns(const OpDesc& desc, const ConvParams& params) {
  if (desc.phase == Phase::Backward) return std::make_unique<Backward>(desc, params);
  return std::make_unique<Forward>(desc, params);
}

}  // namespace peakscope::engine::cpu
