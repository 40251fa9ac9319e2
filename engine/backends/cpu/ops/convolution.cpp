// SPDX-License-Identifier: Apache-2.0
//
// Convolution by oneDNN. Weights come plain and are reordered into the workspace, so that every primitive sees the layout
// it likes best:   workspace = [ weights or their gradient, reordered | scratchpad ]
#include <algorithm>

#include "engine/backends/cpu/dnnl_support.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

constexpr auto f32 = memory::data_type::f32;

/// What all three passes share.
struct Geometry {
  memory::desc src, dst, plainWeights, anyWeights, bias;
  memory::dims strides, dilates, padLow, padHigh;

  Geometry(const OpDesc& desc, const ConvParams& p) : src(memoryDesc(desc.src[0])), dst(memoryDesc(desc.dst)) {
    const Shape& in = desc.src[0].shape;
    const Shape& out = desc.dst.shape;
    const memory::dims flat{p.outChannels, in.c / p.groups, p.kernelH, p.kernelW};
    const memory::dims grouped{p.groups, p.outChannels / p.groups, in.c / p.groups, p.kernelH, p.kernelW};
    const bool isGrouped = p.groups > 1;
    plainWeights = isGrouped ? memory::desc(grouped, f32, Tag::goihw) : memory::desc(flat, f32, Tag::oihw);
    anyWeights = memory::desc(isGrouped ? grouped : flat, f32, Tag::any);
    if (p.hasBias) bias = memory::desc({p.outChannels}, f32, Tag::x);
    strides = {p.strideH, p.strideW};
    dilates = {p.dilationH - 1, p.dilationW - 1};
    padLow = {p.padH, p.padW};
    const auto high = [](std::int64_t outSide, std::int64_t stride, std::int64_t kernel, std::int64_t dilation, std::int64_t inSide, std::int64_t low) {
      return (outSide - 1) * stride + (kernel - 1) * dilation + 1 - inSide - low;
    };
    padHigh = {high(out.h, p.strideH, p.kernelH, p.dilationH, in.h, p.padH), high(out.w, p.strideW, p.kernelW, p.dilationW, in.w, p.padW)};
  }

  [[nodiscard]] dnnl::convolution_forward::primitive_desc forward(bool isTraining) const {
    const auto kind = isTraining ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    return {{kind, dnnl::algorithm::convolution_direct, src, anyWeights, bias, dst, strides, dilates, padLow, padHigh}, userScratchpad(), dnnlEngine()};
  }
  [[nodiscard]] dnnl::convolution_backward_data::primitive_desc backwardData(const dnnl::convolution_forward::primitive_desc& hint) const {
    return {{dnnl::algorithm::convolution_direct, src, anyWeights, dst, strides, dilates, padLow, padHigh}, userScratchpad(), dnnlEngine(), hint};
  }
  [[nodiscard]] dnnl::convolution_backward_weights::primitive_desc backwardWeights(const dnnl::convolution_forward::primitive_desc& hint) const {
    return {{dnnl::algorithm::convolution_direct, src, anyWeights, bias, dst, strides, dilates, padLow, padHigh}, userScratchpad(), dnnlEngine(), hint};
  }
};

class Forward final : public CpuOp {
 public:
  Forward(const OpDesc& desc, const ConvParams& params) : m_geometry(desc, params) {
    const auto pd = m_geometry.forward(desc.isTraining);
    m_weights = pd.weights_desc();
    m_primitive = Primitive(pd);
    m_reorder = Reorder(m_geometry.plainWeights, m_weights);
  }

  void run(const CpuOpContext& context) override {
    std::byte* scratch = context.workspace.data() + reordered().count();
    float* weights = context.data(ArgRole::Weights);
    if (m_reorder.isNeeded()) {
      m_reorder.run(weights, context.workspace.data(), scratch);
      weights = reinterpret_cast<float*>(context.workspace.data());
    }
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, at(m_geometry.src, context.data(ArgRole::Src))},
                                         {DNNL_ARG_WEIGHTS, at(m_weights, weights)},
                                         {DNNL_ARG_DST, at(m_geometry.dst, context.data(ArgRole::Dst))}};
    if (float* bias = context.data(ArgRole::Bias)) args.insert({DNNL_ARG_BIAS, at(m_geometry.bias, bias)});
    m_primitive.run(std::move(args), scratch);
  }

  [[nodiscard]] Bytes workspace() const override { return reordered() + std::max(m_primitive.scratchpad(), m_reorder.scratchpad()); }

 private:
  [[nodiscard]] Bytes reordered() const { return m_reorder.isNeeded() ? padded(sizeOf(m_weights)) : Bytes{}; }

  Geometry m_geometry;
  memory::desc m_weights;
  Primitive m_primitive;
  Reorder m_reorder;
};

class Backward final : public CpuOp {
 public:
  Backward(const OpDesc& desc, const ConvParams& params) : m_geometry(desc, params), m_needsDiffSrc(desc.needsDiffSrc) {
    const auto hint = m_geometry.forward(true);
    const auto weightsPd = m_geometry.backwardWeights(hint);
    m_diffWeights = weightsPd.diff_weights_desc();
    m_weightsPass = Primitive(weightsPd);
    m_diffWeightsReorder = Reorder(m_diffWeights, m_geometry.plainWeights);
    if (!m_needsDiffSrc) return;
    const auto dataPd = m_geometry.backwardData(hint);
    m_weights = dataPd.weights_desc();
    m_dataPass = Primitive(dataPd);
    m_weightsReorder = Reorder(m_geometry.plainWeights, m_weights);
  }

  void run(const CpuOpContext& context) override {
    std::byte* scratch = context.workspace.data() + reordered().count();
    runWeights(context, scratch);
    if (m_needsDiffSrc) runData(context, scratch);
  }

  [[nodiscard]] Bytes workspace() const override {
    Bytes scratch = std::max(m_weightsPass.scratchpad(), m_diffWeightsReorder.scratchpad());
    if (m_needsDiffSrc) scratch = std::max({scratch, m_dataPass.scratchpad(), m_weightsReorder.scratchpad()});
    return reordered() + scratch;
  }

 private:
  void runWeights(const CpuOpContext& context, std::byte* scratch) {
    float* plain = context.data(ArgRole::DiffWeights);
    void* diffWeights = m_diffWeightsReorder.isNeeded() ? static_cast<void*>(context.workspace.data()) : plain;
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, at(m_geometry.src, context.data(ArgRole::Src))},
                                         {DNNL_ARG_DIFF_DST, at(m_geometry.dst, context.data(ArgRole::DiffDst))},
                                         {DNNL_ARG_DIFF_WEIGHTS, at(m_diffWeights, diffWeights)}};
    if (float* diffBias = context.data(ArgRole::DiffBias)) args.insert({DNNL_ARG_DIFF_BIAS, at(m_geometry.bias, diffBias)});
    m_weightsPass.run(std::move(args), scratch);
    m_diffWeightsReorder.run(diffWeights, plain, scratch);
  }

  void runData(const CpuOpContext& context, std::byte* scratch) {
    void* weights = context.data(ArgRole::Weights);
    if (m_weightsReorder.isNeeded()) {
      m_weightsReorder.run(weights, context.workspace.data(), scratch);
      weights = context.workspace.data();
    }
    m_dataPass.run({{DNNL_ARG_DIFF_DST, at(m_geometry.dst, context.data(ArgRole::DiffDst))},
                    {DNNL_ARG_WEIGHTS, at(m_weights, weights)},
                    {DNNL_ARG_DIFF_SRC, at(m_geometry.src, context.data(ArgRole::DiffSrc))}},
                   scratch);
  }

  [[nodiscard]] Bytes reordered() const {
    Bytes bytes = m_diffWeightsReorder.isNeeded() ? padded(sizeOf(m_diffWeights)) : Bytes{};
    if (m_weightsReorder.isNeeded()) bytes = std::max(bytes, padded(sizeOf(m_weights)));
    return bytes;
  }

  Geometry m_geometry;
  bool m_needsDiffSrc;
  memory::desc m_weights, m_diffWeights;
  Primitive m_dataPass, m_weightsPass;
  Reorder m_weightsReorder, m_diffWeightsReorder;
};

}  // namespace

OpPointer makeConvolution(const OpDesc& desc, const ConvParams& params) {
  return describing("this convolution", [&]() -> OpPointer {
    if (suitsColumns(desc, params)) return makeConvolutionByColumns(desc, params);
    if (desc.phase == Phase::Backward) return std::make_unique<Backward>(desc, params);
    return std::make_unique<Forward>(desc, params);
  });
}

}  // namespace peakscope::engine::cpu
