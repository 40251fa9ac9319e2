// SPDX-License-Identifier: Apache-2.0
//
// Convolution by Winograd's minimal filtering (Lavin and Gray, 2016) in oneDNN: twice as fast as the direct one for 3x3
// kernels with enough channels, for a workspace of many times the tensors. oneDNN has it for blocked layouts only, so
// tensors are reordered into the workspace and back; that traffic counts little beside the arithmetic saved.
//
//   forward    workspace = [ src, blocked | dst, blocked | weights | scratchpad ]
//   backward   workspace = [ src, then diffSrc, blocked | diffDst, blocked | weights or their gradient | scratchpad ]
#include <algorithm>

#include "engine/backends/cpu/dnnl_support.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

/// With fewer channels the transforms cost more than they save (measured: 0.5 times at 16, 1.3 times at 32).
constexpr std::int64_t fewestChannels = 32;

constexpr auto f32 = memory::data_type::f32;
constexpr auto winograd = dnnl::algorithm::convolution_winograd;

bool isSuitable(const OpDesc& desc, const ConvParams& p) {
  const bool is3x3 = p.kernelH == 3 && p.kernelW == 3 && p.strideH == 1 && p.strideW == 1 && p.dilationH == 1 && p.dilationW == 1;
  return is3x3 && p.padH == 1 && p.padW == 1 && p.groups == 1 && desc.src[0].shape.c >= fewestChannels && p.outChannels >= fewestChannels;
}

struct Layouts {
  memory::desc src, dst, srcBlocked, dstBlocked, weights, anyWeights, bias;
  memory::dims ones{1, 1};

  Layouts(const OpDesc& desc, const ConvParams& p) : src(memoryDesc(desc.src[0])), dst(memoryDesc(desc.dst)) {
    const auto blocked = [](const Shape& s) { return memory::desc({s.n, s.c, s.h, s.w}, f32, Tag::nChw16c); };
    srcBlocked = blocked(desc.src[0].shape);
    dstBlocked = blocked(desc.dst.shape);
    const memory::dims sides{p.outChannels, desc.src[0].shape.c, 3, 3};
    weights = memory::desc(sides, f32, Tag::oihw);
    anyWeights = memory::desc(sides, f32, Tag::any);
    if (p.hasBias) bias = memory::desc({p.outChannels}, f32, Tag::x);
  }
  [[nodiscard]] dnnl::convolution_forward::primitive_desc forward(bool isTraining) const {
    const auto kind = isTraining ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    return {{kind, winograd, srcBlocked, anyWeights, bias, dstBlocked, ones, ones, ones}, userScratchpad(), dnnlEngine()};
  }
};

/// The parts of the workspace, one behind the other.
struct Parts {
  Bytes src, dst, weights, scratch;
  [[nodiscard]] Bytes total() const { return src + dst + weights + scratch; }
  [[nodiscard]] std::byte* srcAt(std::span<std::byte> w) const { return w.data(); }
  [[nodiscard]] std::byte* dstAt(std::span<std::byte> w) const { return w.data() + src.count(); }
  [[nodiscard]] std::byte* weightsAt(std::span<std::byte> w) const { return w.data() + (src + dst).count(); }
  [[nodiscard]] std::byte* scratchAt(std::span<std::byte> w) const { return w.data() + (src + dst + weights).count(); }
};

class Forward final : public CpuOp {
 public:
  Forward(const OpDesc& desc, const ConvParams& params) : m_layouts(desc, params) {
    const auto pd = m_layouts.forward(desc.isTraining);
    m_weights = pd.weights_desc();
    m_primitive = Primitive(pd);
    m_toBlocked = Reorder(m_layouts.src, m_layouts.srcBlocked);
    m_fromBlocked = Reorder(m_layouts.dstBlocked, m_layouts.dst);
    m_toWeights = Reorder(m_layouts.weights, m_weights);
    m_parts = {padded(sizeOf(m_layouts.srcBlocked)), padded(sizeOf(m_layouts.dstBlocked)), padded(sizeOf(m_weights)),
               std::max({m_primitive.scratchpad(), m_toBlocked.scratchpad(), m_fromBlocked.scratchpad(), m_toWeights.scratchpad()})};
  }

  void run(const CpuOpContext& context) override {
    const auto w = context.workspace;
    std::byte* scratch = m_parts.scratchAt(w);
    m_toBlocked.run(context.data(ArgRole::Src), m_parts.srcAt(w), scratch);
    m_toWeights.run(context.data(ArgRole::Weights), m_parts.weightsAt(w), scratch);
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, at(m_layouts.srcBlocked, m_parts.srcAt(w))},
                                         {DNNL_ARG_WEIGHTS, at(m_weights, m_parts.weightsAt(w))},
                                         {DNNL_ARG_DST, at(m_layouts.dstBlocked, m_parts.dstAt(w))}};
    if (float* bias = context.data(ArgRole::Bias)) args.insert({DNNL_ARG_BIAS, at(m_layouts.bias, bias)});
    m_primitive.run(std::move(args), scratch);
    m_fromBlocked.run(m_parts.dstAt(w), context.data(ArgRole::Dst), scratch);
  }
  [[nodiscard]] Bytes workspace() const override { return m_parts.total(); }

 private:
  Layouts m_layouts;
  memory::desc m_weights;
  Primitive m_primitive;
  Reorder m_toBlocked, m_fromBlocked, m_toWeights;
  Parts m_parts;
};

class Backward final : public CpuOp {
 public:
  Backward(const OpDesc& desc, const ConvParams& params) : m_layouts(desc, params), m_needsDiffSrc(desc.needsDiffSrc) {
    const auto hint = m_layouts.forward(true);
    const auto& l = m_layouts;
    const dnnl::convolution_backward_weights::primitive_desc weightsPd(
        {winograd, l.srcBlocked, l.anyWeights, l.bias, l.dstBlocked, l.ones, l.ones, l.ones}, userScratchpad(), dnnlEngine(), hint);
    m_diffWeights = weightsPd.diff_weights_desc();
    m_weightsPass = Primitive(weightsPd);
    m_srcToBlocked = Reorder(l.src, l.srcBlocked);
    m_dstToBlocked = Reorder(l.dst, l.dstBlocked);
    m_fromDiffWeights = Reorder(m_diffWeights, l.weights);
    m_parts = {padded(sizeOf(l.srcBlocked)), padded(sizeOf(l.dstBlocked)), padded(sizeOf(m_diffWeights)),
               std::max({m_weightsPass.scratchpad(), m_srcToBlocked.scratchpad(), m_dstToBlocked.scratchpad(), m_fromDiffWeights.scratchpad()})};
    if (!m_needsDiffSrc) return;
    const dnnl::convolution_backward_data::primitive_desc dataPd({winograd, l.srcBlocked, l.anyWeights, l.dstBlocked, l.ones, l.ones, l.ones}, userScratchpad(),
                                                                 dnnlEngine(), hint);
    m_weights = dataPd.weights_desc();
    m_dataPass = Primitive(dataPd);
    m_toWeights = Reorder(l.weights, m_weights);
    m_diffSrcFromBlocked = Reorder(l.srcBlocked, l.src);
    m_parts.weights = std::max(m_parts.weights, padded(sizeOf(m_weights)));
    m_parts.scratch = std::max({m_parts.scratch, m_dataPass.scratchpad(), m_toWeights.scratchpad(), m_diffSrcFromBlocked.scratchpad()});
  }

  void run(const CpuOpContext& context) override {
    const auto w = context.workspace;
    std::byte* scratch = m_parts.scratchAt(w);
    m_srcToBlocked.run(context.data(ArgRole::Src), m_parts.srcAt(w), scratch);
    m_dstToBlocked.run(context.data(ArgRole::DiffDst), m_parts.dstAt(w), scratch);
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, at(m_layouts.srcBlocked, m_parts.srcAt(w))},
                                         {DNNL_ARG_DIFF_DST, at(m_layouts.dstBlocked, m_parts.dstAt(w))},
                                         {DNNL_ARG_DIFF_WEIGHTS, at(m_diffWeights, m_parts.weightsAt(w))}};
    if (float* diffBias = context.data(ArgRole::DiffBias)) args.insert({DNNL_ARG_DIFF_BIAS, at(m_layouts.bias, diffBias)});
    m_weightsPass.run(std::move(args), scratch);
    m_fromDiffWeights.run(m_parts.weightsAt(w), context.data(ArgRole::DiffWeights), scratch);
    if (!m_needsDiffSrc) return;
    m_toWeights.run(context.data(ArgRole::Weights), m_parts.weightsAt(w), scratch);
    m_dataPass.run({{DNNL_ARG_DIFF_DST, at(m_layouts.dstBlocked, m_parts.dstAt(w))},
                    {DNNL_ARG_WEIGHTS, at(m_weights, m_parts.weightsAt(w))},
                    {DNNL_ARG_DIFF_SRC, at(m_layouts.srcBlocked, m_parts.srcAt(w))}},
                   scratch);
    m_diffSrcFromBlocked.run(m_parts.srcAt(w), context.data(ArgRole::DiffSrc), scratch);
  }
  [[nodiscard]] Bytes workspace() const override { return m_parts.total(); }

 private:
  Layouts m_layouts;
  bool m_needsDiffSrc;
  memory::desc m_weights, m_diffWeights;
  Primitive m_dataPass, m_weightsPass;
  Reorder m_srcToBlocked, m_dstToBlocked, m_fromDiffWeights, m_toWeights, m_diffSrcFromBlocked;
  Parts m_parts;
};

}  // namespace

OpPointer makeConvolutionByWinograd(const OpDesc& desc, const ConvParams& params) {
  if (!isSuitable(desc, params)) return nullptr;
  try {
    if (desc.phase == Phase::Backward) return std::make_unique<Backward>(desc, params);
    return std::make_unique<Forward>(desc, params);
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_unimplemented) return nullptr;   // it needs AVX-512
    throw BackendFailure(std::string("oneDNN cannot do this convolution by Winograd's algorithm: ") + error.what() + "; drop the technique workspace");
  }
}

}  // namespace peakscope::engine::cpu
